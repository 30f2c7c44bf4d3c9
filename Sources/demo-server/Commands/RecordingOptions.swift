import ArgumentParser
import BacklotRecording

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How recorded traffic becomes mock routes.
struct RecordingOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Make paths that differ in one segment one route, such as tasks/[id].")
    var fold = true

    @Flag(help: "Let answers take as long as they took.")
    var withDelays = false

    @Option(
        help: ArgumentHelp(
            "The name of a key, field, parameter, header field or variable whose values are secret, too. It may be repeated.",
            valueName: "key"
        )
    )
    var redact: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with a secret in each line. Nothing is written if one of them would be in a mock file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var checkSecrets: String?

    @Flag(help: "Replace files that are there already.")
    var update = false

    /// The secrets that may be in no file.
    var secrets: [String] {
        get throws { try checkSecrets.map { RecordingWriter.secrets(in: try Self.bytes(of: $0)) } ?? [] }
    }

    /// How files are made.
    ///
    /// - Parameters:
    ///   - scenario: the name of the scenario whose states they use.
    ///   - folder: where they will be.
    func routeOptions(scenario: String, into folder: String) -> RouteRecording.Options {
        var options = RouteRecording.Options()
        options.folds = fold
        options.withDelays = withDelays
        // Two recordings in one folder share no states, unless one replaces the other.
        options.scenario = update ? scenario : RecordingWriter(folder).unusedScenario(scenario)
        if FolderLookup.exists("\(folder)/.schemas") { options.schemas = ".schemas" }
        return options
    }

    /// What is recorded of requests that no mock answers.
    static func capturing(into folder: String) -> Recording.Settings {
        var settings = Recording.Settings()
        settings.folder = folder
        settings.writesThrough = true
        settings.leavesConflicts = true
        settings.options.scenario = RecordingWriter(folder).unusedScenario("captured")
        if FolderLookup.exists("\(folder)/.schemas") { settings.options.schemas = ".schemas" }
        return settings
    }

    /// What a file holds.
    ///
    /// - Throws: `ValidationError`.
    static func bytes(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("'\(path)' can't be read: name a file that is there.")
        }
        return Array(data)
    }
}
