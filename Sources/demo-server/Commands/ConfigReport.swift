import ArgumentParser
import BacklotService

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
    @OptionGroup var tls: TLSOptions
    @OptionGroup var folders: FolderOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var floki: FlokiOptions

    func run() async throws {
        let options: [any SettingOptions] = [listen, tls, folders, control, drain, sessions, floki]
        try await SettingSources.read(DemoSettings.all, options) { sources in
            let report = SettingReport(DemoSettings.all, sources)
            let widths = (report.lines.map(\.name.count).max() ?? 0, report.lines.map(\.value.count).max() ?? 0)
            for line in report.lines {
                print("\(line.name.padded(to: widths.0))  \(line.value.padded(to: widths.1))  \(line.origin)")
            }
            for problem in report.problems { StandardError.print("Error: \(problem)") }
            if !report.problems.isEmpty { throw ExitCode.validationFailure }
            // Each value may be right, and they may contradict each other.
            _ = try DemoSettings(sources)
        }
    }
}
