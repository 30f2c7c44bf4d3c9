import BacklotDatabase
import Floki

/// Changes the published entries inside a transaction.
struct EntryWriter {
    let database: Database
    /// The ends of spans that this transaction has recorded.
    private var spans: [FeedSpans: [Int64: Int64]] = [:]
    /// The words that this transaction has recorded, in UTF-8: as texts, words that look alike are equal.
    private var words: Set<[UInt8]> = []

    init(database: Database) {
        self.database = database
    }

    /// Adds an entry with its revision, or replaces the one with its id.
    mutating func save(_ entry: StoredEntry, in stream: Int64) throws {
        let values: [any DatabaseValue] = [stream, entry.id]
        try execute("DELETE FROM tombstone WHERE stream = ? AND id = ?", values)
        let old = try database.first("SELECT key, sort FROM entry WHERE stream = ? AND id = ?", values) { row in
            (key: row[0] as Int64, sort: row[1] as Int)
        }
        if let old { try forget(old.key) }
        let key = old.flatMap { $0.sort == entry.sortID ? $0.key : nil }
        let place = try key ?? place(entry.id, entry.sortID, in: stream)
        try execute(
            "INSERT INTO entry (key, stream, id, sort, expires, wire, page, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [place, stream, entry.id, entry.sortID, entry.expirationDate, entry.wire, entry.page, entry.revision]
        )
        try extend(.places, place, entry.expirationDate)
        try extend(.ids, FeedID.number(entry.id, in: stream), entry.expirationDate)
        for tag in entry.tags { try execute("INSERT OR IGNORE INTO tag (tag, key) VALUES (?, ?)", [tag, place]) }
        guard !entry.words.isEmpty else { return }
        let text = entry.words.joined(separator: " ")
        try execute("INSERT INTO entry_words (rowid, words) VALUES (?, ?)", [place, text])
        for word in entry.words where words.insert(Array(word.utf8)).inserted {
            try execute("INSERT OR IGNORE INTO word (text) VALUES (?)", [word])
        }
    }

    /// Records the time until which an entry lives.
    mutating func extend(_ spans: FeedSpans, _ number: Int64, _ expires: Int) throws {
        let span = spans.span(of: number)
        let latest = expires == 0 ? Int64.max : Int64(expires)
        if let known = self.spans[spans]?[span], known >= latest { return }
        try spans.extend(span, until: latest, database)
        self.spans[spans, default: [:]][span] = latest
    }

    /// Removes an entry, and remembers its id and place.
    ///
    /// - Returns: whether there was such an entry.
    func remove(_ id: Int, from stream: Int64) throws -> Bool {
        let sql = "SELECT key, sort FROM entry WHERE stream = ? AND id = ?"
        let old = try database.first(sql, [stream, id]) { (key: $0[0] as Int64, sort: $0[1] as Int) }
        guard let old else { return false }
        try forget(old.key)
        try execute("INSERT INTO tombstone (stream, id, sort) VALUES (?, ?, ?)", [stream, id, old.sort])
        return true
    }

    /// Forgets the oldest removed ids of a stream.
    func forgetTombstones(of stream: Int64) throws {
        let sql = """
            DELETE FROM tombstone WHERE stream = ? AND number <= (
                SELECT number FROM tombstone WHERE stream = ? ORDER BY number DESC LIMIT 1 OFFSET ?
            )
            """
        try execute(sql, [stream, stream, FeedQuery.maximumRemoved])
    }

    /// Removes an entry without remembering it.
    private func forget(_ key: Int64) throws {
        for sql in [
            "DELETE FROM entry_words WHERE rowid = ?", "DELETE FROM tag WHERE key = ?",
            "DELETE FROM entry WHERE key = ?",
        ] {
            try execute(sql, [key])
        }
    }

    /// Removes some entries that ended before a time, and returns their number.
    func removeExpired(before time: Int, atMost count: Int) throws -> Int {
        let sql = "SELECT key, stream, id FROM entry WHERE expires > 0 AND expires < ? LIMIT ?"
        let rows = try database.all(sql, [time, count]) { row in
            (key: row[0] as Int64, id: FeedID.number(row[2], in: row[1]))
        }
        for row in rows { try forget(row.key) }
        for span in Set(rows.map { FeedSpans.places.span(of: $0.key) }) { try FeedSpans.places.measure(span, database) }
        for span in Set(rows.map { FeedSpans.ids.span(of: $0.id) }) {
            try FeedSpans.ids.measure(span, database)
        }
        return rows.count
    }

    func execute(_ sql: String, _ values: [any DatabaseValue]) throws { try database.run(sql, values) }
}
