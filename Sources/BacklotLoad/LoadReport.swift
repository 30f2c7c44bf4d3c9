public import Backlot
public import BacklotChecks
public import BacklotClients

/// The measurements and findings of a load.
public struct LoadReport: Sendable {
    /// The reason why a load ended.
    public enum End: String, Sendable {
        /// The time was over.
        case time
        /// The condition ``LoadOptions/abort`` was met.
        case abort = "abort-on"
        /// The task was cancelled.
        case interrupted
    }

    /// The latencies of requests, from the intended beginning to the last byte of the response, in milliseconds.
    public struct Latency: Sendable {
        private let latencies: Latencies

        init(_ latencies: Latencies) { self.latencies = latencies }

        /// The number of requests.
        public var count: Int { latencies.count }
        /// The average.
        public var mean: Double { latencies.mean / 1e6 }
        /// The longest.
        public var max: Double { latencies.max / 1e6 }
        /// The latency that this percentage of the requests doesn't exceed: `percentile(99.9)`.
        public func percentile(_ percent: Double) -> Double { latencies.value(percent) / 1e6 }
    }

    /// The measurements of one step.
    public struct Step: Sendable {
        /// The step's name: `tap "New Account"`; `page /inputs` for a page reached by wandering, `poll /inputs` for a refresh.
        public let name: String
        /// The number of times that the step failed.
        public let errors: Int
        /// The time from the step's intended beginning to its last response.
        public let latency: Latency
    }

    /// The maximum number of seconds with separate figures.
    static let mostSeconds = 100_000
    /// The percentiles in reports.
    static let percentiles = [50, 75, 90, 95, 99, 99.9, 99.99]

    /// The URL of the load.
    public let url: HTTPURL
    /// The reason why there was no connection to the server at all; nil if there was one.
    public let unreachable: ClientError?
    /// The reason why the load ended.
    public let end: End
    /// The length of the load.
    public let duration: Duration
    /// The latency of all requests.
    public var latency: Latency { Latency(figures.latencies) }
    /// The steps, those with the most requests first.
    public let steps: [Step]
    /// The number of failed requests: no response, a status from 400 on except 403 and 422, or an unreadable page.
    public var errors: Int { figures.errors }
    /// The number of responses for each status.
    public var statuses: [Int: Int] { figures.statuses }
    /// The number of bytes received, including heads.
    public var bytesReceived: Int { figures.bytesReceived }
    /// The number of bytes sent, including heads.
    public var bytesSent: Int { figures.bytesSent }
    /// The number of launched phones.
    public var phones: Int { figures.launched }
    /// The number of requests without a response at the end. The time that they have waited counts among the latencies.
    public var withoutResponse: Int { figures.withoutResponse }
    /// The number of steps that were due but had not begun, up to 10,000 of a phone. The time that they have waited counts among
    /// the latencies.
    public var unbegun: Int { figures.unbegun }
    /// The processor time used by the phones.
    public let clientCPU: Duration
    /// The processor time used by the server; nil if the server doesn't publish it.
    public var serverCPU: Duration? { serverSeconds.map { .seconds($0) } }
    let serverSeconds: Double?
    /// The server's highest memory use, in bytes; nil if the server doesn't publish it.
    public let serverMemory: Int?
    /// The findings about the server.
    public let findings: [Finding]

    let options: LoadOptions
    let flows: [String]
    let seconds: [LoadProgress]
    let figures: LoadFigures

    init(
        _ load: Load,
        flows: [LoadFlow],
        figures: LoadFigures = LoadFigures(),
        seconds: [LoadProgress] = [],
        duration: Duration = .zero,
        end: End = .time,
        abortReason: String? = nil,
        clientCPU: Duration = .zero,
        server: ServerGauges.Summary = ServerGauges.Summary(),
        unreachable: ClientError? = nil
    ) {
        url = load.url
        options = load.options
        self.flows = flows.map(\.name)
        self.figures = figures
        self.seconds = seconds
        self.duration = duration
        self.end = end
        self.clientCPU = clientCPU
        self.unreachable = unreachable
        serverSeconds = server.cpuSeconds
        serverMemory = server.mostMemory.map { Int(min($0, 1e18)) }
        steps = figures.steps.map { Step(name: $0.name, errors: $0.errors, latency: Latency($0.latencies)) }
            .filter { $0.latency.count > 0 || $0.errors > 0 }
            .sorted { $0.latency.count > $1.latency.count }
        findings = unreachable == nil ? Self.findings(figures, load, abortReason, duration) : []
    }

    /// The number of requests sent, including those without a response at the end.
    public var requests: Int { latency.count - unbegun }
    /// The average number of responses per second; responses after the end don't count.
    public var requestsPerSecond: Double {
        duration > .zero ? Double(figures.respondedInTime) / duration.inSeconds : 0
    }
    /// The number of phones that weren't launched, and the reason, for people; nil if all were.
    var unlaunched: String? {
        guard unreachable == nil, phones < options.phones else { return nil }
        let ramp = options.ramp ?? options.interval
        let reason = ramp > duration ? ": the ramp takes \(ramp.inSeconds.rounded(to: 1)) s (--ramp)" : ""
        return "\((options.phones - phones).grouped) of \(options.phones.grouped) phones weren't launched\(reason)."
    }
    /// The delays in sending that the phones' own machine caused. Latencies below these delays don't tell anything about the
    /// server.
    public var lateness: Latency { Latency(figures.lateness) }
    /// The processor time of the phones for each request, in microseconds.
    var clientMicroseconds: Double { requests > 0 ? clientCPU.inSeconds * 1e6 / Double(requests) : 0 }
}

extension LoadReport: ServerReport {
    /// The tool's name, `load`.
    public static var tool: String { "load" }

    /// The single subject of the report, the server: its steps and their findings.
    public var subjects: [FindingReport.Page] {
        let sorted = findings.sorted { $0.path.page < $1.path.page }
        return Self.places(of: sorted, beside: steps.prefix(200).map(\.name))
    }
}
