/// The last entries of a journal, as many as fit into its bounds. A value without I/O.
struct JournalRing: Sendable {
    private let mostEntries: Int
    private let mostBodyBytes: Int
    /// The oldest first.
    private(set) var entries: [JournalEntry] = []
    private(set) var bodyBytes = 0

    init(mostEntries: Int, mostBodyBytes: Int) {
        self.mostEntries = mostEntries
        self.mostBodyBytes = mostBodyBytes
    }

    /// Adds an entry. The oldest ones go that have no room any more.
    mutating func add(_ entry: JournalEntry) {
        entries.append(entry)
        bodyBytes += entry.keptBytes
        var surplus = max(0, entries.count - mostEntries)
        var bytes = bodyBytes - entries[..<surplus].reduce(0) { $0 + $1.keptBytes }
        while bytes > mostBodyBytes {
            bytes -= entries[surplus].keptBytes
            surplus += 1
        }
        if surplus > 0 { entries.removeFirst(surplus) }
        bodyBytes = bytes
    }

    /// Removes some entries.
    ///
    /// - Returns: those that were removed, the newest first.
    mutating func remove(where isUnwanted: (JournalEntry) -> Bool) -> [JournalEntry] {
        var removed: [JournalEntry] = []
        entries.removeAll { entry in
            guard isUnwanted(entry) else { return false }
            removed.append(entry)
            return true
        }
        bodyBytes -= removed.reduce(0) { $0 + $1.keptBytes }
        return removed.reversed()
    }
}
