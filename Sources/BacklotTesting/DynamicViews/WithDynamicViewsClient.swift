public import Backlot
internal import BacklotHTTP
internal import Logging

/// Calls a test's body with a client of views, and ends the server after it where there is one.
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
    switch reach {
    case .inProcess:
        return try await body(DynamicViewsClient(router, at: path, configuration: configuration))
    case .socket:
        var settings = ServerConfiguration()
        settings.eventLoops = 1
        var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return try await Server(router, port: 0, configuration: settings, logger: logger).serve { address in
            try await body(DynamicViewsClient(url: "http://\(address)\(path)", configuration: configuration))
        }
    }
}
