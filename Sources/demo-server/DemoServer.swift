import Backlot
import BacklotMocks
import BacklotPostgreSQL
import BacklotRedis
import BacklotSQLite
import BacklotService
import Floki
import FlokiPostgreSQL
import FlokiSQLite
import Logging

/// A server for trying mobile clients by hand.
@main
struct DemoServer: ServerApp {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Serves the demo apps of Backlot, to try clients with.",
        version: "\(BacklotVersion.current) (\(DemoFiles.commit))",
        subcommands: [
            New.self, Mock.self, RouteList.self, Check.self, DiffCommand.self, ExploreCommand.self, LoadCommand.self,
            JudgeCommand.self, SwiftCommand.self, Views.self, A2UICommand.self,
            SchemaCommand.self,
            NewRoutes.self, FlokiCommand.self, Record.self, ImportCommand.self, MocksCommand.self, Screenshots.self,
            Completions.self,
            Manual.self,
        ]
    )

    static let buildInfo = ["version": BacklotVersion.current, "commit": DemoFiles.commit]
    static let sessionStores: [SessionStoreKind] = [.memory, .sqlite, .postgreSQL, .redis]
    /// The kinds of stores that `--feeds` may name.
    static let feedStores: [FeedStoreKind] = [
        .memory, .sqlite, .postgreSQL(configurations: ["en": "english", "es": "spanish"]),
    ]
    static let settings = DemoSettings.all
    /// None, since the middlewares of mocks must come before compression.
    static let middlewares: [any Middleware] = []

    @OptionGroup var folders: FolderOptions
    @OptionGroup var mocks: MockOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var floki: FlokiOptions

    var given: [String: String] { [folders, floki].given }

    static func checkSettings(_ sources: SettingSources) throws {
        _ = try DemoSettings(sources)
    }

    static func remarks(_ sources: SettingSources) -> [String] {
        let hasMocks = sources.text(DemoSettings.routes) != nil || FolderLookup.exists(MockOptions.usualFolder)
        return hasMocks ? [MockSite.stateRemark] : []
    }

    /// The demo in each dialect and protocol.
    private static let apps =
        DemoMount.all.map { StartUpLines.App(name: "Applin, \($0.description)", path: $0.path) }
        + [
            StartUpLines.App(name: "Xpedite", path: CustomerApp.path),
            StartUpLines.App(name: "Floki", path: NewspaperApp.indicatorPath),
            StartUpLines.App(name: "Dynamic Views", path: ShopApp.path),
            StartUpLines.App(name: "A2UI", path: AssistantApp.path),
        ]

    func routes(_ router: Router, _ service: AppContext) async throws {
        let settings = try service.read { try DemoSettings($0) }
        let controls = MockControls(path: MockMount.path)
        let site = try MockSite.load(
            mocks,
            trusting: try trust.servers,
            from: settings.routes,
            path: MockMount.path,
            observer: controls.journal,
            logger: service.logger
        )
        if let site {
            controls.use(on: router, for: site.backend, service.operations)
            if service.isServing { service.logger.notice("\(MockSite.stateRemark)") }
        }
        router.use(Compression())
        router.use(Decompression())
        var stores = DemoStores()
        if service.isServing {
            let store = MeasuredFeedStore(try settings.feeds.open(service.logger), service.metrics)
            stores.newspaper = NewspaperApp(store: store)
            service.metrics.describe("feed.store.duration", "The time that the store of the feeds takes, by operation.")
            service.metrics.describe(
                "feed.store.errors",
                "Operations that the store of the feeds has failed, by operation."
            )
        }
        stores.flokiRecord = settings.flokiRecord.map { RecordFile($0) }
        stores.desk = EditorAccess(settings, isServing: service.isServing)
        stores.sessions = service.sessions
        DemoCatalogue.register(on: router, stores: stores)
        if let site { router.mocks(site.backend) }
        if let folder = settings.publicFolder { router.files(folder) }
        service.whilePreviewing { controls.show(in: $0) }
        if let site {
            router.explainMismatches(of: site.backend)
            service.whilePreviewing { await site.watch($0) }
        }
        await keepAlive(stores, settings, service)
        service.show(Self.apps + (site.map(\.startUpLines) ?? []))
        service.afterServing { [photos = stores.photos, feeds = stores.newspaper.news.store] in
            await photos.removeAll()
            await feeds.close()
        }
    }

    /// The newspaper's work besides responding: it publishes stories, and reports breaking news.
    private func keepAlive(_ stores: DemoStores, _ settings: DemoSettings, _ service: AppContext) async {
        let newspaper = stores.newspaper
        guard service.isServing else { return }
        service.health.add("feeds") { [store = newspaper.news.store] in _ = try await store.record(of: "/") }
        let wire = NewspaperPublisher(app: newspaper, hasReports: settings.wire, logger: service.logger)
        await wire.begin()
        service.whileServing { await wire.run() }
        if let url = settings.breakingHook {
            let (hook, logger) = (BreakingHook(url: url), service.logger)
            service.whileServing { await newspaper.news.onBreaking(logger: logger) { try await hook.send($0) } }
        }
        service.note("feeds: \(settings.feeds)")
        service.note(stores.desk.note)
    }
}
