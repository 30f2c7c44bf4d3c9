import Applin
import Backlot
import BacklotChecks
import BacklotMocks
import BacklotPreview
import BacklotRecording
import BacklotService
import DynamicViews
import Floki
import Logging
import Xpedite

/// A folder of mock routes, read and ready to be served.
struct MockSite: Sendable {
    /// The protocols of the pages and apps that files may hold: all.
    static let formats = AppProtocol.all.compactMap { $0.format() }
    /// A remark on the place where mocks keep their changes.
    static let stateRemark =
        "mock routes keep states, data, log-ins and clocks in the memory of this process: replicas share none of them"

    let backend: MockBackend
    let files: RouteFiles

    /// Reads the mocks of a folder; nil if no folder is named and the usual one doesn't exist.
    ///
    /// - Parameters:
    ///   - trust: the servers to trust when forwarding requests and calling webhooks.
    ///   - folder: the folder's path; nil for the usual folder, if it exists.
    ///   - path: the path that they are mounted at.
    ///   - observer: receives each response.
    /// - Throws: `StartupError` for a folder that doesn't exist, and for a broken file.
    static func load(
        _ options: MockOptions,
        trusting trust: ServerTrust = .system,
        from folder: String?,
        path: String,
        observer: (any MockObserver)? = nil,
        logger: Logger = Arguments.logger
    ) throws -> MockSite? {
        if folder == nil, !FolderLookup.exists(MockOptions.usualFolder) { return nil }
        var configuration = MockConfiguration(formats: formats, clock: options.now ?? .system)
        configuration.path = path
        configuration.seed = options.seed
        configuration.sharesState = options.sharedState
        configuration.stateKey = options.stateBy
        configuration.allowedWebhooks = try options.webhookAddresses
        configuration.trust = trust
        configuration.observer = observer
        configuration.allowRecording { exchanges, pseudonyms in
            var options = RecordedTests.Options()
            options.pseudonyms = pseudonyms
            options.routes = folder ?? MockOptions.usualFolder
            return await RecordedTests(exchanges, options: options).source
        }
        let backend = MockBackend(configuration, logger: logger)
        let files = try RouteFiles(folder ?? MockOptions.usualFolder, backend: backend)
        try files.load(keepsGoing: options.keepGoing)
        return MockSite(backend: backend, files: files)
    }

    /// Crawls the apps in the files, as their clients would.
    ///
    /// - Parameter clients: the versions to check pages for, in apps of their protocol.
    func checkApps(for clients: ClientSelection? = nil) async throws -> [CrawlReport] {
        let router = Router()
        router.mocks(backend)
        var reports: [CrawlReport] = []
        for app in backend.apps {
            // Clients of Floki begin at the version indicator; the others at the app's own path.
            let path = app.startPath
            var options = CrawlOptions()
            options.clients = try? clients?.speaking(app.appProtocol)
            reports.append(try await Crawl(router, at: path, as: app.appProtocol, options: options).report())
        }
        return reports
    }

    /// Serves files as they change, and shows their errors in preview.
    func watch(_ preview: Preview) async {
        backend.clocks.onChange { preview.contentChanged() }
        await files.watch {
            preview.contentChanged()
        } onProblems: { problems in
            preview.show(problems: problems.map(\.description))
        }
    }

    /// The lines about the mocks that the server prints once it accepts connections.
    var startUpLines: [StartUpLines.App] {
        let count = backend.stubs.count
        return [
            StartUpLines.App(name: "\(count) mock \(count == 1 ? "route" : "routes")", path: backend.configuration.path)
        ]
            + backend.apps.map { app in
                StartUpLines.App(
                    name: "mock routes, \(app.appProtocol.title)",
                    path: app.startPath
                )
            }
    }
}

/// The path of the demo's mock routes.
enum MockMount {
    /// The path of their base URL.
    static let path = "/mock/"
}

/// The treatment of broken mock routes, and the choice of random values and clients.
struct MockOptions: ParsableArguments {
    /// The folder to use without the option, if it exists.
    static let usualFolder = "Routes"

    static let noFolder = ValidationError(
        "The folder '\(usualFolder)' doesn't exist here: write --routes and the folder of your mock routes."
    )

    @Flag(help: "Serve the correct mock routes even if others are broken.")
    var keepGoing = false

    @Option(help: "The seed of random values in mock routes: the same number gives the same values.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The time that mock routes take for now, for tags, date matchers, sessions, feeds and drafts: 2026-12-24T18:00:00Z, or a span from now such as '+3 days'. PUT /__admin/clock changes it later.",
            valueName: "time"
        ),
        transform: Arguments.clock
    )
    var now: MockClock?

    @Flag(help: "Let all clients of mock routes share states and data, as WireMock does.")
    var sharedState = false

    @Option(
        help: ArgumentHelp(
            "The part of a request that distinguishes the clients of mock routes: cookie, or a header field such as Authorization. Each client has its own states and data. Without the option, settings.yaml in a folder of routes decides; by default it is the cookie.",
            valueName: "cookie|field"
        ),
        transform: { text in
            guard let key = StateKey(text) else {
                throw ValidationError("'\(text)' isn't a header field: write cookie, or a name such as Authorization.")
            }
            return key
        }
    )
    var stateBy: StateKey?

    @Option(
        help: ArgumentHelp(
            "The addresses that webhooks of mock routes may call, separated by commas: 127.0.0.1:9000,callbacks.example.com. Without the option, webhooks may not call any.",
            valueName: "host[:port],…"
        )
    )
    var allowWebhooks: String?

    /// Whether an option is given.
    var isGiven: Bool {
        keepGoing || seed != nil || now != nil || sharedState || stateBy != nil || allowWebhooks != nil
    }

    var webhookAddresses: [WebhookAddress] {
        get throws {
            try (allowWebhooks ?? "").split(separator: ",").map { part in
                let text = part.filter { $0 != " " }
                guard let address = WebhookAddress(text) else {
                    throw ValidationError(
                        "--allow-webhooks holds '\(text)': write a host, perhaps with a port, such as 127.0.0.1:9000."
                    )
                }
                return address
            }
        }
    }
}
