public import Backlot
internal import BacklotOTLP
public import BacklotPreview
internal import Logging

/// The parts that all servers share: health checks, metrics, administration, and the run from start to drain.
public struct ServerOperations: Sendable {
    /// The settings.
    public let settings: ServiceSettings
    /// The checks of `/readyz`.
    public let health: HealthChecks
    /// The metrics of `/metrics`.
    public let metrics = PrometheusMetrics()
    /// Sends spans, metrics and logs to the collector named by OTEL_EXPORTER_OTLP_ENDPOINT; nil without one.
    private let exporter: OTLPExporter?
    private let serverMetrics: ServerMetrics
    private let tls: TLSConfiguration?
    private let selfSigned: SelfSignedCertificates?
    /// The routes on the port for administration; nil without such a port.
    public let adminRouter: Router?

    /// Creates the parts of a server with these settings.
    ///
    /// - Parameter isServing: whether the server will run. If so, the process ignores SIGPIPE from now on. Otherwise this opens no
    ///   certificates, and sends nothing to the collector.
    /// - Throws: `TLSError` when its authority can't be used or made; ``SettingError`` when OpenTelemetry's environment variables
    ///   (`OTEL_…`) are wrong.
    public init(_ settings: ServiceSettings, isServing: Bool = true) throws {
        if isServing { StandardOutput.outliveReaders() }
        self.settings = settings
        health = HealthChecks(grace: settings.readyGrace)
        do throws(OTLPSettingsError) {
            let collector = try OTLPSettings(environment: settings.sources.environment, serviceName: settings.name)
            exporter = (isServing ? collector : nil).map { [metrics] in
                OTLPExporter($0, metrics: metrics, logger: settings.logger)
            }
        } catch {
            throw SettingError("\(error)")
        }
        var tls: TLSConfiguration?
        switch isServing ? settings.tls : .off {
        case .off: selfSigned = nil
        case .files(let certificates): (tls, selfSigned) = (TLSConfiguration(certificates: certificates), nil)
        case .selfSigned(let folder):
            let certificates = try SelfSignedCertificates(folder, host: settings.host)
            (tls, selfSigned) = (certificates.configuration, certificates)
        }
        tls?.clientCertificates = settings.clientCertificates
        self.tls = tls
        adminRouter = settings.adminPort.map { _ in Router() }
        serverMetrics = ServerMetrics(metrics)
        metrics.beforeReading { [serverMetrics] in await serverMetrics.update() }
        if let certificates = tls?.certificates {
            let label = "tls.certificate.expiry.timestamp.seconds"
            metrics.beforeReading { [weak metrics] in metrics?.set(label, to: Double(certificates.end)) }
            metrics.describe(label, "When the first certificate expires, in seconds since 1970 in UTC.")
        }
        metrics.describe("build.info", "The program's version and commit, as labels.")
        metrics.describe("http.server.request.duration", "The time that handlers take, by route and status.")
        metrics.describe("http.server.open_connections", "Open connections.")
        metrics.describe("http.server.active_requests", "Requests in flight.")
        metrics.describe("http.server.buffered.bytes", "Memory for slow clients.")
        metrics.describe(
            "http.server.refused.requests",
            "Requests and connections that no handler has seen, by reason."
        )
        metrics.describe("http.server.received.bytes", "Bytes from clients, heads included.")
        metrics.describe("log.dropped.lines", "Log lines that were dropped because the log was read too slowly.")
        metrics.describe("process.open.fds", "Open file descriptors.")
        metrics.describe("process.start.time.seconds", "The start of the server's process, since 1970 in UTC.")
        metrics.describe("session.store.duration", "The time that the store of the sessions takes, by operation.")
        metrics.describe("session.store.errors", "Operations that the store of the sessions has failed, by operation.")
        metrics.describe("sessions", "Sessions in the store.")
        metrics.describe("http.server.sent.bytes", "Bytes to clients, heads included.")
        metrics.describe("process.cpu.seconds", "Processor time of the server's process.")
        metrics.describe("process.resident.memory.bytes", "Memory of the server's process that is in use.")
    }

    /// The program's log. With a collector, it goes there too.
    var logger: Logger { exporter?.logger(besides: settings.logger) ?? settings.logger }

    /// Lets libraries and the app log in the same way, and shows their metrics, such as `Counter(label: "orders")`, at
    /// `/metrics`. With a collector, they also trace. Call it once, in a command that serves.
    public func bootstrap() {
        let log = { @Sendable [settings] (label: String) -> any LogHandler in settings.logger(label: label).handler }
        guard let exporter else {
            LoggingSystem.bootstrap(log)
            metrics.bootstrap()
            return
        }
        exporter.bootstrap(log: log)
    }

    /// Adds the middlewares that see every request, and /healthz, /readyz, /metrics and /__tls. Call it before adding other
    /// middlewares.
    public func use(on router: Router) {
        var logger = logger
        // Failed requests are logged as warnings or errors. That logger no longer follows the threshold.
        if !settings.hasAccessLog { logger.logLevel = max(logger.logLevel, .warning) }
        router.use(Telemetry(logger: logger, metrics: metrics, tracer: exporter?.tracer))
        if let cors = settings.cors { router.use(cors) }
        selfSigned?.use(on: router)
        router.use(commands(settings.access))
        adminRouter?.use(commands(settings.ownAccess))
        // The text is the one from the reference's example.
        router.health(health, alive: "success")
        if let adminRouter {
            adminRouter.health(health)
            adminRouter.metrics(metrics, nil)
        } else {
            router.metrics(metrics, settings.access)
        }
    }

    private func commands(_ access: LocalAccess) -> ServerCommands {
        ServerCommands(access: access, threshold: settings.logLevel, logger: logger)
    }

    /// Checks the store of the sessions: while it can't be reached, the server isn't ready.
    public func watch(_ sessions: any SessionStore) {
        health.add("sessions") { try await sessions.check() }
        let sessionMetrics = SessionMetrics(of: sessions, metrics)
        metrics.beforeReading { await sessionMetrics.update() }
    }

    /// Serves until the process gets SIGINT or SIGTERM, and prints its addresses. When certificates change, and at a SIGHUP, it
    /// reads them again, and so it does with the log level of `.env`. The ports for administration and for redirects open before
    /// the main port and close after it, so that /readyz and /metrics work to the end.
    ///
    /// - Parameters:
    ///   - apps: the apps to list in the printed lines.
    ///   - notes: further lines for people.
    ///   - preview: the router's preview: the lines say how to open it.
    public func run(
        _ router: Router,
        apps: [StartUpLines.App],
        notes: [String] = [],
        preview: Preview? = nil
    ) async throws {
        let redirects = RedirectServer()
        var configuration = settings.configuration
        configuration.tls = tls
        var server = Server(
            router,
            host: settings.host,
            port: settings.port,
            configuration: configuration,
            logger: logger
        ) { [tls, selfSigned, settings] address in
            let isTerminal = StandardOutput.isTerminal
            redirects.lead(to: address.port)
            let redirectLine = redirects.address.map { "redirects http clients to https: http://\($0)/" }
            let lines = StartUpLines(
                address: address,
                isSecure: tls != nil,
                apps: apps,
                notes: notes + [redirectLine].compactMap(\.self),
                trust: selfSigned?.lines(address, isTerminal: isTerminal) ?? [],
                entrance: preview == nil ? .none : settings.entrance,
                isTerminal: isTerminal
            ).lines
            StandardOutput.print(lines.joined(separator: "\n"))
            ServiceManager.ready.tell()
        }
        server.onRunning = { [serverMetrics] in serverMetrics.observe($0) }
        server.onStopping = { [health] in
            ServiceManager.stopping.tell()
            health.stop()
        }
        let watching = tls.map { tls in
            Task { [logger, selfSigned] in
                await tls.certificates.watch(
                    logger: logger,
                    renew: { try selfSigned?.renew() },
                    check: { try selfSigned?.check() }
                )
            }
        }
        let reloading = Task { [settings, logger, hangUps = ServiceSettings.hangUps()] in
            await settings.reload(at: hangUps, logger)
        }
        let warning = tls.map { tls in Task { [logger] in await Self.warn(of: tls.certificates, logger) } }
        defer {
            warning?.cancel()
            watching?.cancel()
            reloading.cancel()
        }
        let others = [adminServer, settings.redirectPort.map { redirects.server(settings, port: $0, logger) }]
        let serve = { @Sendable [server] in try await server.run(inside: others.compactMap(\.self)) }
        if let exporter { try await exporter.run(serve) } else { try await serve() }
    }

    /// Warns once a day if a certificate expires soon, until the task is cancelled.
    private static func warn(of certificates: TLSCertificates, _ logger: Logger) async {
        while !Task.isCancelled {
            if let warning = certificates.expiryWarning(at: HTTPDate.now.secondsSince1970) {
                logger.warning("\(warning)")
            }
            try? await Task.sleep(for: .seconds(86_400))
        }
    }

    /// The server on the port for administration, which uses http; nil without such a port.
    private var adminServer: Server? {
        guard let adminRouter, let adminPort = settings.adminPort else { return nil }
        var configuration = ServerConfiguration()
        // Administration has no responses that are worth waiting for.
        configuration.timeouts.drainIdle = .zero
        return Server(
            adminRouter,
            host: settings.adminHost,
            port: adminPort,
            configuration: configuration,
            logger: logger
        ) { address in
            StandardOutput.print("administration: http://\(address)/metrics")
        }
    }
}
