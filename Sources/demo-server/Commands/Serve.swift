import ArgumentParser
import Backlot
import BacklotMocks
import Logging

/// `demo-server serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves until it gets SIGINT or SIGTERM, then finishes what is in flight."
    )

    @OptionGroup var listen: ListenOptions

    @Option(
        help: ArgumentHelp(
            "For how long new connections are still accepted after SIGINT or SIGTERM, in seconds.",
            discussion: "Meanwhile /readyz answers 503, so that a load balancer can notice."
        )
    )
    var drainDelay = 0.0

    @Option(name: .customLong("public"), help: "The folder whose files are served where no page is.")
    var publicFolder = "Public"

    @Option(
        help: ArgumentHelp(
            "Where sessions are kept: memory, sqlite:PATH, or redis://[:PASSWORD@]HOST:PORT/DB.",
            discussion: "Without the option: in a file of SQLite below ~/.local/state, so that they survive a restart."
        )
    )
    var sessions: String?

    @OptionGroup var mocks: MockOptions

    @OptionGroup var control: MockControlOptions

    func validate() throws {
        guard (0...3600).contains(drainDelay) else {
            throw ValidationError("--drain-delay is \(drainDelay): write a number of seconds from 0 to 3600.")
        }
        _ = try sessionStoreChoice
    }

    /// Where sessions are kept.
    private var sessionStoreChoice: SessionStoreChoice {
        get throws {
            guard let sessions else { return .usual() }
            do throws(SessionStoreChoiceError) {
                return try SessionStoreChoice(sessions)
            } catch {
                throw ValidationError("--sessions: \(error).")
            }
        }
    }

    func run() async throws {
        let logger = listen.logger
        let settings = try ListenSettings(host: listen.host, port: listen.port)
        let controls = try MockControls(control, path: MockMount.path, host: settings.host)
        let site = try MockSite.load(mocks, path: MockMount.path, observer: controls.journal, logger: logger)
        let readiness = Readiness()
        let router = Router()
        controls.use(on: router, for: site?.backend)
        router.use(Compression())
        router.use(Decompression())
        readiness.register(on: router)
        let choice = try sessionStoreChoice
        var stores = DemoStores()
        stores.sessions = try choice.makeStore(logger: logger)
        DemoCatalogue.register(on: router, stores: stores)
        if let site { router.mocks(site.backend) }
        router.files(publicFolder)
        if let site { router.explainMismatches(of: site.backend) }
        var configuration = ServerConfiguration()
        configuration.timeouts.drainDelay = Int64(drainDelay * 1000)
        var server = Server(
            router,
            host: settings.host,
            port: settings.port,
            configuration: configuration,
            logger: logger
        ) { address in
            let apps = StartUpLines.demo + (site.map(\.startUpLines) ?? [])
            StartUpLines(address: address, apps: apps, notes: ["sessions: \(choice)"]).print()
        }
        server.onStopping = { readiness.end() }
        let watching = site.map { site in Task { await site.files.watch() } }
        defer { watching?.cancel() }
        try await server.run()
        await stores.photos.removeAll()
    }
}
