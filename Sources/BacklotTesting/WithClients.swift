public import Backlot
@_exported public import BacklotClients
internal import Logging

/// The connection between a test's client and the backend.
///
/// ```swift
/// @Test(arguments: ClientReach.allCases)  // in process, and over a socket
/// func greeting(reach: ClientReach) async throws {
///     try await withHTTPClient(makeRouter(), over: reach) { client in
///         let response = try await client.get("/")
///         #expect(response.text == "Hello")
///     }
/// }
/// ```
public enum ClientReach: String, Sendable, CaseIterable {
    /// By function calls in this process.
    case inProcess
    /// Over a socket: the backend is served on a free port while the test runs.
    case socket
}

/// Runs a test with a client of an Applin app. Over a socket, the server stops when the test ends.
///
/// ```swift
/// @Test(arguments: ClientReach.allCases)
/// func signUp(reach: ClientReach) async throws {
///     try await withApplinClient(makeRouter(), over: reach) { app in
///         try await app.launch()
///         #expect(app.title == "Sign Up")
///     }
/// }
/// ```
/// - Parameters:
///   - router: the router with the app's routes.
///   - basePath: the path of the app's base URL, such as `/` or `/travel/`.
///   - reach: how the client reaches it.
///   - client: the version to behave as, such as `"0.31"`; nil for the newest that speaks the app's dialect.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
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

/// Runs a test with a client of an Xpedite app. Over a socket, the server stops when the test ends.
///
/// - Parameters:
///   - router: the router with the app's routes.
///   - path: the app's address.
///   - reach: how the client reaches it.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
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

/// Runs a test with a client of a Floki app. Over a socket, the server stops when the test ends.
///
/// - Parameters:
///   - router: the router with the app's routes.
///   - path: the path of the version indicator.
///   - reach: how the client reaches it.
///   - configuration: how the client behaves.
///   - now: the time on the client's clock.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
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

/// Runs a test with a client of Dynamic Views. Over a socket, the server stops when the test ends.
///
/// - Parameters:
///   - router: the router with the views' routes.
///   - path: the path above the views.
///   - reach: how the client reaches them.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
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

/// Runs a test with a client of A2UI. Over a socket, the server stops when the test ends.
///
/// - Parameters:
///   - router: the router with the app's routes.
///   - path: the path of the app's base URL.
///   - reach: how the client reaches it.
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: any error of `body`; `StartupError`, which lists the mistakes in the registered routes.
public func withA2UIClient<Result>(
    _ router: Router,
    at path: String = "/assistant/",
    over reach: ClientReach = .inProcess,
    configuration: A2UIClientConfiguration = A2UIClientConfiguration(),
    _ body: (sending A2UIClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { transport, root in
        try await body(A2UIClient(transport, HTTPURL(root).resolving(path), configuration))
    }
}

/// Calls a body with a transport to the router, and the URL of the router's root.
///
/// A client made from these two shares no state with other tasks, so tests may pass it to helper functions.
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

/// Logs errors to standard error.
let testLogger: Logger = {
    var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .error
    return logger
}()
