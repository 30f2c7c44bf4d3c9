internal import Backlot
internal import BacklotClients

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
