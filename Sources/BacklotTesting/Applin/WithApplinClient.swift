public import Backlot
internal import BacklotHTTP
internal import Logging

/// How a client in a test reaches the backend.
public enum ClientReach: String, Sendable, CaseIterable {
    /// By calls in this process.
    case inProcess
    /// Over a socket: the backend is served on a free port while the test runs.
    case socket
}

/// Calls a test's body with a client of an app, and ends the server after it where there is one.
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
///   - configuration: how the client behaves.
///   - body: the test.
/// - Throws: what `body` throws; `StartupError`, which lists the mistakes in what was registered.
public func withApplinClient<Result>(
    _ router: Router,
    at basePath: String = "/",
    over reach: ClientReach = .inProcess,
    configuration: ApplinClientConfiguration = ApplinClientConfiguration(),
    _ body: (ApplinClient) async throws -> Result
) async throws -> Result {
    switch reach {
    case .inProcess:
        return try await body(ApplinClient(router, at: basePath, configuration: configuration))
    case .socket:
        var settings = ServerConfiguration()
        settings.eventLoops = 1
        var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return try await Server(router, port: 0, configuration: settings, logger: logger).serve { address in
            try await body(ApplinClient(router, at: basePath, address: address, configuration: configuration))
        }
    }
}
