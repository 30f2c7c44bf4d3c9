public import Backlot
internal import BacklotHTTP
internal import Logging

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
    switch reach {
    case .inProcess:
        return try await body(FlokiClient(router, at: path, configuration: configuration, now: now))
    case .socket:
        var settings = ServerConfiguration()
        settings.eventLoops = 1
        var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return try await Server(router, port: 0, configuration: settings, logger: logger).serve { address in
            let url = "http://\(address)\(path)"
            return try await body(FlokiClient(url: url, configuration: configuration, now: now))
        }
    }
}
