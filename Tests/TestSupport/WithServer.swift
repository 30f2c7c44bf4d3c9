public import BacklotHTTP
internal import Logging

/// Serves with a handler on a free port while `body` runs, and shuts the server down after it, also when it throws.
public func withServer<Result>(
    _ handler: any Handler,
    host: String = "127.0.0.1",
    configuration: ServerConfiguration = ServerConfiguration(),
    _ body: (SocketAddress) async throws -> Result
) async throws -> Result {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    var configuration = configuration
    // Nothing is in flight any more when `body` has returned.
    configuration.timeouts.drainIdle = min(configuration.timeouts.drainIdle, .milliseconds(10))
    let server = Server(handler, host: host, port: 0, configuration: configuration, logger: logger)
    return try await server.serve(body)
}
