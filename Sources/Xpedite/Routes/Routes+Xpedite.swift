public import Backlot
import Logging

extension Routes {
    /// Mounts an Xpedite app: one address for all its packets.
    ///
    /// ```swift
    /// router.xpedite("/xpedite", version: 1) { app in
    ///     app.connect { device in page("Home") { button("Customers").method("customers") } }
    ///     app.method("customers") { call in page("Customers") { table("listCustomers") { cell("name") } } }
    ///     app.table("listCustomers") { offset, limit, call in try await customers.rows(from: offset, limit: limit) }
    /// }
    /// ```
    /// - Parameters:
    ///   - path: the address of the app, for the clients' POST requests.
    ///   - version: the app's version. When it rises, clients drop the pages and navigations that they keep.
    ///   - sessions: the store of sessions. The token in each packet identifies the session; cookies aren't used.
    ///   - configuration: settings such as the lifetime of sessions, and the readings of the reference's gaps.
    ///   - register: adds the app's first page, methods and tables.
    public func xpedite(
        _ path: String = "/xpedite",
        version: Int,
        sessions: any SessionStore = MemorySessionStore(),
        configuration: XpediteConfiguration = XpediteConfiguration(),
        file: String = #fileID,
        line: Int = #line,
        _ register: (XpediteApp) -> Void
    ) {
        let source = CodeLocation(file: file, line: line)
        let logger = Logger(label: "backlot.xpedite")
        let app = XpediteApp { report($0, $1) }
        register(app)
        let table = app.takeTable()
        if table.connect == nil {
            report("the app at \(path) has no first page: write app.connect { device in … }", source)
        }
        guard configuration.sessionLifetime >= .seconds(1) else {
            return report("sessionLifetime is \(configuration.sessionLifetime): write at least 1 second", source)
        }
        var life = SessionConfiguration()
        // An instant can't hold the end of a session that lives for centuries.
        life.idleTimeout = min(configuration.sessionLifetime, Self.longestLife)
        life.anonymousTimeout = life.idleTimeout
        life.absoluteTimeout = Self.longestLife
        life.clock = configuration.clock
        life.maximumBytes = 128 * 1024 + configuration.formLimit
        let limits = configuration.sessionLimits
        guard limits.perDevice >= 1, limits.perAddress >= 1 else {
            return report("sessionLimits has \(limits.perDevice) and \(limits.perAddress): write at least 1", source)
        }
        let handler = ExchangeHandler(
            table: table,
            sessions: TokenSessions(mount: basePath + path, store: sessions, configuration: life, logger: logger),
            sender: PageSender(
                version: version,
                configuration: configuration,
                table: table,
                logger: logger
            ),
            devices: DeviceSessions(device: limits.perDevice, address: limits.perAddress),
            configuration: configuration,
            logger: logger
        )
        var route = Route(.post, path, handler: handler, source: source)
        route.respondsToUnknownCodings = true
        add(route)
        let whole = basePath + path
        add(
            MountedApp(
                .xpedite,
                basePath: whole,
                facts: ["offset": configuration.readings.offsetKeys.first ?? "offset"],
                inspector: XpediteInspector(
                    facts: XpediteFacts(methods: table.names),
                    readings: configuration.rules
                ),
                sessions: AppSessions(tokensOf: whole, in: sessions)
            ) { $0 == whole }
        )
    }

    /// A century, in seconds.
    private static var longestLife: Duration { .days(100 * 365) }
}
