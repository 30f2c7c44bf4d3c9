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
    /// The protocols whose pages and apps files may hold: all.
    static let formats = AppProtocol.all.compactMap { $0.format() }

    let backend: MockBackend
    let files: RouteFiles

    /// Reads the mocks of a folder; nil when no folder is named and the usual one is missing.
    ///
    /// - Parameters:
    ///   - trust: the servers that requests are sent on to, and that webhooks call.
    ///   - folder: where they are; nil for the usual folder, if it is there.
    ///   - path: what they are mounted at.
    ///   - observer: receives each answer.
    /// - Throws: `StartupError` when there is no such folder, or a file is broken.
    static func load(
        _ options: MockOptions,
        trusting trust: ServerTrust = .system,
        from folder: String?,
        path: String,
        observer: (any MockObserver)? = nil,
        logger: Logger = Arguments.logger
    ) throws -> MockSite? {
        if folder == nil, !FolderLookup.exists(MockOptions.usualFolder) { return nil }
        var configuration = MockConfiguration(formats: formats)
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
        try files.load(keepGoing: options.keepGoing)
        return MockSite(backend: backend, files: files)
    }

    /// Goes through the apps that files make up, as clients would.
    ///
    /// - Parameter clients: the versions that pages are judged for, of those apps whose protocol they speak.
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

    /// Serves files as they change, and shows in preview what is wrong with them.
    func watch(_ preview: Preview) async {
        await files.watch {
            preview.contentChanged()
        } onProblems: { problems in
            preview.show(problems: problems.map(\.description))
        }
    }

    /// The lines about them that the server prints once it accepts connections.
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

/// The place of the demo's mock routes.
enum MockMount {
    /// The path of their base URL.
    static let path = "/mock/"
}

/// How to treat broken mock routes, and how to make random values.
struct MockOptions: ParsableArguments {
    /// The folder that is taken without the option, if it is there.
    static let usualFolder = "Routes"

    static let noFolder = ValidationError(
        "There is no folder '\(usualFolder)' here: write --routes and the folder of your mock routes."
    )

    @Flag(help: "Serve the mock routes that are in order, where others are broken.")
    var keepGoing = false

    @Option(help: "The seed of random values in mock routes: the same number gives the same values.")
    var seed: UInt64?

    @Flag(help: "Let all clients of mock routes share states and data, as WireMock does.")
    var sharedState = false

    @Option(
        help: ArgumentHelp(
            "The part of a request that tells the clients of mock routes apart, each with its own states and data: cookie, or a header field such as Authorization. Without the option, settings.yaml in a folder of routes says it, and otherwise the cookie does.",
            valueName: "cookie|field"
        ),
        transform: { text in
            guard let key = StateKey(text) else {
                throw ValidationError("'\(text)' is no header field: write cookie, or a name such as Authorization.")
            }
            return key
        }
    )
    var stateBy: StateKey?

    @Option(
        help: ArgumentHelp(
            "The addresses that webhooks of mock routes may call, with commas between them: 127.0.0.1:9000,callbacks.example.com. None without the option.",
            valueName: "host[:port],…"
        )
    )
    var allowWebhooks: String?

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
