public import Backlot
public import BacklotClients

/// What is different between two deployments.
public struct ComparisonReport: Sendable {
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
        /// There are more pages than were to be requested.
        case pages
        /// The time was over.
        case time
        /// A gave no answers any more.
        case a
        /// B gave no answers any more.
        case b
        /// A's responses are more than a baseline may hold.
        case size
        /// Its task was cancelled.
        case interrupted

        init(_ bound: CrawlReport.Bound) { self = Stop(rawValue: bound.rawValue) ?? .a }
    }

    /// The protocol that both speak.
    public let appProtocol: AppProtocol
    /// A's URL.
    public let a: HTTPURL
    /// B's URL; nil where A's side was only kept.
    public internal(set) var b: HTTPURL?
    /// The side that gave no response at all; nil where both did.
    public internal(set) var side: Side?
    /// Why it gave none.
    public internal(set) var unreachable: ClientError?
    /// What differs, in the order in which it was requested.
    public internal(set) var differences: [Difference] = []
    /// The pages that were compared.
    public internal(set) var pages: [String] = []
    /// How many further differences there are.
    public internal(set) var notListed = 0
    /// The pages that a side has answered with another status the second time, so that they can't be compared.
    public internal(set) var unstable: [String] = []
    /// How many requests were sent, to both sides.
    public internal(set) var requests = 0
    /// What ended it early; nil for a complete comparison.
    public internal(set) var stop: Stop?
    /// How many pages of A are known that were not requested.
    public internal(set) var notVisited = 0
    /// The rpcs, and the methods that take input, that were not called.
    public internal(set) var callsNotCompared: [String] = []
    /// A's side, for later comparisons; nil unless ``ComparisonOptions/keepsBaseline`` is set, and A was reached.
    public internal(set) var baseline: ComparisonBaseline?
    /// How long it took.
    public internal(set) var duration = Duration.zero

    /// Whether clients, or pages that they have kept, stop working.
    public var isBreaking: Bool { differences.contains { $0.kind == .breaking } }

    /// How many differences are of a kind.
    public func count(_ kind: Difference.Kind) -> Int { differences.count { $0.kind == kind } }
}

extension ComparisonReport: ServerReport {
    /// `diff`.
    public static var tool: String { "diff" }

    /// Whether a side's silence, the time or the size of a baseline ended it. The number of pages is chosen, and doesn't count.
    public var isCutShort: Bool { stop.map { $0 != .pages && $0 != .interrupted } ?? false }

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
                : FindingReport(pages: subjects).text(counting: ("page", "pages")) { Difference.Kind($0).rawValue }
        )
        if notListed > 0 { lines.append("further differences, not listed: \(notListed)") }
        lines.append("\(requests) requests in \(duration.inTenths) s, \(appProtocol.title)")
        switch stop {
        case .pages: lines.append("Stopped after \(pages.count) pages, the maximum.")
        case .time: lines.append("Stopped: the time was over.")
        case .a, .b: lines.append("Stopped: \(stop == .a ? "A" : "B") gives no answers any more.")
        case .size: lines.append("Stopped: A's answers are more than a baseline may hold.")
        case .interrupted: lines.append("Interrupted after \(pages.count) pages.")
        case nil: break
        }
        if notVisited > 0 { lines.append("not visited: \(notVisited)") }
        lines += Self.list("not compared, since a side answers with another status each time", unstable)
        lines += Self.list("\(appProtocol.comparison.calls) not called", callsNotCompared)
        return lines.joined(separator: "\n")
    }

    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol` | the name of the protocol, such as `dynamic-views` |
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
            "protocol": .string(appProtocol.name),
            "a": .string("\(a)"),
            "b": .text(b),
            "unreachable": .text(unreachable),
            "unreachable_side": .text(side?.rawValue),
            "pages": .count(pages.count),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "breaking": .count(count(.breaking)),
            "visible": .count(count(.visible)),
            "neutral": .count(count(.neutral)),
            "findings": .array(differences.map { $0.json(["class": .string($0.kind.rawValue)]) }),
            "not_listed": .count(notListed),
            "stopped_by": .text(stop?.rawValue),
            "not_visited_count": .count(notVisited),
            "not_compared": .texts(unstable.prefix(1000)),
            "rpcs_not_called": .texts(callsNotCompared.prefix(1000)),
        ]
    }
}

extension Difference {
    /// The difference in reports for programs.
    func json(_ more: JSONObject) -> JSONValue {
        var object = finding.json
        for member in more.members { object[member.key] = member.value }
        object["was"] = .text(was)
        object["now"] = .text(now)
        return .object(object)
    }
}

/// The differences of a comparison, page by page. It is bounded, and keeps each difference once.
struct FoundDifferences {
    /// How many differences of each kind are listed for one page; the others are counted.
    static let mostPerPage = 100
    /// How many differences of each kind are listed.
    private static let most = 10_000
    /// How long the values of a difference may be.
    private static let longest = 200

    private struct Entry {
        var differences: [Difference] = []
        /// What tells them apart: rule, place and value.
        var keys: Set<[String?]> = []
        var counts: [Difference.Kind: Int] = [:]
    }

    private(set) var pages: [String] = []
    private var entries: [String: Entry] = [:]
    private var counts: [Difference.Kind: Int] = [:]
    private(set) var notListed = 0
    /// The least kind that counts.
    private let least: Difference.Kind

    init(from least: Difference.Kind) { self.least = least }

    /// Adds what differs on a page, which is counted also where nothing does.
    ///
    /// - Parameter dropped: how many further differences nobody has kept.
    mutating func add(_ differences: [Difference], on page: String, dropped: Int = 0) {
        var entry = entries[page] ?? Entry()
        if entries[page] == nil { pages.append(page) }
        defer { entries[page] = entry }
        notListed += dropped
        for var difference in differences where difference.kind >= least {
            let kind = difference.kind
            difference.was = difference.was?.cut(to: Self.longest)
            difference.now = difference.now?.cut(to: Self.longest)
            difference.path = FindingPath(page: page, steps: difference.path.steps, pointer: difference.pointer)
            difference.fix = kind.fix(difference.rule)
            let key = [difference.rule, difference.pointer, difference.now]
            guard !entry.keys.contains(key) else { continue }
            // Each kind has room of its own, so that none hides a worse one.
            guard counts[kind, default: 0] < Self.most, entry.counts[kind, default: 0] < Self.mostPerPage else {
                notListed += 1
                continue
            }
            entry.keys.insert(key)
            entry.differences.append(difference)
            entry.counts[kind, default: 0] += 1
            counts[kind, default: 0] += 1
        }
    }

    func hasDifferences(on page: String) -> Bool { entries[page]?.differences.isEmpty == false }

    /// Takes back differences of a page that only show what a side changes by itself.
    mutating func remove(on page: String, _ isPassing: (Difference) -> Bool) {
        entries[page]?.differences.removeAll(where: isPassing)
    }

    var all: [Difference] { pages.flatMap { entries[$0]?.differences ?? [] } }
}
