internal import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// What the server's `/metrics` say of its processor time and its memory, in the text format of Prometheus.
struct ServerGauges: Sendable {
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

    private let url: HTTPURL?
    private let transport: SocketTransport
    private let limits: ClientLimits
    private var firstCPU: Double?
    private var lastCPU: (value: Double, time: Int64)?
    private var mostMemory: Double?
    private var failures = 0
    private(set) var latest: Sample?

    /// Reads once. Where there is nothing to be read, it never tries again.
    init(_ url: HTTPURL?, over transport: SocketTransport) async {
        self.url = url
        self.transport = transport
        var limits = ClientLimits()
        limits.total = .milliseconds(500)
        limits.idle = .milliseconds(500)
        limits.body = 1024 * 1024
        self.limits = limits
        await read()
        if latest == nil { failures = .max / 2 }
    }

    mutating func read() async {
        guard let url, failures < 10 else { return latest = nil }
        latest = nil
        guard let answer = try? await transport.response(to: ClientRequest(.get, url), limits: limits),
            answer.status == .ok
        else { return failures += 1 }
        let now = RequestLoop.now
        let values = Self.values(answer.text)
        var sample = Sample()
        if let cpu = Self.cpuNames.lazy.compactMap({ values[$0] }).first {
            if let lastCPU, now > lastCPU.time {
                sample.cpu = max(0, cpu - lastCPU.value) / (Double(now - lastCPU.time) / 1e9)
            }
            firstCPU = firstCPU ?? cpu
            lastCPU = (cpu, now)
        }
        if let memory = Self.memoryNames.lazy.compactMap({ values[$0] }).first {
            sample.memory = memory
            mostMemory = max(mostMemory ?? 0, memory)
        }
        guard lastCPU != nil || mostMemory != nil else { return failures += 1 }
        latest = sample
    }

    var summary: Summary {
        Summary(
            cpuSeconds: firstCPU.flatMap { first in lastCPU.map { max(0, $0.value - first) } },
            mostMemory: mostMemory
        )
    }

    /// The values without labels of the names that count.
    static func values(_ text: String) -> [String: Double] {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("process_") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let value = Double(words[1]), value.isFinite, value >= 0 else { continue }
            values[String(words[0].prefix { $0 != "{" })] = value
        }
        return values
    }
}
