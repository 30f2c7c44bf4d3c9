public import Backlot
internal import BacklotOTLP
public import BacklotPreview
internal import Logging

/// The parts that every server has: health checks, metrics, administration, and its run from start to drain.
public struct ServerOperations: Sendable {
    /// The settings.
    public let settings: ServiceSettings
    /// What `/readyz` asks.
    public let health: HealthChecks
    /// What `/metrics` shows.
    public let metrics = PrometheusMetrics()
    /// Sends spans, metrics and logs to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names; nil without one.
    private let exporter: OTLPExporter?
    private let serverMetrics: ServerMetrics
    private let tls: TLSConfiguration?
    private let selfSigned: SelfSignedCertificates?
    /// Answers on the port for administration; nil without such a port.
    public let adminRouter: Router?

    /// The parts of a server with these settings.
    ///
    /// - Parameter isServing: whether the server is going to run. Otherwise it opens no certificates, and sends nothing.
    /// - Throws: `TLSError` when its authority can't be used, or can't be made; ``SettingError`` when OpenTelemetry's variables
    ///   of the environment (`OTEL_…`) are wrong.
    public init(_ settings: ServiceSettings, isServing: Bool = true) throws {
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
        metrics.describe("http.server.request.duration", "The time that handlers take, by route and status.")
        metrics.describe("http.server.open_connections", "Open connections.")
        metrics.describe("http.server.active_requests", "Requests in flight.")
        metrics.describe("http.server.buffered.bytes", "Memory for slow clients.")
        metrics.describe("http.server.received.bytes", "Bytes from clients, heads included.")
        metrics.describe("log.dropped.lines", "Lines of the log that were dropped, since it was read too slowly.")
        metrics.describe("process.open.fds", "Open file descriptors.")
        metrics.describe("process.start.time.seconds", "The start of the server's process, since 1970 in UTC.")
        metrics.describe("sessions", "Sessions in the store.")
        metrics.describe("http.server.sent.bytes", "Bytes to clients, heads included.")
        metrics.describe("process.cpu.seconds", "Processor time of the server's process.")
        metrics.describe("process.resident.memory.bytes", "Memory of the server's process that is in use.")
    }

    /// The program's log. It is sent to the collector too, where there is one.
    var logger: Logger { exporter?.logger(besides: settings.logger) ?? settings.logger }

    /// Lets libraries and the app log in the same way, and shows their metrics, such as `Counter(label: "orders")`, at `/metrics`. Where there is a
    /// collector, they trace too. A command that serves calls it once.
    public func bootstrap() {
        let log = { @Sendable [settings] (label: String) -> any LogHandler in settings.logger(label: label).handler }
        guard let exporter else {
            LoggingSystem.bootstrap(log)
            metrics.bootstrap()
            return
        }
        exporter.bootstrap(log: log)
    }

    /// Adds the middlewares that see every request, and /healthz, /readyz, /metrics and /__tls. Call it before other middlewares are
    /// added.
    public func use(on router: Router) {
        var logger = logger
        // Requests that fail are logged as warnings or errors. That logger no longer follows the threshold.
        if !settings.hasAccessLog { logger.logLevel = max(logger.logLevel, .warning) }
        router.use(Telemetry(logger: logger, metrics: metrics, tracer: exporter?.tracer))
        if let cors = settings.cors { router.use(cors) }
        selfSigned?.use(on: router)
        router.use(commands(settings.access))
        adminRouter?.use(commands(settings.ownAccess))
        // The text is the one in the reference's example.
        router.health(health, alive: "success")
        if let adminRouter {
            adminRouter.health(health)
            adminRouter.metrics(metrics, nil)
        } else {
            router.metrics(metrics, settings.access)
        }
    }

    private func commands(_ access: LocalAccess) -> ServerCommands {
        ServerCommands(access: access, threshold: settings.logLevel, logger: settings.logger)
    }

    /// Watches the store of the sessions: while it can't be reached, the server isn't ready.
    public func watch(_ sessions: any SessionStore) {
        health.add("sessions") { try await sessions.check() }
        let sessionMetrics = SessionMetrics(of: sessions, metrics)
        metrics.beforeReading { await sessionMetrics.update() }
    }

    /// Serves until the process gets SIGINT or SIGTERM, and prints where. Certificates are read again when their files
    /// change, and at a SIGHUP, and so is the log level of `.env`. The ports for administration and for redirects
    /// open before the other and close after it, so that /readyz and /metrics can be asked to the end.
    ///
    /// - Parameters:
    ///   - apps: the apps, for the lines that are printed.
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
            let redirectLine = redirects.address.map { "sends clients of http on to https: http://\($0)/" }
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
        let reloading = Task { [settings, hangUps = ServiceSettings.hangUps()] in await settings.reload(at: hangUps) }
        let warning = tls.map { tls in Task { [logger] in await Self.warn(of: tls.certificates, logger) } }
        defer {
            warning?.cancel()
            watching?.cancel()
            reloading.cancel()
        }
        let others = [adminServer, settings.redirectPort.map { redirects.server(settings, port: $0) }]
        let serve = { @Sendable [server] in try await server.run(inside: others.compactMap(\.self)) }
        if let exporter { try await exporter.run(serve) } else { try await serve() }
    }

    /// Warns once a day of a certificate that expires soon, until the task is cancelled.
    private static func warn(of certificates: TLSCertificates, _ logger: Logger) async {
        while !Task.isCancelled {
            if let warning = certificates.expiryWarning(at: HTTPDate.now.secondsSince1970) {
                logger.warning("\(warning)")
            }
            try? await Task.sleep(for: .seconds(86_400))
        }
    }

    /// The server on the port for administration, which speaks http; nil without such a port.
    private var adminServer: Server? {
        guard let adminRouter, let adminPort = settings.adminPort else { return nil }
        var configuration = ServerConfiguration()
        // Administration has no answers worth waiting for.
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
