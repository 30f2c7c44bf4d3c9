internal import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// Reads the server's processor time and memory from its `/metrics`, in the text format of Prometheus.
final class ServerGauges: Sendable {
    /// The values of one reading.
    struct Sample: Sendable {
        /// The use of processors since the reading before, 1 for all of one processor; nil for the first reading.
        var cpu: Double?
        /// The memory, in bytes.
        var memory: Double?
    }

    /// The values of all readings.
    struct Summary: Sendable {
        /// The processor time between the first and the last reading, in seconds.
        var cpuSeconds: Double?
        /// The maximum memory, in bytes.
        var mostMemory: Double?
    }

    private static let cpuNames = [
        "process_cpu_seconds_total", "process_cpu_seconds", "process_cpu_time_seconds_total",
    ]
    private static let memoryNames = ["process_resident_memory_bytes", "process_memory_usage_bytes"]

    /// The largest believable value, and the largest believable number of used processors.
    private static let most = 1e15
    private static let mostCPU = 1e6

    private struct State {
        var firstCPU: Double?
        var lastCPU: (value: Double, time: Int64)?
        var mostMemory: Double?
        var latest: Sample?
    }

    private let url: HTTPURL
    private let transport: SocketTransport
    private let limits: ClientLimits
    private let state = Locked(State())

    /// Reads once; nil if the server has no metrics.
    init?(_ url: HTTPURL?, over transport: SocketTransport, _ total: Duration) async {
        guard let url else { return nil }
        self.url = url
        self.transport = transport
        var limits = ClientLimits()
        // Metrics may be as slow as any other response.
        limits.total = total
        limits.idle = total
        limits.body = 1024 * 1024
        self.limits = limits
        guard await read() else { return nil }
    }

    /// Reads every second until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if !Task.isCancelled { await read() }
        }
    }

    /// Reads once.
    ///
    /// - Returns: whether metrics were read.
    @discardableResult
    func read() async -> Bool {
        guard let response = try? await transport.response(to: ClientRequest(.get, url), limits: limits),
            response.status == .ok
        else { return false }
        let now = RequestLoop.now
        let values = Self.values(response.text)
        return state.withLock { state in
            var sample = Sample()
            if let cpu = Self.cpuNames.lazy.compactMap({ values[$0] }).first {
                if let last = state.lastCPU, now > last.time {
                    sample.cpu = min(Self.mostCPU, max(0, cpu - last.value) / (Double(now - last.time) / 1e9))
                }
                state.firstCPU = state.firstCPU ?? cpu
                state.lastCPU = (cpu, now)
            }
            if let memory = Self.memoryNames.lazy.compactMap({ values[$0] }).first {
                sample.memory = memory
                state.mostMemory = max(state.mostMemory ?? 0, memory)
            }
            state.latest = sample
            return state.lastCPU != nil || state.mostMemory != nil
        }
    }

    /// Returns the reading since the last call; nil without one.
    func takeLatest() -> Sample? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }

    var summary: Summary {
        state.withLock { state in
            Summary(
                cpuSeconds: state.firstCPU.flatMap { first in state.lastCPU.map { max(0, $0.value - first) } },
                mostMemory: state.mostMemory
            )
        }
    }

    /// The values of the process metrics, by name; labels are ignored.
    static func values(_ text: String) -> [String: Double] {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("process_") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let value = Double(words[1]), (0...most).contains(value) else { continue }
            values[String(words[0].prefix { $0 != "{" })] = value
        }
        return values
    }
}
