internal import Backlot

/// The differences of a comparison, page by page. It is bounded, and keeps each difference once.
struct DiffFindings {
    /// How many differences of one page are listed; the others are counted.
    static let mostPerPage = 100
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
    }

    private(set) var pages: [String] = []
    private var entries: [String: Entry] = [:]
    private var count = 0
    private(set) var notListed = 0

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
            let key = Key(
                rule: difference.finding.rule,
                pointer: difference.finding.path.pointer,
                now: difference.now
            )
            guard entries[path]?.keys.contains(key) == false else { continue }
            guard count < Self.most, entries[path]?.differences.count ?? 0 < Self.mostPerPage else {
                notListed += 1
                continue
            }
            entries[path]?.keys.insert(key)
            entries[path]?.differences.append(difference)
            count += 1
        }
    }

    func hasDifferences(on path: String) -> Bool { entries[path]?.differences.isEmpty == false }

    /// Takes back differences of a page.
    mutating func filter(on path: String, _ rest: ([DiffReport.Difference]) -> [DiffReport.Difference]) {
        let differences = entries[path]?.differences ?? []
        entries[path]?.differences = rest(differences)
    }

    func differences(from least: DiffClass) -> [DiffReport.Difference] {
        pages.flatMap { entries[$0]?.differences ?? [] }.filter { $0.kind >= least }
    }
}
