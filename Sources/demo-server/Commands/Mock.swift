import Backlot
import BacklotMocks
import BacklotPreview
import BacklotRecording
import BacklotService
import Logging

/// `demo-server mock`
struct Mock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves mock routes alone, at /.",
        discussion: """
            Each file below --routes is a route, and its path is the URL: home.page.json is an Applin page, save.rpc.yaml an \
            rpc, users/[id].get.json a plain response. A saved file is live within a second. Commands to the running server are at \
            /__admin, as in WireMock.
            """
    )

    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var folders: FolderOptions
    @OptionGroup var mocks: MockOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var limits: LimitOptions

    @Option(
        help: ArgumentHelp(
            "The treatment of requests without a route: record=http://127.0.0.1:9000 forwards them to that backend, and records its responses as routes.",
            valueName: "record=url"
        )
    )
    var onMiss: String?

    /// The backend that gets the requests without a route; nil without one.
    private var missURL: String? {
        get throws {
            guard let onMiss else { return nil }
            guard onMiss.hasPrefix("record=") else { throw Self.badMiss(onMiss) }
            return String(onMiss.dropFirst("record=".count))
        }
    }

    private static func badMiss(_ text: String) -> ValidationError {
        ValidationError(
            "--on-miss is '\(text)': write record= and the URL of a backend, such as record=http://127.0.0.1:9000."
        )
    }

    func run() async throws {
        let missURL = try missURL
        let sources = try DemoServer.settings(given: [listen, tls, folders, control, drain, limits])
        let (service, settings) = (try DemoServer.serviceSettings(sources), try DemoSettings(sources))
        let operations = try ServerOperations(service)
        operations.bootstrap()
        let router = Router()
        operations.use(on: router)
        let controls = MockControls(path: "/")
        guard
            let site = try MockSite.load(
                mocks,
                trusting: try trust.servers,
                from: settings.routes,
                path: "/",
                observer: controls.journal,
                logger: service.logger
            )
        else {
            throw MockOptions.noFolder
        }
        controls.use(on: router, for: site.backend, operations)
        service.logger.notice("\(MockSite.stateRemark)")
        router.use(Compression())
        router.use(Decompression())
        router.mocks(site.backend)
        // The demo's folder isn't meant for mocks.
        if settings.isPublicFolderNamed, let folder = settings.publicFolder { router.files(folder) }
        var captured: Recording?
        if let missURL {
            let capture = RecordingOptions.capturing(into: settings.routes ?? MockOptions.usualFolder)
            captured = router.capture(missURL, for: site.backend, capture)
            guard captured != nil else { throw Self.badMiss("record=\(missURL)") }
        }
        router.explainMismatches(of: site.backend)
        let preview = router.preview(service.access)
        controls.show(in: preview)
        let watching = Task { await site.watch(preview) }
        defer { watching.cancel() }
        try await operations.run(router, apps: site.startUpLines, preview: preview)
        // The last exchanges may not be written yet.
        await captured?.recorder.settle()
        guard let captured, captured.recorder.hasSeenSomething else { return }
        do {
            try await Blocking.run { _ = try captured.write() }
        } catch let mistake as RecordingWriter.WritingError {
            throw Arguments.failure(mistake.text)
        }
    }
}

/// The controls of mocks while they are served: commands at `/__admin`, faults on demand, and a journal.
struct MockControls {
    /// The observer for the backend's configuration.
    let journal: Journal
    /// The faults that clients have requested.
    let faults = FaultBoard()
    private let preview = Locked<Preview?>(nil)

    /// - Parameter path: the path that the mocks are mounted at.
    init(path: String) {
        journal = Journal(path: path)
    }

    /// Puts commands and faults before a router's responses. Call it before you add other middlewares.
    ///
    /// Requested faults only hit requests below the mocks' path, so that a load balancer's readiness checks don't use them up.
    ///
    /// - Parameter backend: the mocks.
    func use(on router: Router, for backend: MockBackend, _ operations: ServerOperations) {
        let settings = operations.settings
        let (journal, preview) = (journal, preview)
        // Faults and delays are for the page's requests.
        let isPreviews: @Sendable (Request) -> Bool = { request in preview.withLock { $0 }?.isOwn(request) ?? false }
        var admin = MockAdmin(backend, journal: journal, faults: faults, access: settings.access)
        admin.isExempt = isPreviews
        router.use(admin)
        operations.adminRouter?.use(admin.admitting(settings.ownAccess))
        let injection = FaultInjection(faults, access: settings.access, exempt: ["/__preview"]) {
            journal.responded($0, $1, $2)
            preview.withLock { $0 }?.responded($0, $2)
        }
        router.use(BelowPath(path: backend.configuration.path, middleware: injection, isExempt: isPreviews))
    }

    /// Shows faults in preview's log too.
    func show(in preview: Preview) { self.preview.withLock { $0 = preview } }
}

/// A middleware that only sees requests below a path.
private struct BelowPath: Middleware {
    /// The path; it begins and ends with a slash.
    let path: String
    let middleware: any Middleware
    /// Whether it doesn't see a request all the same.
    let isExempt: @Sendable (Request) -> Bool

    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.hasPath(beginningWith: path), !isExempt(request) else { return try next.respond(to: request) }
        return try middleware.respond(to: request, next: next)
    }
}
