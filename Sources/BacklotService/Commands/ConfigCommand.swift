internal import ArgumentParser

/// `config`
struct ConfigCommand<App: ServerApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract:
                "Shows the settings that '\(App.programName) serve' would use with the same options, and the source of each value.",
            discussion: """
                Options count before variables of the environment, those before variables in a file .env of this folder, and those \
                before defaults. The variable of --drain-delay is DRAIN_DELAY. Secrets are not shown.

                Exit status: 0, or 64 when a value is wrong.
                """
        )
    }

    @OptionGroup var app: App
    @OptionGroup var options: ServiceOptions<App>

    func run() async throws {
        let sources = try App.settings(given: [app, options])
        var problems: [SettingError] = []
        // The default of a setting may depend on other settings.
        let settings = try? App.serviceSettings(sources)
        let rows = App.allSettings.map { setting in
            guard let found = sources.text(setting) else {
                let defaultText = settings.flatMap { $0.defaultText(of: setting.name) }
                return [setting.name, defaultText ?? "-", defaultText == nil ? "not set" : "default"]
            }
            if let problem = found.error ?? (setting.accepts(found.text) ? nil : SettingError(setting, found)) {
                problems.append(problem)
            }
            return [setting.name, found.error == nil ? setting.display(found.text) : "?", found.origin]
        }
        print(Columns.text(rows + sources.telemetry), terminator: "")
        for remark in App.remarks(sources) { print(remark) }
        for warning in sources.warnings(App.allSettings) { StandardError.print("Warning: \(warning)") }
        for problem in problems { StandardError.print("Error: \(problem)") }
        if !problems.isEmpty { throw ExitCode.validationFailure }
        // Each value may be valid, although they contradict each other.
        _ = try ServerOperations(try App.serviceSettings(sources), isServing: false)
    }
}

/// Text in columns.
package enum Columns {
    /// The rows, one per line, with blanks after all columns but the last.
    package static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let padded = row.dropLast().enumerated().map { column, cell in
                cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            return (padded + row.suffix(1)).joined(separator: "  ") + "\n"
        }.joined()
    }
}
