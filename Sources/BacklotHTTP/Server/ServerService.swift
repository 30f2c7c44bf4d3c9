public import ServiceLifecycle

/// A server as swift-service-lifecycle runs it: until it is cancelled, or shut down gracefully.
public struct ServerService: Service {
    let server: Server

    /// Serves until the service group shuts down, then finishes what is in flight.
    ///
    /// - Throws: `AddressError` or `SocketError` when the server can't listen on its address; an error that names the event
    ///   loops that hung when it stopped.
    public func run() async throws {
        let running = try server.start()
        try? await gracefulShutdown()
        try await running.stop()
    }
}

extension ServerService: CustomStringConvertible {
    /// The name of the service in the messages of its group.
    ///
    /// Without it the group would name it by all that it holds, found out by reflection: a fifth of the time to start.
    public var description: String { "HTTP server" }
}
