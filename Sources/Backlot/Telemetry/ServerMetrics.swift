public import CoreMetrics

/// The metrics of a server: its connections, the requests in flight, the bytes kept for slow clients, the bytes received and sent, and
/// the requests and connections that no handler has seen, by the reason of their refusal; and
/// of its process: the processor time, the memory, the open descriptors, the start, and the log lines that were dropped.
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
        /// The processor time counted so far, in seconds.
        var lastCPU = 0.0
        var lastDropped = 0
    }

    // Handlers, instead of a `Meter` for each: a `Meter` holds its factory. If the factory's `beforeReading` calls `update`, it
    // holds this object, and neither would ever be freed.
    private let connections: any MeterHandler
    private let requestsInFlight: any MeterHandler
    private let bufferedBytes: any MeterHandler
    private let bytesReceived: any CounterHandler
    private let bytesSent: any CounterHandler
    private let processorTime: any FloatingPointCounterHandler
    private let memory: any MeterHandler
    private let descriptors: any MeterHandler
    private let droppedLines: any CounterHandler
    private let refusals: [RequestRefusal: any CounterHandler]
    private let state = Locked(State())

    /// Makes the metrics.
    public init(_ factory: any MetricsFactory) {
        connections = factory.makeMeter(label: "http.server.open_connections", dimensions: [])
        requestsInFlight = factory.makeMeter(label: "http.server.active_requests", dimensions: [])
        bufferedBytes = factory.makeMeter(label: "http.server.buffered.bytes", dimensions: [])
        bytesReceived = factory.makeCounter(label: "http.server.received.bytes", dimensions: [])
        bytesSent = factory.makeCounter(label: "http.server.sent.bytes", dimensions: [])
        processorTime = factory.makeFloatingPointCounter(label: "process.cpu.seconds", dimensions: [])
        memory = factory.makeMeter(label: "process.resident.memory.bytes", dimensions: [])
        descriptors = factory.makeMeter(label: "process.open.fds", dimensions: [])
        droppedLines = factory.makeCounter(label: "log.dropped.lines", dimensions: [])
        refusals = RequestRefusal.allCases.reduce(into: [:]) {
            $0[$1] = factory.makeCounter(label: "http.server.refused.requests", dimensions: [("reason", $1.rawValue)])
        }
        factory.makeMeter(label: "process.start.time.seconds", dimensions: []).set(ProcessUsage.start)
    }

    /// Measures this server from now on.
    public func observe(_ server: RunningServer) {
        state.withLock { $0 = State(server: server, lastCPU: $0.lastCPU, lastDropped: $0.lastDropped) }
    }

    /// Brings the metrics up to date.
    public func update() async {
        updateProcess()
        guard let server = state.withLock({ $0.server }) else { return }
        add(await server.statistics(), of: server)
    }

    /// Takes over a reading of a server. Of two readings at once, the older may come last: it counts nothing.
    func add(_ now: ServerStatistics, of server: RunningServer?) {
        let new: ServerStatistics? = state.withLock { state in
            // A server that is observed meanwhile counts from 0.
            guard state.server === server else { return nil }
            var new = now
            new.bytesReceived = Self.increase(of: &state.last.bytesReceived, to: now.bytesReceived)
            new.bytesSent = Self.increase(of: &state.last.bytesSent, to: now.bytesSent)
            for (refusal, count) in now.refusals {
                new.refusals[refusal] = Self.increase(of: &state.last.refusals[refusal, default: 0], to: count)
            }
            return new
        }
        guard let new else { return }
        connections.set(Int64(new.connections))
        requestsInFlight.set(Int64(new.requestsInFlight))
        bufferedBytes.set(Int64(new.bufferedBytes))
        bytesReceived.increment(by: Int64(new.bytesReceived))
        bytesSent.increment(by: Int64(new.bytesSent))
        for (refusal, count) in new.refusals { refusals[refusal]?.increment(by: Int64(count)) }
    }

    /// The increase of a count since the last reading, and at least 0. `last` becomes the greater of both.
    private static func increase<Count: Comparable & Numeric>(of last: inout Count, to now: Count) -> Count {
        defer { last = max(last, now) }
        return max(0, now - last)
    }

    private func updateProcess() {
        let (seconds, attoseconds) = ProcessUsage.cpu.components
        let now = Double(seconds) + Double(attoseconds) / 1e18
        let dropped = LogOutput.droppedLines
        let (newCPU, newDropped) = state.withLock { state in
            (Self.increase(of: &state.lastCPU, to: now), Self.increase(of: &state.lastDropped, to: dropped))
        }
        processorTime.increment(by: newCPU)
        droppedLines.increment(by: Int64(newDropped))
        memory.set(Int64(ProcessUsage.memory))
        descriptors.set(Int64(ProcessUsage.descriptors))
    }
}

/// The number of sessions in a store, as the metric `sessions`, if the store knows it.
///
/// ```swift
/// let sessionMetrics = SessionMetrics(of: store, metrics)
/// metrics.beforeReading { await sessionMetrics.update() }
/// ```
public final class SessionMetrics: Sendable {
    private let store: any SessionStore
    /// Returns the factory. The reference to a `PrometheusMetrics` is weak: its `beforeReading` holds this object, and neither
    /// would ever be freed.
    private let factory: @Sendable () -> (any MetricsFactory)?
    /// Made when the store first returns a number.
    private let meter = Locked<(any MeterHandler)?>(nil)

    /// Makes no metric yet.
    public init(of store: any SessionStore, _ factory: any MetricsFactory) {
        self.store = store
        if let registry = factory as? PrometheusMetrics {
            self.factory = { [weak registry] in registry }
        } else {
            self.factory = { factory }
        }
    }

    /// Brings the metric up to date. It doesn't change while the store is unreachable.
    public func update() async {
        guard let count = try? await store.sessionCount() else { return }
        let meter = meter.withLock { meter in
            meter = meter ?? factory()?.makeMeter(label: "sessions", dimensions: [])
            return meter
        }
        meter?.set(Int64(count))
    }
}
