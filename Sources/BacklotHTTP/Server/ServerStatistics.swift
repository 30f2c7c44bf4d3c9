internal import Synchronization

/// What a server has done, and is doing, as far as it counts it.
public struct ServerStatistics: Equatable, Sendable {
    /// How many connections are open.
    public var connections = 0
    /// How many requests wait for the end of their answers. One that is answered without suspending is never among them.
    public var requestsInFlight = 0
    /// How many bytes have come from clients since the start, heads and frames included.
    public var bytesReceived = 0
    /// How many bytes have gone to clients since the start, heads and frames included.
    public var bytesSent = 0

    /// Nothing so far.
    public init() {}
}

extension RunningServer {
    /// What the server has done so far. Each event loop is asked in turn: it costs nothing but when it is called.
    public func statistics() async -> ServerStatistics {
        var statistics = ServerStatistics()
        statistics.connections = context.connections.load(ordering: .relaxed)
        statistics.requestsInFlight = context.requestsInFlight.load(ordering: .relaxed)
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
