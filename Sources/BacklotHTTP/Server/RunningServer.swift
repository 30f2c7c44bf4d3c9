internal import Logging
internal import Synchronization

/// A server that accepts connections.
public final class RunningServer: Sendable {
    /// The address that the server listens on; for port 0, with the port that the system chose.
    public let address: SocketAddress

    let loops: [EventLoop]
    let listener: Listener
    let context: ServerContext
    let onStopping: @Sendable () -> Void
    let shutdownBegun = Atomic(false)

    init(_ server: Server, _ address: SocketAddress) throws {
        let tls = try server.configuration.tls.map { configuration throws(TLSError) in
            try TLSAcceptor(configuration, http2: server.configuration.http2 != .off)
        }
        let socket = try Socket.listening(on: address, backlog: server.configuration.backlog)
        do {
            self.address = try socket.localAddress()
            let count = server.configuration.eventLoops ?? Processors.count
            loops = try (0..<count).map { try EventLoop(name: "backlot.loop.\($0)") }
        } catch {
            socket.close()
            throw error
        }
        onStopping = server.onStopping
        context = ServerContext(
            handler: server.handler,
            configuration: server.configuration,
            logger: server.logger,
            loops: loops,
            descriptors: DescriptorLimit.raise(),
            tls: tls
        )
        if context.mostConnections < server.configuration.limits.connections {
            server.logger.notice(
                """
                at most \(context.mostConnections) connections at a time, not \(server.configuration.limits.connections) \
                (limits.connections): the process may open \(context.descriptors) descriptors (ulimit -Hn)
                """
            )
        }
        let listener = Listener(socket: socket, loop: loops[0], loops: loops, server: context)
        self.listener = listener
        for loop in loops { loop.start() }
        loops[0].execute { listener.open(.readable) }
    }
}

/// Counts of a server's connections, requests and bytes.
public struct ServerStatistics: Equatable, Sendable {
    /// The number of open connections.
    public var connections = 0
    /// The number of requests that wait for the end of their responses. A request with a large head counts as several (see
    /// `ServerConfiguration.Limits.requestsInFlight`). A request that gets its response without suspending never counts.
    public var requestsInFlight = 0
    /// The number of bytes kept for clients that the server waits for, at most `ServerConfiguration.Limits.bufferedBytes`.
    public var bufferedBytes = 0
    /// The number of bytes received from clients since the start, including heads and frames.
    public var bytesReceived = 0
    /// The number of bytes sent to clients since the start, including heads and frames.
    public var bytesSent = 0
    /// The requests and connections that were refused since the start, by reason.
    package var refusals: [RequestRefusal: Int] = [:]

    /// Creates statistics that are all 0.
    public init() {}
}

extension RunningServer {
    /// The current counts. The server collects them from each event loop in turn, only when this is called.
    public func statistics() async -> ServerStatistics {
        var statistics = ServerStatistics()
        statistics.connections = context.connections.load(ordering: .relaxed)
        statistics.requestsInFlight = context.requestsInFlight.load(ordering: .relaxed)
        statistics.bufferedBytes = context.buffers.use
        statistics.refusals = context.refusals.withLock { $0 }
        for loop in loops {
            let (received, sent) = await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: (loop.bytesReceived, loop.bytesSent)) }
            }
            statistics.bytesReceived += received
            statistics.bytesSent += sent
        }
        return statistics
    }
}
