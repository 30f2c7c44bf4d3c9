public import Backlot
public import BacklotClients

/// The result of an exploration.
public struct ExploreReport: Sendable {
    /// The reason why an exploration ended.
    public enum End: String, Sendable {
        /// The steps were used up.
        case steps
        /// The time was over.
        case time
        /// The backend didn't accept connections any more, or stopped responding.
        case backend
        /// The task was cancelled.
        case interrupted
    }

    /// A finding with the shortest flow to it.
    public struct Discovery: Sendable {
        /// The finding.
        public let finding: Finding
        /// The steps of the flow, for people.
        public let steps: [String]
        /// The flow as a Swift test; empty if the client of the protocol has no functions for a step or for the expectation.
        public let test: String
        /// Whether the finding didn't occur again when new devices did the same steps.
        public let isFlaky: Bool
        /// Whether every step is necessary; false if there was no time to find out.
        public let isShortest: Bool
        /// The index of the explorer that made the finding.
        public let explorer: Int

        init(
            _ discovery: BacklotChecks.Discovery,
            flow: [ExploreStep],
            isFlaky: Bool,
            isShortest: Bool,
            explorer: Int,
            _ stage: ExploreSettings
        ) {
            finding = discovery.finding
            let writer = FlowTest(discovery, flow, stage)
            steps = writer.steps
            test = writer.source
            (self.isFlaky, self.isShortest, self.explorer) = (isFlaky, isShortest, explorer)
        }
    }

    /// The protocol of the backend.
    public let appProtocol: AppProtocol
    /// The app's URL.
    public let url: HTTPURL
    /// The seed of the decisions.
    public let seed: UInt64
    /// The number of explorers.
    public let explorers: Int
    /// The reason why there was no connection to the backend at all; nil if there was one.
    public let unreachable: ClientError?
    /// The findings with their flows, each once, in the order of the explorers.
    public let discoveries: [Discovery]
    /// The number of findings beyond the maximum that is kept.
    public let more: Int
    /// The number of kinds of pages seen.
    public var pageCount: Int { kinds.count }
    /// The kinds of pages seen: their paths, with `#` for ids.
    let kinds: [String]
    /// The number of steps, without those that shortened flows.
    public let stepCount: Int
    /// The number of sessions.
    public let sessions: Int
    /// The number of requests.
    public let requests: Int
    /// The length of the exploration.
    public let duration: Duration
    /// The reason why the exploration ended.
    public let end: End
    /// The other servers that redirects and the app's data linked to, such as `https://example.com`, at most 20. They got no requests.
    public let elsewhere: [String]

    init(_ explore: Explore, _ stage: ExploreSettings, _ runs: [Explorer]) {
        appProtocol = explore.appProtocol
        url = explore.target.url
        seed = explore.options.seed
        explorers = runs.count
        unreachable = stage.clock.unreachable
        var keys: Set<String> = []
        let all = runs.flatMap { run in run.discoveries }
        let found = all.filter { keys.insert($0.key).inserted }.map(\.report)
        let silence = found.isEmpty ? Self.silence(stage, runs) : nil
        discoveries = found + (silence.map { [$0] } ?? [])
        more = runs.reduce(0) { $0 + $1.more }
        var seen: Set<String> = []
        kinds = runs.flatMap { $0.pages.map(\.path) }.filter { seen.insert($0).inserted }
        stepCount = stage.clock.steps
        sessions = runs.reduce(0) { $0 + $1.sessions }
        requests = stage.clock.requests
        duration = stage.clock.elapsed
        end = stage.clock.bound ?? .steps
        elsewhere = stage.clock.elsewhere
    }

    /// The discovery about a backend that ended the run; nil with other discoveries.
    private static func silence(_ stage: ExploreSettings, _ runs: [Explorer]) -> Discovery? {
        guard stage.clock.bound == .backend else { return nil }
        let silence = BacklotChecks.Discovery.silence(after: ExploreClock.mostFailures)
        guard !stage.expected.contain(silence.finding) else { return nil }
        let run = runs.first { !$0.lastFlow.isEmpty }
        return Discovery(
            silence,
            flow: run?.lastFlow ?? [ExploreStep(.launch(nil))],
            isFlaky: false,
            isShortest: false,
            explorer: run?.number ?? 0,
            stage
        )
    }

    /// All findings.
    public var findings: [Finding] { discoveries.map(\.finding) }
}

extension ExploreReport: ServerReport {
    /// The tool's name, `explore`.
    public static var tool: String { "explore" }

    /// The kinds of pages seen, and other subjects with findings.
    public var subjects: [FindingReport.Page] {
        let clean = kinds.prefix(1000).filter { !$0.isEmpty && !appProtocol.client.isOwnPage($0) }
        return Self.places(of: findings, beside: clean.map(\.escapingControls))
    }

    /// The findings with their flows as Swift tests or as steps, and the progress of the exploration.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var parts = discoveries.map(\.description)
        let errors = discoveries.count { $0.finding.severity == .error }
        let warnings = discoveries.count - errors
        let counts = "\(errors.counting("error")), \(warnings.counting("warning"))"
        let rest = more > 0 ? ", and \(more.counting("further finding")) that were not looked into" : ""
        parts.append(
            """
            \(discoveries.isEmpty ? "no findings" : "\(discoveries.count.counting("finding")): \(counts)")\(rest)
            \(stepCount.counting("step")) in \(sessions.counting("session")) on \(pageCount.counting("kind")) of pages, \
            \(requests.counting("request")) in \(duration.inTenths) s; \(ending)\(blocked)
            --seed \(seed)\(explorers > 1 ? " --parallel \(explorers)" : "") repeats it.
            """
        )
        return parts.joined(separator: "\n\n")
    }

    private var blocked: String {
        elsewhere.isEmpty
            ? ""
            : "\nLinks to other servers, which got no requests: \(elsewhere.map(\.escapingControls).joined(separator: ", "))"
    }

    private var ending: String {
        switch end {
        case .steps: "all steps done"
        case .time: "the time was over"
        case .backend: "stopped: the backend doesn't respond any more"
        case .interrupted: "interrupted"
        }
    }
}

extension ExploreReport.Discovery: CustomStringConvertible {
    /// The finding, and its flow as a Swift test; without a test, the steps.
    public var description: String {
        let doubt =
            isFlaky ? "\n  Flaky: it came once, and not again when new devices did the same steps." : ""
        let length =
            "\(steps.count) \(steps.count == 1 ? "step" : "steps")\(isShortest || isFlaky ? "" : ", perhaps more than needed")"
        let flow = test.isEmpty ? steps.joined(separator: "\n") : test
        return "\(finding.details)\(doubt)\n  \(length):\n\(flow.indented())"
    }

    var json: JSONValue {
        .object([
            "flow": .texts(steps),
            "test": .string(test),
            "flaky": .bool(isFlaky),
            "shortest": .bool(isShortest),
            "explorer": .count(explorer),
        ])
    }
}

extension ExploreReport {
    /// The report for programs. Keys keep their names and meanings from version to version; new keys may be added.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol`, `url` | the protocol's name, such as `dynamic-views`; the app's URL |
    /// | `seed`, `parallel` | the options that repeat the run |
    /// | `unreachable` | the reason why there was no connection, or null |
    /// | `steps`, `sessions`, `pages`, `requests`, `milliseconds` | the extent of the exploration |
    /// | `errors`, `warnings` | the number of findings with each severity |
    /// | `findings` | the findings, each also with `flow` (steps), `test` (in Swift, or empty), `flaky`, `shortest`, `explorer` |
    /// | `more` | the number of further findings |
    /// | `elsewhere` | the other servers that the app linked to, which got no requests |
    /// | `stopped_by` | `steps`, `time`, `backend` or `interrupted` |
    public var json: JSONValue {
        let errors = discoveries.count { $0.finding.severity == .error }
        return [
            "protocol": .string(appProtocol.name),
            "url": .string("\(url)"),
            // A string, since the number may be too large for some JSON readers.
            "seed": .string("\(seed)"),
            "parallel": .count(explorers),
            "unreachable": .text(unreachable),
            "steps": .count(stepCount),
            "sessions": .count(sessions),
            "pages": .count(pageCount),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "errors": .count(errors),
            "warnings": .count(discoveries.count - errors),
            "findings": .array(
                discoveries.map { discovery in
                    var object = discovery.finding.json
                    for member in discovery.json.object?.members ?? [] { object[member.key] = member.value }
                    return .object(object)
                }
            ),
            "more": .count(more),
            "elsewhere": .texts(elsewhere),
            "stopped_by": .string(end.rawValue),
        ]
    }
}
