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
    _ body: (ApplinClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { address in
        guard let address else {
            return try await body(ApplinClient(router, at: basePath, client: client, configuration: configuration))
        }
        return try await body(
            ApplinClient(router, at: basePath, address: address, client: client, configuration: configuration)
        )
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
    _ body: (XpediteClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { address in
        guard let address else { return try await body(XpediteClient(router, at: path, configuration: configuration)) }
        return try await body(XpediteClient(url: "http://\(address)\(path)", configuration: configuration))
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
    _ body: (FlokiClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { address in
        guard let address else {
            return try await body(FlokiClient(router, at: path, configuration: configuration, now: now))
        }
        let url = "http://\(address)\(path)"
        return try await body(FlokiClient(url: url, configuration: configuration, now: now))
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
    _ body: (DynamicViewsClient) async throws -> Result
) async throws -> Result {
    try await withServer(router, over: reach) { address in
        guard let address else {
            return try await body(DynamicViewsClient(router, at: path, configuration: configuration))
        }
        return try await body(DynamicViewsClient(url: "http://\(address)\(path)", configuration: configuration))
    }
}

/// Calls a body with the address of a server of the router; with nil where the client calls the router in this process.
private func withServer<Result>(
    _ router: Router,
    over reach: ClientReach,
    _ body: (SocketAddress?) async throws -> Result
) async throws -> Result {
    guard reach == .socket else { return try await body(nil) }
    var settings = ServerConfiguration()
    settings.eventLoops = 1
    var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .error
    return try await Server(router, port: 0, configuration: settings, logger: logger).serve { try await body($0) }
}
