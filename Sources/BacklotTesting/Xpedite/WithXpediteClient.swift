public import Backlot
internal import BacklotHTTP
internal import Logging

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
    switch reach {
    case .inProcess:
        return try await body(XpediteClient(router, at: path, configuration: configuration))
    case .socket:
        var settings = ServerConfiguration()
        settings.eventLoops = 1
        var logger = Logger(label: "backlot.testing", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return try await Server(router, port: 0, configuration: settings, logger: logger).serve { address in
            try await body(XpediteClient(url: "http://\(address)\(path)", configuration: configuration))
        }
    }
}
