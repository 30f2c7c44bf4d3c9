import ArgumentParser
import BacklotChecks
import BacklotMocks
import BacklotRecording

/// Options for turning recorded traffic into mock routes and a test.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The Swift file for a test that does what was recorded, such as Tests/ShopTests/RecordedTests.swift.",
            valueName: "file"
        ),
        completion: .file(extensions: ["swift"])
    )
    var swiftTests: String?

    @Flag(inversion: .prefixedNo, help: "Make paths that differ in one segment one route, such as tasks/[id].")
    var fold = true

    @Flag(help: "Give responses the delays that they had.")
    var withDelays = false

    @Option(
        help: ArgumentHelp(
            "The name of a further key, field, parameter, header field or variable with secret values. It may be repeated.",
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

    @Flag(help: "Replace existing files.")
    var update = false

    func validate() throws {
        guard let swiftTests else { return }
        let file = URL(filePath: swiftTests).lastPathComponent
        guard file.hasSuffix(".swift"), !file.hasPrefix(".") else {
            throw ValidationError(
                "--swift-tests '\(swiftTests)': name a Swift file, such as Tests/ShopTests/RecordedTests.swift."
            )
        }
        try Arguments.checkFile("--swift-tests", swiftTests)
        guard update || !FileManager.default.fileExists(atPath: swiftTests) else {
            throw ValidationError("--swift-tests '\(swiftTests)': the file is there already. --update replaces it.")
        }
    }

    /// The secrets that must not be in any file.
    var secrets: [String] {
        get throws {
            guard let checkSecrets else { return [] }
            return RecordingWriter.secrets(in: try Arguments.bytes(of: checkSecrets, option: "--check-secrets "))
        }
    }

    /// The options for files.
    ///
    /// - Parameters:
    ///   - scenario: the name of the scenario for their states.
    ///   - folder: the folder for the files.
    func routeOptions(scenario: String, into folder: String) -> RouteRecording.Options {
        var options = Self.routeOptions(scenario, into: folder, isShared: update)
        options.folds = fold
        options.withDelays = withDelays
        return options
    }

    /// - Parameter isShared: whether the scenario may be one that the folder has already. Two recordings in one folder share no
    ///   states, unless one replaces the other.
    private static func routeOptions(
        _ scenario: String,
        into folder: String,
        isShared: Bool
    ) -> RouteRecording.Options {
        var options = RouteRecording.Options()
        options.scenario = isShared ? scenario : RecordingWriter(folder).unusedScenario(scenario)
        if FolderLookup.exists("\(folder)/.schemas") { options.schemas = ".schemas" }
        return options
    }

    /// The settings for recording requests that no mock matches.
    static func capturing(into folder: String) -> Recording.Settings {
        var settings = Recording.Settings()
        settings.folder = folder
        settings.writesThrough = true
        settings.leavesConflicts = true
        settings.options = routeOptions("captured", into: folder, isShared: false)
        return settings
    }

    /// Writes mock routes, and a test if requested. It makes the test first, since it must not contain secrets either, and checks
    /// that before it writes anything. If the routes go into another folder than planned, the test loads them from there.
    ///
    /// - Parameters:
    ///   - recorded: the exchanges without secrets, and the pseudonyms of the secrets; nil if no test is requested.
    ///   - routes: the folder of the mock routes that the test loads; nil for the usual one.
    ///   - writeRoutes: writes the mock routes, and returns their folder; nil for none.
    func write(
        test recorded: (exchanges: [RecordedExchange], pseudonyms: Set<String>)?,
        routes: String?,
        secrets: [String],
        _ writeRoutes: () async throws -> String?
    ) async throws {
        do {
            guard let recorded, let swiftTests else {
                _ = try await writeRoutes()
                return
            }
            let url = URL(filePath: swiftTests)
            let file = url.lastPathComponent
            var options = RecordedTests.Options()
            options.name = String(file.dropLast(".swift".count))
            options.routes = routes ?? MockOptions.usualFolder
            options.pseudonyms = recorded.pseudonyms
            var test = await RecordedTests(recorded.exchanges, options: options)
            var files: [RecordedFile] { [RecordedFile(path: file, bytes: Array(test.source.utf8))] }
            let writer = RecordingWriter(url.deletingLastPathComponent().path, secrets: secrets)
            try writer.check(files)
            if let folder = try await writeRoutes(), folder != options.routes {
                options.routes = folder
                test = await RecordedTests(recorded.exchanges, options: options)
            }
            try writer.write(files, update: update)
            print("written: \(swiftTests)")
            for line in test.report { print("test: \(line)") }
        } catch let mistake as RecordingWriter.WritingError {
            throw Arguments.failure(mistake.text)
        }
    }
}
