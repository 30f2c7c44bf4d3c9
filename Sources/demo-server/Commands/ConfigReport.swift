import ArgumentParser

/// `demo-server config`
struct ConfigReport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract:
            "Says what 'demo-server serve' would be set to, with the same options here, and where each value is from.",
        discussion: """
            Options count before variables of the environment, those before variables in a file .env of this folder, and those \
            before defaults. The variable of --drain-delay is DRAIN_DELAY. Secrets are not shown.

            Exit status: 0, or 64 when a value is wrong.
            """
    )

    @OptionGroup var listen: ListenOptions
    @OptionGroup var folders: FolderOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var floki: FlokiOptions

    func run() async throws {
        let options: [any SettingOptions] = [listen, folders, control, drain, sessions, floki]
        let sources: SettingSources
        do {
            sources = try await SettingSources(options: ServerSettings.given(by: options))
        } catch let error as SettingError {
            StandardError.print("Error: \(error)")
            throw ExitCode.validationFailure
        }
        var problems: [SettingError] = []
        var lines: [(name: String, value: String, origin: String)] = []
        for setting in Settings.all {
            guard let found = sources.text(setting) else {
                lines.append((setting.name, "-", "not set"))
                continue
            }
            lines.append((setting.name, setting.display(found.text), found.origin.description(of: setting)))
            if !setting.accepts(found.text) { problems.append(SettingError(setting, found)) }
        }
        if problems.isEmpty {
            do {
                _ = try ServerSettings(sources)
            } catch let error as SettingError {
                // Each value is right, and they contradict each other.
                problems.append(error)
            }
        }
        let widths = (lines.map(\.name.count).max() ?? 0, lines.map(\.value.count).max() ?? 0)
        for line in lines {
            print("\(line.name.padded(to: widths.0))  \(line.value.padded(to: widths.1))  \(line.origin)")
        }
        for problem in problems { StandardError.print("Error: \(problem)") }
        if !problems.isEmpty { throw ExitCode.validationFailure }
    }
}
