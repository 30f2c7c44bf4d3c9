import ArgumentParser
import BacklotMocks
import BacklotService

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `demo-server import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes mock routes of recorded traffic, a HAR file, or of an OpenAPI document.",
        discussion: """
            A HAR file is what browsers and proxies save. Each route becomes a file. Answers that change after a mutation become states, for each client by itself. \
            Cookies, credentials, passwords, tokens, e-mail addresses and card numbers are replaced by pseudonyms, the \
            same for the same secret; what was replaced is listed without the secrets.

            An OpenAPI document, 3.0 or 3.1, in YAML or JSON, becomes a file for each operation, with examples of its answers \
            and checks of requests; what is left out is listed with its place.

            With --swift-tests, a HAR file becomes a Swift test, too: a headless client does what the person did, and expects what \
            the pages showed.

            Nothing is written when a file is there already, unless --update is given.
            """
    )

    @Argument(help: "The file, such as capture.har or openapi.yaml.", completion: .file())
    var file: String

    @Option(
        help: "The folder of mock routes. It is made if it isn't there. May be left out with --swift-tests.",
        completion: .directory
    )
    var into: String?

    @Option(
        help: ArgumentHelp(
            "The Swift file for a test that does what was recorded, such as Tests/ShopTests/RecordedTests.swift.",
            valueName: "file"
        ),
        completion: .file(extensions: ["swift"])
    )
    var swiftTests: String?

    @Option(
        help: ArgumentHelp(
            "The base URL of the backend whose answers are taken: by default the host that is asked most.",
            valueName: "url"
        )
    )
    var baseURL: String?

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

    /// What is made of a file, whatever it holds.
    private struct Made {
        var files: [RecordedFile] = []
        /// What is said about it, beside the names of the files.
        var lines: [String] = []
        /// The exchanges of recorded traffic, without secrets, and what stands for these.
        var exchanges: [RecordedExchange] = []
        var pseudonyms: Set<String> = []
    }

    func validate() throws {
        guard into != nil || swiftTests != nil else {
            throw ValidationError(
                "Name a folder for mock routes with --into, a file for a test with --swift-tests, or both."
            )
        }
    }

    func run() async throws {
        let bytes = try Self.bytes(of: file)
        let secrets = try checkSecrets.map { RecordingWriter.secrets(in: try Self.bytes(of: $0)) } ?? []
        let testFile = try swiftTests.map { try SwiftTestFile($0, update: update) }
        let made = try made(of: bytes)
        do {
            let test = try await testFile?.contents(
                of: made.exchanges,
                pseudonyms: made.pseudonyms,
                routes: into,
                secrets: secrets
            )
            if let into {
                try write(made, into, secrets)
            } else {
                for line in made.lines { print(line) }
            }
            guard let test, let testFile, let swiftTests else { return }
            try testFile.write(test, update: update)
            print("written: \(swiftTests)")
            for line in test.report { print("test: \(line)") }
        } catch let mistake as RecordingWriter.Mistake {
            throw Self.failure(mistake.text)
        }
    }

    private func write(_ made: Made, _ into: String, _ secrets: [String]) throws(RecordingWriter.Mistake) {
        var made = made
        let writer = RecordingWriter(into, secrets: secrets)
        try writer.write(made.files, update: update)
        made.lines += writer.remarks(on: made.files).map { "note: \($0)" }
        for path in made.files.map(\.path).sorted() { print("written: \(path)") }
        for line in made.lines { print(line) }
        let count = made.files.count { !$0.path.hasPrefix("__files/") }
        print("\(count) \(count == 1 ? "route" : "routes") in \(into). Next: demo-server mock --routes \(into)")
    }

    /// Makes files of what another file holds.
    private func made(of bytes: [UInt8]) throws -> Made {
        OpenAPIImport.isMeant(by: bytes, file: file) ? try routes(inOpenAPI: bytes) : try routes(inHAR: bytes)
    }

    private func routes(inOpenAPI bytes: [UInt8]) throws -> Made {
        guard baseURL == nil, fold, !withDelays, redact.isEmpty else {
            throw ValidationError(
                "--base-url, --no-fold, --with-delays and --redact are about recorded traffic: leave them out for an OpenAPI document."
            )
        }
        guard swiftTests == nil else {
            throw ValidationError("--swift-tests is about recorded traffic: leave it out for an OpenAPI document.")
        }
        let routes: OpenAPIImport
        do {
            routes = try OpenAPIImport(bytes, file: file)
        } catch {
            throw Self.failure("\(error)")
        }
        guard !routes.files.isEmpty else {
            throw Self.failure(routes.remarks.map { "\($0)" }.joined(separator: "\n"))
        }
        return Made(files: routes.files, lines: routes.remarks.map { "note: \($0)" })
    }

    private func routes(inHAR bytes: [UInt8]) throws -> Made {
        let recording: HARRecording
        do {
            recording = try HARRecording(bytes, base: baseURL)
        } catch {
            throw Self.failure("\(file): \(error.text)")
        }
        var redaction = Redaction(keys: redact)
        let exchanges = redaction.redacted(recording.exchanges)
        guard let into else {
            return Made(
                lines: redaction.report.map { "redacted: \($0)" } + recording.skipped.map { "skipped: \($0)" },
                exchanges: exchanges,
                pseudonyms: redaction.pseudonyms
            )
        }
        var options = RouteRecording.Options()
        options.folds = fold
        options.withDelays = withDelays
        // Two imports into one folder share no states, unless one replaces the other.
        let base = URL(filePath: file).deletingPathExtension().lastPathComponent
        options.scenario = update ? base : RecordingWriter(into).unusedScenario(base)
        if FolderLookup.exists("\(into)/.schemas") { options.schemas = ".schemas" }
        let routes = RouteRecording(exchanges, formats: MockSite.formats, options: options)
        guard !routes.files.isEmpty else {
            throw Self.failure(
                "\(file): no entry of \(recording.base) can be a mock route: \(routes.skipped.joined(separator: "; "))"
            )
        }
        return Made(
            files: routes.files,
            lines: routes.folded.map { "folded: \($0)" } + redaction.report.map { "redacted: \($0)" }
                + (recording.skipped + routes.skipped).map { "skipped: \($0)" } + routes.hints.map { "note: \($0)" },
            exchanges: exchanges,
            pseudonyms: redaction.pseudonyms
        )
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("'\(path)' can't be read: name a file that is there.")
        }
        return Array(data)
    }

    /// Says what went wrong.
    private static func failure(_ text: String) -> ExitCode {
        StandardError.print("Error: \(text)")
        return .failure
    }
}
