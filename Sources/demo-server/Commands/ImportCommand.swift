import BacklotMocks
import BacklotRecording
import BacklotService

/// The command `demo-server import`, which makes mock routes from a HAR file or an OpenAPI document.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes mock routes from recorded traffic, a HAR file, or from an OpenAPI document.",
        discussion: """
            Browsers and proxies save traffic as HAR files. Each route becomes a file. Responses that change after a mutation \
            become states, separately for each client. Cookies, credentials, passwords, tokens, e-mail addresses and card \
            numbers are replaced by pseudonyms, the same for the same secret; the report lists the replacements without secrets.

            An OpenAPI document, 3.0 or 3.1, in YAML or JSON, becomes a file for each operation, with examples of its \
            responses and checks of requests; the report lists the omitted parts with their locations.

            With --swift-tests, a HAR file also becomes a Swift test: a headless client repeats the person's steps, and expects the \
            same pages.

            Nothing is written if a file exists already, unless --update is given.
            """
    )

    @Argument(help: "The file, such as capture.har or openapi.yaml.", completion: .file())
    var file: String

    @Option(
        help: "The folder of mock routes. It is made if it doesn't exist. May be left out with --swift-tests.",
        completion: .directory
    )
    var into: String?

    @Option(
        help: ArgumentHelp(
            "The base URL of the backend to import; by default the host with the most requests.",
            valueName: "url"
        )
    )
    var baseURL: String?

    @OptionGroup var recording: RecordingOptions

    func validate() throws {
        guard into != nil || recording.swiftTests != nil else {
            throw ValidationError(
                "Name a folder for mock routes with --into, a file for a test with --swift-tests, or both."
            )
        }
    }

    func run() async throws {
        let bytes = try Arguments.bytes(of: file)
        let secrets = try recording.secrets
        var report = try routes(in: bytes)
        try await recording.write(
            test: (report.exchanges, report.pseudonyms),
            routes: into,
            secrets: secrets
        ) {
            if let into {
                let writer = RecordingWriter(into, secrets: secrets)
                try writer.write(report.files, update: recording.update)
                report.note(writer.remarks(on: report.files))
            }
            for line in report.lines(into: into) { print(line) }
            return into
        }
    }

    /// Makes files from the contents of another file.
    private func routes(in bytes: [UInt8]) throws -> RecordingReport {
        OpenAPIImport.isMeant(by: bytes, file: file) ? try routes(inOpenAPI: bytes) : try routes(inHAR: bytes)
    }

    private func routes(inOpenAPI bytes: [UInt8]) throws -> RecordingReport {
        guard baseURL == nil, recording.fold, !recording.withDelays, recording.redact.isEmpty else {
            throw ValidationError(
                "--base-url, --no-fold, --with-delays and --redact are about recorded traffic: leave them out for an OpenAPI document."
            )
        }
        guard recording.swiftTests == nil else {
            throw ValidationError("--swift-tests is about recorded traffic: leave it out for an OpenAPI document.")
        }
        let routes: OpenAPIImport
        do {
            routes = try OpenAPIImport(bytes, file: file)
        } catch {
            throw Arguments.failure("\(error)")
        }
        guard !routes.files.isEmpty else {
            throw Arguments.failure(routes.remarks.map { "\($0)" }.joined(separator: "\n"))
        }
        return RecordingReport(files: routes.files, notes: routes.remarks.map(\.description))
    }

    private func routes(inHAR bytes: [UInt8]) throws -> RecordingReport {
        let capture: HARRecording
        do {
            capture = try HARRecording(bytes, base: baseURL)
        } catch {
            throw Arguments.failure("\(file): \(error)")
        }
        let name = URL(filePath: file).deletingPathExtension().lastPathComponent
        let report = RecordingReport(
            capture.exchanges,
            skipped: capture.skipped,
            keys: recording.redact,
            formats: MockSite.formats,
            options: into.map { recording.routeOptions(scenario: name, into: $0) }
        )
        guard into == nil || !report.files.isEmpty else {
            let reasons = report.lines.filter { $0.hasPrefix("skipped: ") }.map { $0.dropFirst("skipped: ".count) }
            throw Arguments.failure(
                "\(file): no entry of \(capture.base) can be a mock route: \(reasons.joined(separator: "; "))"
            )
        }
        return report
    }
}
