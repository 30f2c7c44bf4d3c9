internal import HTTPTypes
internal import Logging
internal import Synchronization

/// What all connections of a server share.
final class ServerContext: Sendable {
    let handler: any Handler
    let configuration: ServerConfiguration
    let logger: Logger
    /// How many connections are open.
    let connections = Atomic<Int>(0)
    /// How many requests wait for the end of their answers. One that is answered without suspending is never among them:
    /// counting it would make the cores fight for this number.
    let requestsInFlight = Atomic<Int>(0)

    init(handler: any Handler, configuration: ServerConfiguration, logger: Logger) {
        self.handler = handler
        self.configuration = configuration
        self.logger = logger
    }

    /// Whether another connection may be accepted.
    var hasRoomForConnection: Bool { connections.load(ordering: .relaxed) < configuration.limits.connections }

    /// Whether another request may be handled.
    var hasRoomForRequest: Bool {
        requestsInFlight.load(ordering: .relaxed) < configuration.limits.requestsInFlight
    }

    /// The answer to an error that a handler threw.
    func response(to error: any Error, for request: Request) -> Response {
        if let error = error as? any HTTPError { return Response(error) }
        logger.error("\(request.method) \(request.path) failed: \(String(reflecting: error))")
        let details = configuration.showsErrorDetails ? String(reflecting: error) : "the log of the server says why"
        return .text("The server failed to answer: \(details)", status: .internalServerError)
    }
}
