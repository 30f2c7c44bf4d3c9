internal import Backlot

/// The differences of a comparison, page by page. It is bounded, and keeps each difference once.
struct DiffFindings {
    /// How many differences of each class are listed for one page; the others are counted.
    static let mostPerPage = 100
    /// How many differences of each class are listed.
    static let most = 10_000

    /// What tells differences of a page apart.
    private struct Key: Hashable {
        let rule: String
        let pointer: String
        let now: String?
    }

    private struct Entry {
        var differences: [DiffReport.Difference] = []
        var keys: Set<Key> = []
        var counts: [DiffClass: Int] = [:]
    }

    private(set) var pages: [String] = []
    private var entries: [String: Entry] = [:]
    private var counts: [DiffClass: Int] = [:]
    private(set) var notListed = 0
    /// The least class that counts.
    private let least: DiffClass

    init(from least: DiffClass) { self.least = least }

    /// Begins a page, so that it is counted also where nothing differs.
    mutating func begin(_ path: String) {
        guard entries[path] == nil else { return }
        entries[path] = Entry()
        pages.append(path)
    }

    mutating func add(_ differences: [DiffReport.Difference]) {
        for difference in differences {
            let path = difference.finding.path.page
            begin(path)
            guard difference.kind >= least else { continue }
            let kind = difference.kind
            let key = Key(
                rule: difference.finding.rule,
                pointer: difference.finding.path.pointer,
                now: difference.now
            )
            guard entries[path]?.keys.contains(key) == false else { continue }
            // Each class has room of its own, so that none hides a worse one.
            guard counts[kind, default: 0] < Self.most,
                entries[path]?.counts[kind, default: 0] ?? 0 < Self.mostPerPage
            else {
                notListed += 1
                continue
            }
            entries[path]?.keys.insert(key)
            entries[path]?.differences.append(difference)
            entries[path]?.counts[kind, default: 0] += 1
            counts[kind, default: 0] += 1
        }
    }

    /// Counts differences that nobody has kept.
    mutating func drop(_ count: Int) { notListed += count }

    func hasDifferences(on path: String) -> Bool { entries[path]?.differences.isEmpty == false }

    /// Takes back differences of a page.
    mutating func filter(on path: String, _ rest: ([DiffReport.Difference]) -> [DiffReport.Difference]) {
        let differences = entries[path]?.differences ?? []
        entries[path]?.differences = rest(differences)
    }

    var differences: [DiffReport.Difference] { pages.flatMap { entries[$0]?.differences ?? [] } }
}
