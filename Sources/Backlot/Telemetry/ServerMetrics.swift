public import BacklotHTTP
public import CoreMetrics

/// The metrics of a server: its connections, the requests in flight, the bytes kept for clients that are waited for, the bytes
/// received and sent; and of its process, the processor time and the memory.
///
/// ```swift
/// let serverMetrics = ServerMetrics(metrics)
/// metrics.beforeReading { await serverMetrics.update() }
/// server.onRunning = { serverMetrics.observe($0) }
/// ```
/// With another library of metrics, call `update` every few seconds.
public final class ServerMetrics: Sendable {
    private struct State {
        weak var server: RunningServer?
        var last = ServerStatistics()
        /// The processor time that was counted, in seconds.
        var lastCPU = 0.0
    }

    private let connections: Meter
    private let requestsInFlight: Meter
    private let bufferedBytes: Meter
    private let bytesReceived: Counter
    private let bytesSent: Counter
    private let processorTime: FloatingPointCounter
    private let memory: Meter
    private let state = Locked(State())

    /// Makes the metrics.
    public init(_ factory: any MetricsFactory) {
        connections = Meter(label: "http.connections", factory: factory)
        requestsInFlight = Meter(label: "http.requests.in.flight", factory: factory)
        bufferedBytes = Meter(label: "http.buffered.bytes", factory: factory)
        bytesReceived = Counter(label: "http.received.bytes", factory: factory)
        bytesSent = Counter(label: "http.sent.bytes", factory: factory)
        processorTime = FloatingPointCounter(label: "process.cpu.seconds", factory: factory)
        memory = Meter(label: "process.resident.memory.bytes", factory: factory)
    }

    /// Measures this server from now on.
    public func observe(_ server: RunningServer) {
        state.withLock { $0 = State(server: server, lastCPU: $0.lastCPU) }
    }

    /// Brings the metrics up to date.
    public func update() async {
        updateProcess()
        guard let server = state.withLock({ $0.server }) else { return }
        let now = await server.statistics()
        let last = state.withLock { state in
            defer { state.last = now }
            return state.last
        }
        connections.set(now.connections)
        requestsInFlight.set(now.requestsInFlight)
        bufferedBytes.set(now.bufferedBytes)
        bytesReceived.increment(by: now.bytesReceived - last.bytesReceived)
        bytesSent.increment(by: now.bytesSent - last.bytesSent)
    }

    private func updateProcess() {
        let (seconds, attoseconds) = ProcessUsage.cpu.components
        let now = Double(seconds) + Double(attoseconds) / 1e18
        let last = state.withLock { state in
            defer { state.lastCPU = now }
            return state.lastCPU
        }
        processorTime.increment(by: now - last)
        memory.set(ProcessUsage.memory)
    }
}
