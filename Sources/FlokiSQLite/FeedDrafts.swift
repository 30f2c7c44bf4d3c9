import Backlot
import BacklotDatabase
import Floki

/// The drafts of feeds, inside a transaction. A feed has only a few.
struct FeedDrafts {
    private static let columns = "id, sort, expires, due, revision, wire, page, words, tags"
    static let byPlace = """
        SELECT \(columns) FROM draft WHERE stream = ? AND (sort, id) < (?, ?) ORDER BY sort DESC, id DESC
        """
    static let byTime = """
        SELECT \(columns), stream FROM draft WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?
        """

    let database: Database

    /// Adds a draft with its revision, or replaces the one with its id.
    func save(_ entry: StoredEntry, in stream: Int64) throws {
        var due: Int64?
        if case .scheduled(let time) = entry.publication { due = Int64(time) }
        let sql = "INSERT OR REPLACE INTO draft (stream, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        let values: [any DatabaseValue] = [
            stream, entry.id, entry.sortID, entry.expirationDate, due, entry.revision, entry.wire, entry.page,
            entry.words.joined(separator: " "), JSONValue.array(entry.tags.map { .string($0) }).description,
        ]
        try database.run(sql, values)
    }

    /// - Returns: whether there was such a draft.
    func discard(_ id: Int, from stream: Int64) throws -> Bool {
        try database.run("DELETE FROM draft WHERE stream = ? AND id = ?", [stream, id])
        return database.changesCount > 0
    }

    func draft(_ id: Int, of stream: Int64) throws -> StoredEntry? {
        let sql = "SELECT \(Self.columns) FROM draft WHERE stream = ? AND id = ?"
        return try database.first(sql, [stream, id]) { try draft($0) }
    }

    /// The drafts of a page, in the feed's order.
    func page(_ query: EntryQuery, in stream: Int64) throws -> [StoredEntry] {
        var found: [StoredEntry] = []
        let (after, ids) = (query.after, query.ids.map { Set($0) })
        try database.forEach(Self.byPlace, [stream, after?.sortID ?? .max, after?.id ?? .max]) { row in
            let draft = try draft(row)
            if ids?.contains(draft.id) ?? true, query.matches(draft) { found.append(draft) }
            return found.count < query.limit
        }
        return found
    }

    /// The changes that publish some of the drafts that are due, by feed.
    func changes(dueAt now: Int, atMost count: Int) throws -> [String: [FeedChange]] {
        let drafts = try database.all(Self.byTime, [now, count]) { (entry: try draft($0), stream: $0[9] as Int64) }
        var changes: [String: [FeedChange]] = [:]
        for (entry, stream) in drafts {
            let sql = "SELECT feed, language FROM stream WHERE number = ?"
            let place = try database.first(sql, [stream]) { (feed: $0[0] as String, language: $0[1] as String) }
            guard let place else { continue }
            var entry = entry
            entry.publication = .published
            changes[place.feed, default: []].append(.save(entry, language: place.language))
        }
        return changes
    }

    /// The time when the next draft is due.
    func nextTime() throws -> Int? {
        let time: Int64?? = try database.first("SELECT min(due) FROM draft WHERE due IS NOT NULL") { $0[0] }
        return (time ?? nil).map { Int($0) }
    }

    private func draft(_ row: borrowing Row) throws -> StoredEntry {
        let due: Int64? = row[3]
        return StoredEntry(
            id: row[0],
            sortID: row[1],
            expirationDate: row[2],
            wire: row[5],
            page: row[6],
            words: (row[7] as String).split(separator: " ").map(String.init),
            tags: try database.texts(row[8]),
            publication: due.map { .scheduled(at: Int($0)) } ?? .draft,
            revision: row[4]
        )
    }
}
