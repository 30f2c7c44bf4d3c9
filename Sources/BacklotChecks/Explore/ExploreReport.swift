public import Backlot
public import BacklotClients

/// The result of an exploration.
public struct ExploreReport: Sendable {
    /// What ended an exploration.
    public enum Bound: String, Sendable {
        /// The steps were used up.
        case steps
        /// The time was over.
        case time
        /// The backend took no more connections, or answered no more.
        case backend
        /// The task was cancelled.
        case interrupted
    }

    /// Something that came to light, and the shortest way there.
    public struct Discovery: Sendable {
        /// What is wrong, and where.
        public let finding: Finding
        /// The steps that lead there, for people.
        public let steps: [String]
        /// The same as a Swift test.
        public let test: String
        /// Whether it came once and not again when the same steps were done by new devices.
        public let isFlaky: Bool
        /// Whether no step can be left out. false where there was no time to find out.
        public let isShortest: Bool
        /// Which explorer has found it, from 0.
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

    /// The protocol that the backend speaks.
    public let appProtocol: AppProtocol
    /// The app's URL.
    public let url: HTTPURL
    /// What the decisions were drawn from.
    public let seed: UInt64
    /// How many explorers there were.
    public let explorers: Int
    /// Why there was no connection to the backend at all; nil where there was one.
    public let unreachable: ClientError?
    /// What came to light, each once, in the order of the explorers.
    public let discoveries: [Discovery]
    /// How many further findings there are, beyond the most that are kept.
    public let more: Int
    /// How many kinds of pages were seen.
    public var pages: Int { kinds.count }
    /// The kinds of pages that were seen: their paths, with `#` for ids.
    let kinds: [String]
    /// How many steps were done, those aside by which findings were shortened.
    public let steps: Int
    /// How many sessions were begun.
    public let sessions: Int
    /// How many requests were sent.
    public let requests: Int
    /// How long it took.
    public let duration: Duration
    /// What ended it.
    public let bound: Bound
    /// The other servers that redirects and the app's data led to, such as `https://example.com`, 20 at most. They weren't asked.
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
        steps = stage.clock.steps
        sessions = runs.reduce(0) { $0 + $1.sessions }
        requests = stage.clock.requests
        duration = stage.clock.elapsed
        bound = stage.clock.bound ?? .steps
        elsewhere = stage.clock.elsewhere
    }

    /// What is found where the backend has ended the run, and nothing else is.
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

    /// Every finding.
    public var findings: [Finding] { discoveries.map(\.finding) }
}

extension ExploreReport: ServerReport {
    /// `explore`
    public static var tool: String { "explore" }

    /// The kinds of pages that were seen, and what else something was found about.
    public var subjects: [FindingReport.Page] {
        let clean = kinds.prefix(1000).filter { !$0.isEmpty && !appProtocol.client.isOwnPage($0) }
        return Self.places(of: findings, beside: clean.map(\.escapingControls))
    }

    /// The findings with the ways to them as Swift tests, and how far the exploration came.
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
            \(steps.counting("step")) in \(sessions.counting("session")) on \(pages.counting("kind")) of pages, \
            \(requests.counting("request")) in \(duration.inTenths) s; \(ending)\(blocked)
            --seed \(seed)\(explorers > 1 ? " --parallel \(explorers)" : "") repeats it.
            """
        )
        return parts.joined(separator: "\n\n")
    }

    private var blocked: String {
        elsewhere.isEmpty
            ? ""
            : "\nLed to other servers, which weren't asked: \(elsewhere.map(\.escapingControls).joined(separator: ", "))"
    }

    private var ending: String {
        switch bound {
        case .steps: "all steps done"
        case .time: "the time was over"
        case .backend: "stopped: the backend doesn't answer any more"
        case .interrupted: "interrupted"
        }
    }
}

extension ExploreReport.Discovery: CustomStringConvertible {
    /// The finding, and the way to it as a Swift test.
    public var description: String {
        let doubt =
            isFlaky ? "\n  Flaky: it came once, and not again when new devices did the same steps." : ""
        let length =
            "\(steps.count) \(steps.count == 1 ? "step" : "steps")\(isShortest || isFlaky ? "" : ", perhaps more than needed")"
        return "\(finding.details)\(doubt)\n  \(length):\n\(test.indented())"
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
    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol`, `url` | the protocol's name, such as `dynamic-views`; the app's URL |
    /// | `seed`, `parallel` | what repeats the run |
    /// | `unreachable` | why there was no connection, or null |
    /// | `steps`, `sessions`, `pages`, `requests`, `milliseconds` | how far it came |
    /// | `errors`, `warnings` | how many findings there are of each severity |
    /// | `findings` | the findings, each also with `flow` (steps), `test` (in Swift), `flaky`, `shortest`, `explorer` |
    /// | `more` | how many further findings there are |
    /// | `elsewhere` | the other servers that something led to, which weren't asked |
    /// | `stopped_by` | `steps`, `time`, `backend` or `interrupted` |
    public var json: JSONValue {
        let errors = discoveries.count { $0.finding.severity == .error }
        return [
            "protocol": .string(appProtocol.name),
            "url": .string("\(url)"),
            // Beyond what every reader of JSON takes as a number.
            "seed": .string("\(seed)"),
            "parallel": .count(explorers),
            "unreachable": .text(unreachable),
            "steps": .count(steps),
            "sessions": .count(sessions),
            "pages": .count(pages),
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
            "stopped_by": .string(bound.rawValue),
        ]
    }
}
