public import Backlot
public import BacklotClients
public import BacklotJSON

/// What is different between two deployments.
public struct DiffReport: Sendable {
    /// One of the two.
    public enum Side: String, Sendable {
        /// The first, which is the measure.
        case a
        /// The second.
        case b

        /// `A` or `B`.
        public var name: String { rawValue.uppercased() }
    }

    /// What ended the comparison early.
    public enum Stop: String, Sendable {
        /// There are more pages than were to be asked for.
        case pages
        /// The time was over.
        case time
        /// A gave no answers any more.
        case a
        /// B gave no answers any more.
        case b
        /// A's answers are more than a baseline may hold.
        case size
        /// Its task was cancelled.
        case interrupted

        init(_ bound: CrawlReport.Bound) {
            switch bound {
            case .pages: self = .pages
            case .time: self = .time
            case .backend: self = .a
            case .interrupted: self = .interrupted
            }
        }
    }

    /// Something that differs.
    public struct Difference: Sendable, Equatable {
        /// What it means for the clients that are there.
        public internal(set) var kind: DiffClass
        /// What it is, and where. The place is one of B's page; for what is gone, of A's.
        public internal(set) var finding: Finding
        /// What A has; nil where it has nothing there.
        public let was: String?
        /// What B has; nil where it has nothing there.
        public let now: String?
        /// The place in A's page.
        var place = ""

        static let valueRules: Set<String> = ["value-changed", "order-changed", "target-changed"]

        /// Adds what clients make of it.
        mutating func explain(_ message: String, _ kind: DiffClass) {
            self.kind = kind
            let isKnown = finding.message.contains(message)
            finding = Finding(
                kind.severity,
                rule: finding.rule,
                path: finding.path,
                message: isKnown ? finding.message : "\(finding.message) \(message)",
                fix: DiffRules.fix(kind, finding.rule),
                isRejection: false
            )
        }
    }

    /// The protocol that both speak.
    public let wire: CrawlWire
    /// A's URL.
    public let a: HTTPURL
    /// B's URL; nil where A's side was only kept.
    public let b: HTTPURL?
    /// The side that gave no answer at all; nil where both did.
    public let side: Side?
    /// Why it gave none.
    public let unreachable: ClientFailure?
    /// What differs, in the order in which it was asked for.
    public let differences: [Difference]
    /// The pages that were compared.
    public let pages: [String]
    /// How many further differences there are.
    public let notListed: Int
    /// The pages that a side has answered with another status the second time, so that they can't be compared.
    public let unstable: [String]
    /// How many requests were sent, to both sides.
    public let requests: Int
    /// What ended it early; nil for a complete comparison.
    public let stop: Stop?
    /// How many pages of A are known that were not asked for.
    public let notVisited: Int
    /// The rpcs, and the methods that take input, that were not called.
    public let callsNotCompared: [String]
    /// A's side, for later comparisons; nil unless ``DiffOptions/keepsBaseline`` is set, and A was reached.
    public let baseline: DiffBaseline?
    /// How long it took.
    public internal(set) var duration = Duration.zero

    /// Whether clients, or pages that they have kept, stop working.
    public var isBreaking: Bool { differences.contains { $0.kind == .breaking } }

    /// How many differences are of a class.
    public func count(_ kind: DiffClass) -> Int { differences.count { $0.kind == kind } }
}

extension DiffReport: ServerReport {
    /// `diff`.
    public static var tool: String { "diff" }

    /// Whether a side's silence, the time or the size of a baseline ended it. The number of pages is chosen, and doesn't count.
    public var isCutShort: Bool {
        switch stop {
        case .a, .b, .time, .size: true
        case .pages, .interrupted, nil: false
        }
    }

    /// Every difference: breaking ones are errors, visible ones warnings, neutral ones notes.
    public var findings: [Finding] { differences.map(\.finding) }

    /// The pages that were compared.
    public var subjects: [FindingReport.Page] {
        let found = Dictionary(grouping: findings, by: \.path.page)
        return pages.map { FindingReport.Page(path: $0, findings: found[$0] ?? []) }
    }

    /// The differences page by page, and what was not compared.
    public var description: String {
        if let unreachable, let side {
            return "\(side.name) (\(side == .a ? "\(a)" : b.map { "\($0)" } ?? "")) can't be reached: \(unreachable)."
        }
        var lines = ["A: \(a)"]
        if let b { lines.append("B: \(b)") }
        lines.append("")
        lines.append(
            b == nil
                ? "\(pages.count) \(pages.count == 1 ? "page" : "pages") of A"
                : FindingReport(pages: subjects).text(counting: ("page", "pages")) { severity in
                    DiffClass.allCases.first { $0.severity == severity }?.rawValue ?? ""
                }
        )
        if notListed > 0 { lines.append("further differences, not listed: \(notListed)") }
        let milliseconds = duration.milliseconds
        lines.append("\(requests) requests in \(milliseconds / 1000).\(milliseconds % 1000 / 100) s, \(wire.title)")
        switch stop {
        case .pages: lines.append("Stopped after \(pages.count) pages, the most that were to be asked for.")
        case .time: lines.append("Stopped: the time was over.")
        case .a: lines.append("Stopped: A gives no answers any more.")
        case .b: lines.append("Stopped: B gives no answers any more.")
        case .size: lines.append("Stopped: A's answers are more than a baseline may hold.")
        case .interrupted: lines.append("Interrupted after \(pages.count) pages.")
        case nil: break
        }
        if notVisited > 0 { lines.append("not visited: \(notVisited)") }
        lines += list("not compared, since a side answers with another status each time", unstable)
        lines += list(wire == .xpedite ? "methods that take input, not called" : "rpcs not called", callsNotCompared)
        return lines.joined(separator: "\n")
    }

    private func list(_ title: String, _ items: [String]) -> [String] {
        guard !items.isEmpty else { return [] }
        let shown = items.prefix(10).map { $0.cut(to: 80) }.joined(separator: ", ")
        return ["\(title): \(items.count): \(shown)\(items.count > 10 ? ", …" : "")"]
    }

    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol` | `applin`, `xpedite`, `floki` or `views` |
    /// | `a`, `b` | the URLs |
    /// | `unreachable`, `unreachable_side` | why a side gave no answer, and `a` or `b`; or null |
    /// | `pages`, `requests`, `milliseconds` | how many pages were compared, how many requests were sent, and how long it took |
    /// | `breaking`, `visible`, `neutral` | how many differences there are of each class |
    /// | `findings` | objects with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix`, `class`, `was`, `now` |
    /// | `not_listed` | how many further differences there are |
    /// | `stopped_by` | `pages`, `time`, `a`, `b`, `size`, `interrupted` or null |
    /// | `not_visited_count` | how many pages of A were not asked for |
    /// | `not_compared`, `rpcs_not_called` | paths, at most 1,000 |
    public var json: JSONValue {
        [
            "protocol": .string(wire.rawValue),
            "a": .string("\(a)"),
            "b": b.map { .string("\($0)") } ?? .null,
            "unreachable": unreachable.map { .string("\($0)") } ?? .null,
            "unreachable_side": side.map { .string($0.rawValue) } ?? .null,
            "pages": .count(pages.count),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "breaking": .count(count(.breaking)),
            "visible": .count(count(.visible)),
            "neutral": .count(count(.neutral)),
            "findings": .array(differences.map(\.json)),
            "not_listed": .count(notListed),
            "stopped_by": stop.map { .string($0.rawValue) } ?? .null,
            "not_visited_count": .count(notVisited),
            "not_compared": .texts(unstable.prefix(1000)),
            "rpcs_not_called": .texts(callsNotCompared.prefix(1000)),
        ]
    }
}

extension DiffReport.Difference {
    fileprivate var json: JSONValue {
        var object = finding.json
        object["class"] = .string(kind.rawValue)
        object["was"] = was.map { .string($0) } ?? .null
        object["now"] = now.map { .string($0) } ?? .null
        return .object(object)
    }
}

extension DiffReport.Difference: PlacedChange {
    var rule: String { finding.rule }
}
