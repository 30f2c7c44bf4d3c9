import BacklotDatabase
import Floki

/// Reads feeds at one instant.
struct FeedReader {
    let database: Database

    func stream(_ stream: FeedStream) throws -> Int64? {
        let sql = "SELECT number FROM stream WHERE feed = ? AND language = ?"
        return try database.first(sql, [stream.feed, stream.language]) { $0[0] }
    }

    static let byPlace = "SELECT key, expires, wire, id FROM entry WHERE key BETWEEN ? AND ? ORDER BY key DESC"
    /// The numbers of ``FeedID``.
    static let byID = """
        SELECT stream << \(FeedID.bits) | id, expires, wire, key FROM entry
        WHERE stream = ? AND id BETWEEN (? & \(FeedID.highest)) AND (? & \(FeedID.highest)) ORDER BY id DESC
        """
    /// The order of the tables is that of the joins: words first.
    static let byWords = """
        SELECT w.rowid, e.expires FROM entry_words w CROSS JOIN entry e ON e.key = w.rowid
        WHERE entry_words MATCH ? AND w.rowid BETWEEN ? AND ? ORDER BY w.rowid DESC
        """
    static let byTag = """
        SELECT t.key, e.expires FROM tag t CROSS JOIN entry e ON e.key = t.key
        WHERE t.tag = ? AND t.key BETWEEN ? AND ? ORDER BY t.key DESC
        """

    func window(_ query: FeedQuery) throws -> FeedWindow {
        guard let stream = try stream(query.stream) else { return FeedWindow() }
        var entries: [(place: Int64, wire: [UInt8])] = []
        var lowestID = Int.max
        /// The last second of the first of those entries that ends.
        var end = Int.max
        // One more than requested, to see whether there are more.
        func add(_ place: Int64, _ row: borrowing Row) -> Bool {
            entries.append((place, row[2]))
            end = min(end, lastSecond(row))
            guard entries.count <= query.limit else { return false }
            if query.start == .newest { lowestID = min(lowestID, row[3]) }
            return true
        }
        switch query.start {
        case .newest:
            let walk = walk(.places, FeedPlace.range(of: stream), query.now)
            try walk.run(Self.byPlace) { add($0[0], $0) }
        case .after(let id):
            let first = FeedPlace.range(of: stream).lowerBound
            if let last = try lastPlace(after: id, in: stream), last >= first {
                try walk(.places, first...last, query.now).run(Self.byPlace) { add($0[0], $0) }
            }
        case .below(let id):
            let walk = walk(.ids, FeedID.range(of: stream, through: id - 1), query.now)
            try walk.run(Self.byID, [stream]) { add($0[3], $0) }
        }
        var hasOlder = entries.count > query.limit
        if hasOlder { entries.removeLast() }
        let hole = hasOlder ? try hole(below: lowestID, query, stream, &end) : []
        if query.start == .newest, hole.isEmpty, let lowest = query.lowest {
            hasOlder = false
            let walk = walk(.ids, FeedID.range(of: stream, through: lowest - 1), query.now)
            try walk.run(Self.byID, [stream]) { row in
                hasOlder = true
                end = min(end, lastSecond(row))
                return false
            }
        }
        if case .below = query.start { entries.sort { $0.place > $1.place } }
        return FeedWindow(
            entries: entries.map(\.wire),
            removed: try removed(query, stream) + hole,
            hasOlder: hasOlder,
            unchangedUntil: end == .max ? nil : end + 1
        )
    }

    /// The last second of an entry, of a row whose second column is its time of expiry.
    private func lastSecond(_ row: borrowing Row) -> Int {
        let expires: Int = row[1]
        return expires == 0 ? .max : expires
    }

    /// The ids of the client that would remain behind a hole.
    private func hole(below end: Int, _ query: FeedQuery, _ stream: Int64, _ lastSecond: inout Int) throws -> [Int] {
        guard query.start == .newest, let highest = query.highest, highest < end - 1 else { return [] }
        let range = FeedID.number(highest + 1, in: stream)...FeedID.number(end - 1, in: stream)
        var isHole = false
        try walk(.ids, range, query.now).run(Self.byID, [stream]) { row in
            isHole = true
            lastSecond = min(lastSecond, self.lastSecond(row))
            return false
        }
        guard isHole else { return [] }
        let sql = "SELECT id FROM entry WHERE stream = ? AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"
        let lowest = min(query.lowest ?? 1, highest)
        return try database.all(sql, [stream, lowest, highest, query.longestRemovedLimit]) { $0[0] }
    }

    func walk(_ spans: FeedSpans, _ range: ClosedRange<Int64>, _ now: Int) -> FeedWalk {
        FeedWalk(database: database, spans: spans, range: range, now: now)
    }

    /// The place that follows an entry in the feed; nil at the end. A removed entry counts where it stood, and an unknown one
    /// where its id would sort.
    private func lastPlace(after id: Int, in stream: Int64) throws -> Int64? {
        let own = "SELECT key FROM entry WHERE stream = ? AND id = ?"
        let key: Int64? = try database.first(own, [stream, id]) { $0[0] }
        if let key { return key - 1 }
        let removed = "SELECT sort FROM tombstone WHERE stream = ? AND id = ?"
        let sort = try database.first(removed, [stream, id]) { $0[0] } ?? id
        return try database.first(Self.firstAfter, [stream, sort, id]) { $0[0] }
    }

    private func removed(_ query: FeedQuery, _ stream: Int64) throws -> [Int] {
        guard let lowest = query.lowest else {
            let sql = "SELECT id FROM tombstone WHERE stream = ? ORDER BY number DESC LIMIT ?"
            return try database.all(sql, [stream, query.removedLimit]) { $0[0] }
        }
        let sql = "SELECT id FROM tombstone WHERE stream = ? AND id >= ? ORDER BY number DESC LIMIT ?"
        return try database.all(sql, [stream, lowest, query.longestRemovedLimit]) { $0[0] }
    }

    /// - Parameters:
    ///   - mostRows: how many entries that a search finds are looked at, and returned where it has no limit.
    ///   - deadline: when the search fails.
    /// - Throws: `StatusError` with 503 where the bounds leave a page unfinished.
    func search(
        _ search: FeedSearch,
        mostRows: Int,
        deadline: ContinuousClock.Instant
    ) throws -> [[UInt8]] {
        guard search.limit != 0, let stream = try stream(search.stream) else { return [] }
        let sql: String
        let argument: String
        switch search.criterion {
        case .tag(let tag): (sql, argument) = (Self.byTag, tag)
        case .words(let words):
            guard let words = try FeedWords(database: database).expression(words) else { return [] }
            (sql, argument) = (Self.byWords, words)
        }
        var walk = walk(.places, FeedPlace.range(of: stream), search.now)
        walk.mostRows = mostRows
        walk.deadline = deadline
        var skipped = 0
        var keys: [Int64] = []
        try walk.run(sql, [argument]) { row in
            if skipped < search.offset {
                skipped += 1
            } else {
                keys.append(row[0])
            }
            return keys.count < search.limit ?? mostRows
        }
        let wire = "SELECT wire FROM entry WHERE key = ?"
        return try keys.compactMap { key in try database.first(wire, [key]) { $0[0] } }
    }
}
