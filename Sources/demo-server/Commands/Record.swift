import Backlot
import BacklotMocks
import BacklotRecording
import BacklotService
import Logging

/// The command `demo-server record`, which records a backend and turns the traffic into mock routes.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Records a real backend with a proxy before it, and turns the traffic into mock routes.",
        discussion: """
            Point clients at the proxy instead of at the backend, and use them. SIGINT (Ctrl-C), or POST \
            /__admin/recordings/stop, ends the recording and writes a file for each route: then 'demo-server mock' serves them \
            without the backend. Responses that change after a mutation become states, separately for each client. \
            Cookies, credentials, passwords, tokens, e-mail addresses and card numbers are replaced by pseudonyms, the same for \
            the same secret; the report lists the replacements without the secrets.

            Files are only overwritten with --update. Without it, if a file exists already, the recording is written into a new \
            folder beside it.
            """
    )

    @Argument(help: "The base URL of the backend, such as https://api.example.com/v1.")
    var url: String

    @Option(help: "The folder of mock routes. It is made if it doesn't exist.", completion: .directory)
    var into: String

    @Flag(help: "Write the files after each exchange, so that a recording that is killed leaves its files.")
    var writeThrough = false

    @OptionGroup var recording: RecordingOptions
    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var limits: LimitOptions

    func run() async throws {
        var what = Recording.Settings()
        what.folder = into
        what.keys = recording.redact
        what.secrets = try recording.secrets
        what.updates = recording.update
        what.writesThrough = writeThrough
        what.options = recording.routeOptions(scenario: "recording", into: into)
        var service = try DemoServer.serviceSettings(
            try DemoServer.settings(given: [listen, tls, control, drain, limits])
        )
        // A backend that never ends a response doesn't delay the files.
        service.drain = .seconds(5)
        let operations = try ServerOperations(service)
        operations.bootstrap()
        var configuration = MockConfiguration(formats: MockSite.formats)
        configuration.trust = try trust.servers
        let controls = MockControls(path: "/")
        configuration.observer = controls.journal
        configuration.allowRecording()
        let backend = MockBackend(configuration, logger: service.logger)
        guard let started = backend.record(url, what) else {
            throw ValidationError("'\(url)' can't be recorded: write a URL such as https://api.example.com/v1.")
        }
        do {
            try RecordingWriter(into).prepare()
        } catch {
            throw Arguments.failure(error.text)
        }
        let router = Router()
        operations.use(on: router)
        controls.use(on: router, for: backend, operations)
        router.mocks(backend)
        let probe = Task { [url] in
            if let problem = await backend.problem(of: url) { service.logger.warning("\(problem)") }
        }
        defer { probe.cancel() }
        let notes = ["recording \(url); Ctrl-C ends it and writes mock routes into \(into)"]
        var failure: (any Error)?
        do {
            try await operations.run(router, apps: [.init(name: "proxy", path: "/")], notes: notes)
        } catch {
            guard started.recorder.hasSeenSomething else { throw error }
            failure = error
        }
        try await end(started, of: backend)
        if let failure { throw failure }
    }

    /// Writes the recording, and prints a report.
    private func end(_ started: Recording, of backend: MockBackend) async throws {
        await started.recorder.settle()
        let stopped = backend.stopRecording()
        if stopped == nil { print("The recording was ended by a command, which has written its routes.") }
        if stopped == nil, recording.swiftTests == nil { return }
        let recorded = stopped ?? started
        guard recorded.recorder.hasSeenSomething else {
            return print("Nothing was recorded: no request came through the proxy.")
        }
        let report = recording.swiftTests == nil ? nil : try await Blocking.run { recorded.report() }
        var mishap: ExitCode?
        try await recording.write(
            test: report.map { ($0.exchanges, $0.pseudonyms) },
            routes: into,
            secrets: recorded.settings.secrets
        ) {
            guard stopped != nil else { return into }
            let outcome = try await Blocking.run { try recorded.finish() }
            for line in outcome.report.lines(into: outcome.folder ?? into) { print(line) }
            mishap = outcome.mishap.map {
                Arguments.failure("\($0)\nThe whole recording is in '\(outcome.folder ?? "")' instead.")
            }
            return outcome.folder
        }
        if let mishap { throw mishap }
    }
}
