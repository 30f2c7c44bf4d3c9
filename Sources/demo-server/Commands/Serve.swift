public import ArgumentParser
import Backlot
public import Logging

/// `demo-server serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves until it gets SIGINT or SIGTERM, then finishes what is in flight."
    )

    @Option(
        help: ArgumentHelp(
            "The address to listen on; 0.0.0.0 for every network interface.",
            discussion: "Without the option: the environment's HOST, or else 127.0.0.1."
        )
    )
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The port to listen on; 0 takes a free one.",
            discussion: "Without the option: the environment's PORT, or else 8080."
        )
    )
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "For how long new connections are still accepted after SIGINT or SIGTERM, in seconds.",
            discussion: "Meanwhile /readyz answers 503, so that a load balancer can notice."
        )
    )
    var drainDelay = 0.0

    @Option(help: "What to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    @Option(name: .customLong("public"), help: "The folder whose files are served where no page is.")
    var publicFolder = "Public"

    func validate() throws {
        guard (0...3600).contains(drainDelay) else {
            throw ValidationError("--drain-delay is \(drainDelay): write a number of seconds from 0 to 3600.")
        }
    }

    func run() async throws {
        var logger = Logger(label: "demo-server", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel
        let readiness = Readiness()
        let router = Router()
        router.use(Compression())
        router.use(Decompression())
        readiness.register(on: router)
        let stores = DemoStores()
        DemoCatalogue.register(on: router, stores: stores)
        router.files(publicFolder)
        let settings = try ListenSettings(host: host, port: port)
        var configuration = ServerConfiguration()
        configuration.timeouts.drainDelay = Int64(drainDelay * 1000)
        var server = Server(
            router,
            host: settings.host,
            port: settings.port,
            configuration: configuration,
            logger: logger
        ) { address in
            StartUpLines(address: address).print()
        }
        server.onStopping = { readiness.end() }
        try await server.run()
        await stores.photos.removeAll()
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
