public import ServiceLifecycle

/// A server as swift-service-lifecycle runs it: until it is cancelled, or shut down gracefully.
public struct ServerService: Service {
    let server: Server

    /// Serves until the service group shuts down, then finishes what is in flight.
    ///
    /// - Throws: `AddressError` or `SocketError` when the server can't listen on its address.
    public func run() async throws {
        let running = try server.start()
        try? await gracefulShutdown()
        await running.shutdown()
    }
}
