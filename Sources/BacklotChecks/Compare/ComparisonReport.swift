public import Backlot
public import BacklotClients

/// The differences between two deployments.
public struct ComparisonReport: Sendable {
    /// A side of the comparison.
    public enum Side: String, Sendable {
        /// The first side, which is the reference.
        case a
        /// The second side.
        case b

        /// `A` or `B`.
        public var name: String { rawValue.uppercased() }
    }

    /// The reason why a comparison ended early.
    public enum End: String, Sendable {
        /// The maximum number of pages was reached.
        case pages
        /// The time was over.
        case time
        /// A stopped responding.
        case a
        /// B stopped responding.
        case b
        /// A's responses exceed the maximum size of a baseline.
        case size
        /// The task was cancelled.
        case interrupted

        init(_ end: CrawlReport.End) { self = End(rawValue: end.rawValue) ?? .a }
    }

    /// The protocol of both sides.
    public let appProtocol: AppProtocol
    /// A's URL.
    public let a: HTTPURL
    /// B's URL; nil if A's side was only recorded.
    public internal(set) var b: HTTPURL?
    /// The side that didn't respond at all, or A if it has no app; nil otherwise.
    public internal(set) var unreachableSide: Side?
    /// The reason why the side can't be compared.
    public internal(set) var unreachable: ClientError?
    /// Whether A's side was read from a file.
    var readsBaseline = false
    /// The differences, in the order of the requests.
    public internal(set) var differences: [Difference] = []
    /// The compared pages.
    public internal(set) var pages: [String] = []
    /// The number of further differences.
    public internal(set) var notListedCount = 0
    /// The pages that can't be compared, because a side responded with another status the second time.
    public internal(set) var unstable: [String] = []
    /// The number of requests to both sides.
    public internal(set) var requests = 0
    /// The reason why the comparison ended early; nil if it is complete.
    public internal(set) var end: End?
    /// The number of known pages of A that weren't requested.
    public internal(set) var notVisitedCount = 0
    /// The rpcs and the methods that take input that weren't called.
    public internal(set) var rpcsNotCalled: [String] = []
    /// A's side, for later comparisons; nil unless ``ComparisonOptions/keepsBaseline`` is set and A responded.
    public internal(set) var baseline: ComparisonBaseline?
    /// The length of the comparison.
    public internal(set) var duration = Duration.zero

    /// Whether clients, or pages that they have stored, stop working.
    public var isBreaking: Bool { differences.contains { $0.kind == .breaking } }

    /// The number of differences of a kind.
    public func count(_ kind: Difference.Kind) -> Int { differences.count { $0.kind == kind } }
}

extension ComparisonReport: ServerReport {
    /// The tool's name, `diff`.
    public static var tool: String { "diff" }

    /// Whether the comparison ended early because of one side, the time limit or the baseline's size. The maximum number of pages
    /// is a choice, and doesn't count.
    public var isCutShort: Bool { end.map { $0 != .pages && $0 != .interrupted } ?? false }

    /// All differences: breaking ones are errors, visible ones warnings, neutral ones notes.
    public var findings: [Finding] { differences.map(\.finding) }

    /// The compared pages.
    public var subjects: [FindingReport.Page] {
        let found = Dictionary(grouping: findings, by: \.path.page)
        return pages.map { FindingReport.Page(path: $0, findings: found[$0] ?? []) }
    }

    /// The differences page by page, and the parts that weren't compared.
    public var description: String {
        if let unreachable, let side = unreachableSide {
            if case .noApp(let response) = unreachable {
                let cure = readsBaseline ? ", and record the file again" : ""
                let isClosed = response.hasPrefix("401") || response.hasPrefix("403")
                let advice = isClosed ? "Begin at a page that needs no log-in" : "Correct the URL"
                return "\(side.name) has no app at \(a): the response is \(response). \(advice)\(cure)."
            }
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
        if notListedCount > 0 { lines.append("further differences, not listed: \(notListedCount)") }
        lines.append("\(requests) requests in \(duration.inTenths) s, \(appProtocol.title)")
        switch end {
        case .pages: lines.append("Stopped after \(pages.count) pages, the maximum.")
        case .time: lines.append("Stopped: the time was over.")
        case .a, .b: lines.append("Stopped: \(end == .a ? "A" : "B") doesn't respond any more.")
        case .size: lines.append("Stopped: A's responses are too large for a baseline.")
        case .interrupted: lines.append("Interrupted after \(pages.count) pages.")
        case nil: break
        }
        if notVisitedCount > 0 { lines.append("not visited: \(notVisitedCount)") }
        lines += Self.list("not compared, since a side responds with another status each time", unstable)
        lines += Self.list("\(appProtocol.comparison.calls) not called", rpcsNotCalled)
        return lines.joined(separator: "\n")
    }

    /// The report for programs. Keys keep their names and meanings from version to version; new keys may be added.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol` | the name of the protocol, such as `dynamic-views` |
    /// | `a`, `b` | the URLs |
    /// | `unreachable`, `unreachable_side` | the reason why a side didn't respond or has no app, and `a` or `b`; or null |
    /// | `pages`, `requests`, `milliseconds` | the number of compared pages and of requests, and the length |
    /// | `breaking`, `visible`, `neutral` | the number of differences of each class |
    /// | `findings` | objects with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`, `message`, `fix`, `class`, `was`, `now` |
    /// | `not_listed` | the number of further differences |
    /// | `stopped_by` | `pages`, `time`, `a`, `b`, `size`, `interrupted` or null |
    /// | `not_visited_count` | the number of A's pages that weren't requested |
    /// | `not_compared`, `rpcs_not_called` | paths, at most 1,000 |
    public var json: JSONValue {
        [
            "protocol": .string(appProtocol.name),
            "a": .string("\(a)"),
            "b": .text(b),
            "unreachable": .text(unreachable),
            "unreachable_side": .text(unreachableSide?.rawValue),
            "pages": .count(pages.count),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "breaking": .count(count(.breaking)),
            "visible": .count(count(.visible)),
            "neutral": .count(count(.neutral)),
            "findings": .array(differences.map { $0.json(["class": .string($0.kind.rawValue)]) }),
            "not_listed": .count(notListedCount),
            "stopped_by": .text(end?.rawValue),
            "not_visited_count": .count(notVisitedCount),
            "not_compared": .texts(unstable.prefix(1000)),
            "rpcs_not_called": .texts(rpcsNotCalled.prefix(1000)),
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

/// The differences of a comparison by page. It is bounded, and keeps each difference once.
struct FoundDifferences {
    /// The maximum number of listed differences of each kind for a page; further ones are only counted.
    static let mostPerPage = 100
    /// The maximum number of listed differences of each kind.
    private static let most = 10_000
    /// The maximum length of a difference's values.
    private static let longest = 200

    private struct Entry {
        var differences: [Difference] = []
        /// The keys that distinguish differences: rule, pointer, values and name.
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

    /// Adds the differences of a page, which counts even without differences.
    ///
    /// - Parameter dropped: the number of further differences that weren't kept.
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
            let key = [difference.rule, difference.pointer, difference.was, difference.now, difference.name]
            guard !entry.keys.contains(key) else { continue }
            // Each kind has a separate limit, so that lesser differences can't displace worse ones.
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

    /// Removes the differences of a page that come from a side's own changes.
    mutating func remove(on page: String, _ isPassing: (Difference) -> Bool) {
        entries[page]?.differences.removeAll(where: isPassing)
    }

    var all: [Difference] { pages.flatMap { entries[$0]?.differences ?? [] } }
}
