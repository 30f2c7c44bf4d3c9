public import Backlot
public import BacklotChecks
public import BacklotClients

/// What a load has measured.
public struct LoadReport: Sendable {
    /// Why a load ended.
    public enum End: String, Sendable {
        /// Its time was over.
        case time
        /// ``LoadOptions/abort`` was met.
        case abort = "abort-on"
        /// Its task was cancelled.
        case interrupted
    }

    /// How long requests took, from the time at which they were to begin to the last byte of the answer, in milliseconds.
    public struct Latency: Sendable {
        private let latencies: Latencies

        init(_ latencies: Latencies) { self.latencies = latencies }

        /// How many requests there were.
        public var count: Int { latencies.count }
        /// The average.
        public var mean: Double { latencies.mean / 1e6 }
        /// The longest.
        public var max: Double { latencies.max / 1e6 }
        /// The time that so many percent of the requests don't exceed: `percentile(99.9)`.
        public func percentile(_ percent: Double) -> Double { latencies.value(percent) / 1e6 }
    }

    /// The measurements of one step.
    public struct Step: Sendable {
        /// The step: `tap "New Account"`; `page /inputs` for a page to which phones wandered, `poll /inputs` for refreshes.
        public let name: String
        /// How many of them failed.
        public let errors: Int
        /// From the time at which the step was to begin to its last answer.
        public let latency: Latency
    }

    /// The most seconds whose figures are kept.
    static let mostSeconds = 100_000
    /// The percentiles in reports.
    static let percentiles = [50, 75, 90, 95, 99, 99.9, 99.99]

    /// What was loaded.
    public let url: HTTPURL
    /// Why there was no connection to the server at all; nil where there was one.
    public let unreachable: ClientError?
    /// Why it ended.
    public let end: End
    /// How long it took.
    public let duration: Duration
    /// The latency of all requests.
    public var latency: Latency { Latency(figures.latencies) }
    /// The latency of each step, those with most requests first.
    public let steps: [Step]
    /// How many requests failed: no answer, a status of 400 or more but 403 and 422, no page where one was asked for.
    public var errors: Int { figures.errors }
    /// How many requests were answered with each status.
    public var statuses: [Int: Int] { figures.statuses }
    /// How many bytes were received, heads included.
    public var bytesReceived: Int { figures.bytesReceived }
    /// How many bytes were sent, heads included.
    public var bytesSent: Int { figures.bytesSent }
    /// How many phones were launched.
    public var phones: Int { figures.launched }
    /// How many requests had no answer at the end, and how many steps that should have begun had not: up to 10,000 of a phone. The
    /// time that they had waited counts among the latencies.
    public var withoutResponse: Int { figures.withoutResponse }
    /// How many steps should have begun, and had not.
    public var unbegun: Int { figures.unbegun }
    /// The processor time that the phones took.
    public let clientCPU: Duration
    /// The processor time that the server took, in seconds; nil where it doesn't say so.
    public let serverCPU: Double?
    /// The most memory that the server had, in bytes; nil where it doesn't say so.
    public let serverMemory: Int?
    /// What is wrong with the server.
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
        serverCPU = server.cpuSeconds
        serverMemory = server.mostMemory.map { Int(min($0, 1e18)) }
        steps = figures.steps.map { Step(name: $0.name, errors: $0.errors, latency: Latency($0.latencies)) }
            .filter { $0.latency.count > 0 || $0.errors > 0 }
            .sorted { $0.latency.count > $1.latency.count }
        findings = unreachable == nil ? Self.findings(figures, load, abortReason, duration) : []
    }

    /// How many requests were sent, those included that had no answer at the end.
    public var requests: Int { latency.count - unbegun }
    /// How many requests were answered in a second, on average; those after the end don't count.
    public var requestsPerSecond: Double {
        duration > .zero ? Double(figures.respondedInTime) / duration.inSeconds : 0
    }
    /// How late requests were sent because of nothing but the phones' own machine: figures below this are not the server's.
    public var lateness: Latency { Latency(figures.lateness) }
    /// The processor time of the phones for each request, in microseconds.
    var clientMicroseconds: Double { requests > 0 ? clientCPU.inSeconds * 1e6 / Double(requests) : 0 }
}

extension LoadReport: ServerReport {
    /// `load`.
    public static var tool: String { "load" }

    /// The steps with their findings are one subject: the server.
    public var subjects: [FindingReport.Page] {
        let sorted = findings.sorted { $0.path.page < $1.path.page }
        return Self.places(of: sorted, beside: steps.prefix(200).map(\.name))
    }
}
