import ArgumentParser
import Backlot
import BacklotMocks
import BacklotPreview
import BacklotService
import Floki

@main
enum Program {
    /// Refuses commands that there aren't, which ArgumentParser would take for arguments of the default one, and runs the others.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let mistake = CommandMistake.text(arguments, of: DemoServer.self) {
            StandardError.print("Error: \(mistake)")
            DemoServer.exit(withError: ExitCode.validationFailure)
        }
        await DemoServer.main(arguments)
    }
}

/// A server for trying mobile clients by hand.
struct DemoServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Serves the demo apps of Backlot, for trying clients against.",
        discussion: """
            Without a subcommand it serves, at http://127.0.0.1:8080/ unless --host and --port say otherwise. \
            'demo-server help serve' lists all options.

            What 'demo-server config' lists can also be set by variables of the environment, or in a file .env of the current \
            folder: --drain-delay is DRAIN_DELAY there. Options count before the environment, and that before .env.
            """,
        version: BacklotVersion.current,
        subcommands: [
            Serve.self, Mock.self, RouteList.self, Check.self, Judge.self, SwiftCommand.self, Views.self,
            ConfigReport.self, Health.self,
            TLSCommand.self,
            SchemaCommand.self, NewRoutes.self, Record.self, ImportCommand.self, MocksCommand.self, Screenshots.self,
            Completions.self, Manual.self,
        ],
        defaultSubcommand: Serve.self
    )
}

/// `demo-server serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves until it gets SIGINT or SIGTERM, then finishes what is in flight."
    )

    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var folders: FolderOptions
    @OptionGroup var mocks: MockOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var floki: FlokiOptions

    /// The demo in each dialect and protocol.
    private static let apps =
        DemoMount.all.map { StartUpLines.App(name: "Applin, \($0.description)", path: $0.path) }
        + [
            StartUpLines.App(name: "Xpedite", path: CustomerApp.path),
            StartUpLines.App(name: "Floki", path: GazetteApp.indicatorPath),
            StartUpLines.App(name: "Dynamic Views", path: ShopApp.path),
        ]

    func run() async throws {
        let settings = try await DemoSettings(listen, tls, folders, control, drain, sessions, floki)
        let service = settings.service
        service.bootstrapLogging()
        let operations = try Operations(service)
        let router = Router()
        operations.use(on: router)
        let controls = MockControls(path: MockMount.path)
        let site = try MockSite.load(
            mocks,
            trusting: try trust.servers,
            from: settings.routes,
            path: MockMount.path,
            observer: controls.journal,
            logger: service.logger
        )
        if let site { controls.use(on: router, for: site.backend, operations) }
        router.use(Compression())
        router.use(Decompression())
        var stores = DemoStores()
        stores.flokiRecord = settings.flokiRecord.map { RecordFile($0) }
        stores.sessions = try service.sessions.open(service.logger)
        operations.watch(stores.sessions)
        DemoCatalogue.register(on: router, stores: stores)
        if let site { router.mocks(site.backend) }
        if let folder = settings.publicFolder { router.files(folder) }
        if let site { router.explainMismatches(of: site.backend) }
        let preview = router.preview(service.access)
        controls.show(in: preview)
        let watching = site.map { site in
            Task { await site.watch(preview) }
        }
        defer { watching?.cancel() }
        let apps = Self.apps + (site.map(\.startUpLines) ?? [])
        try await operations.run(router, apps: apps, notes: ["sessions: \(service.sessions)"], preview: preview)
        await stores.photos.removeAll()
    }
}
