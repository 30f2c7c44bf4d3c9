internal import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// What the server's `/metrics` say of its processor time and its memory, in the text format of Prometheus.
final class ServerGauges: Sendable {
    /// What was read at one time.
    struct Sample: Sendable {
        /// How much of one processor it used since the reading before; nil for the first.
        var cpu: Double?
        /// In bytes.
        var memory: Double?
    }

    /// What was read in all.
    struct Summary: Sendable {
        /// The processor time between the first and the last reading, in seconds.
        var cpuSeconds: Double?
        /// The most memory, in bytes.
        var mostMemory: Double?
    }

    private static let cpuNames = [
        "process_cpu_seconds_total", "process_cpu_seconds", "process_cpu_time_seconds_total",
    ]
    private static let memoryNames = ["process_resident_memory_bytes", "process_memory_usage_bytes"]

    /// The most that is believed of a value, and how many processors a server may seem to use.
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

    /// Reads once; nil where there is nothing to be read.
    init?(_ url: HTTPURL?, over transport: SocketTransport, _ total: Duration) async {
        guard let url else { return nil }
        self.url = url
        self.transport = transport
        var limits = ClientLimits()
        // The metrics come as late as everything else.
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
    /// - Returns: whether there was something to be read.
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

    /// What was read since the last call; nil for nothing.
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

    /// The values without labels of the names that count.
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
