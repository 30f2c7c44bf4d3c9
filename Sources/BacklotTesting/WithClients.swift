public import Backlot
@_exported public import BacklotClients
internal import Logging

/// How a client in a test reaches the backend.
public enum ClientReach: String, Sendable, CaseIterable {
    /// By calls in this process.
    case inProcess
    /// Over a socket: the backend is served on a free port while the test runs.
    case socket
}

/// Calls a test's body with a client of an Applin app, and ends the server after it where there is one.
///
/// ```swift
/// @Test(arguments: ClientReach.allCases)
/// func signUp(reach: ClientReach) async throws {
///     try await withApplinClient(makeRouter(), over: reach) { app in
///         try await app.launch()
///         …
///     }
/// }
/// ```
/// - Parameters:
///   - router: has the app's routes.
///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
///   - reach: how the client reaches it.
///   - client: the version to behave as, such as `"0.31"`; nil for the newest that speaks the app's dialect.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: what `body` throws; `StartupError`, which lists the mistakes in what was registered.
public func withApplinClient<Result>(
    _ router: Router,
    at basePath: String = "/",
    over reach: ClientReach = .inProcess,
    client: ClientVersion? = nil,
    configuration: ApplinClientConfiguration = ApplinClientConfiguration(),
    _ body: (sending ApplinClient) async throws -> Result
) async throws -> Result {
    let links = router.routeMap.lookup(below: basePath)
    let inspector = router.applinInspector(at: basePath)
    return try await withServer(router, over: reach) { transport, root in
        let url = try HTTPURL(root).resolving(basePath)
        return try await body(ApplinClient(transport, url, links, inspector, client, configuration))
    }
}

/// Calls a test's body with a client of an Xpedite app, and ends the server after it where there is one.
///
/// - Parameters:
///   - router: has the app's routes.
///   - path: the app's address.
///   - reach: how the client reaches it.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: what `body` throws; `StartupError`, which lists the mistakes in what was registered.
public func withXpediteClient<Result>(
    _ router: Router,
    at path: String = "/xpedite",
    over reach: ClientReach = .inProcess,
    configuration: XpediteClientConfiguration = XpediteClientConfiguration(),
    _ body: (sending XpediteClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { transport, root in
        try await body(XpediteClient(transport, HTTPURL(root).resolving(path), configuration))
    }
}

/// Calls a test's body with a client of a Floki app, and ends the server after it where there is one.
///
/// - Parameters:
///   - router: has the app's routes.
///   - path: where the version indicator is.
///   - reach: how the client reaches it.
///   - configuration: how the client behaves.
///   - now: the time on the client's clock.
///   - body: the test.
/// - Throws: what `body` throws; `StartupError`, which lists the mistakes in what was registered.
public func withFlokiClient<Result>(
    _ router: Router,
    at path: String = "/floki/v1-app",
    over reach: ClientReach = .inProcess,
    configuration: FlokiClientConfiguration = FlokiClientConfiguration(),
    now: Int = 0,
    _ body: (sending FlokiClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { transport, root in
        try await body(FlokiClient(transport, HTTPURL(root).resolving(path), configuration, now: now))
    }
}

/// Calls a test's body with a client of Dynamic Views, and ends the server after it where there is one.
///
/// - Parameters:
///   - router: has the views' routes.
///   - path: the path that the views are below.
///   - reach: how the client reaches them.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: what `body` throws; `StartupError`, which lists the mistakes in what was registered.
public func withDynamicViewsClient<Result>(
    _ router: Router,
    at path: String = "/views/",
    over reach: ClientReach = .inProcess,
    configuration: DynamicViewsClientConfiguration = DynamicViewsClientConfiguration(),
    _ body: (sending DynamicViewsClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { transport, root in
        try await body(DynamicViewsClient(transport, HTTPURL(root).resolving(path), configuration))
    }
}

/// Calls a body with what brings requests to the router, and the URL of its root.
///
/// A client is made of that alone, and so of nothing that another task could use: tests may hand it to helper functions.
func withServer<Result>(
    _ router: Router,
    over reach: ClientReach,
    _ body: (any ClientTransport, _ root: String) async throws -> Result
) async throws -> Result {
    guard reach == .socket else { return try await body(InProcessTransport(router.handler()), InProcessTransport.root) }
    var settings = ServerConfiguration()
    settings.eventLoops = 1
    return try await Server(router, port: 0, configuration: settings, logger: testLogger).serve { address in
        try await body(SocketTransport(), "http://\(address)/")
    }
}

/// Errors go to standard error.
let testLogger: Logger = {
    var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .error
    return logger
}()
