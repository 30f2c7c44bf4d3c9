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
    /// How many requests wait for the end of their answers.
    let requestsInFlight = Atomic<Int>(0)

    init(handler: any Handler, configuration: ServerConfiguration, logger: Logger) {
        self.handler = handler
        self.configuration = configuration
        self.logger = logger
    }

    /// Counts a request among those in flight, unless there are too many.
    func admitRequest() -> Bool {
        let limit = configuration.limits.requestsInFlight
        guard requestsInFlight.add(1, ordering: .relaxed).newValue > limit else { return true }
        dismissRequest()
        return false
    }

    /// Counts a request out.
    func dismissRequest() {
        requestsInFlight.subtract(1, ordering: .relaxed)
    }

    /// The answer to an error that a handler threw.
    func response(to error: any Error, for request: Request) -> Response {
        if let error = error as? any HTTPError { return Response(error) }
        logger.error("\(request.method) \(request.path) failed: \(String(reflecting: error))")
        let details = configuration.showsErrorDetails ? String(reflecting: error) : "the log of the server says why"
        return .text("The server failed to answer: \(details)", status: .internalServerError)
    }
}
