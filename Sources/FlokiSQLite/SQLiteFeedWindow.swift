import BacklotDatabase
import Floki

/// Reads feeds in a single state of the file.
struct SQLiteFeedWindow {
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
    /// The tables are joined in this order: words first.
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
        /// The last second of the entry that ends first.
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

    /// The last second of an entry, in a row with its time of expiry in the second column.
    private func lastSecond(_ row: borrowing Row) -> Int {
        let expires: Int = row[1]
        return expires == 0 ? .max : expires
    }

    /// The client's ids that would remain behind a gap.
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

    func walk(_ spans: FeedSpans, _ range: ClosedRange<Int64>, _ now: Int) -> FeedScan {
        FeedScan(database: database, spans: spans, range: range, now: now)
    }

    /// The place that follows an entry in the feed; nil at the end. For a removed entry, its former place counts; for an unknown
    /// one, the place where its id would sort.
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
    ///   - mostRows: the maximum number of found entries to read, and to return if the search has no limit.
    ///   - deadline: the time when the search fails.
    /// - Throws: `StatusError` with 503 if a page can't be finished within the limits.
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
            guard let words = try TermExpression(database: database).expression(words) else { return [] }
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

/// Stored entries.
extension SQLiteFeedWindow {
    private static let whole = """
        SELECT key, id, sort, expires, wire, page, revision, (SELECT words FROM entry_words WHERE rowid = key) FROM entry
        """
    private static let hasTag = "SELECT 1 FROM tag WHERE tag = ? AND key = ?"
    /// The number of entries to count for finding out which word or tag is rare.
    private static let mostCounted = 5_000
    static let firstAfter = """
        SELECT key FROM entry WHERE stream = ? AND (sort, id) < (?, ?) ORDER BY sort DESC, id DESC LIMIT 1
        """

    /// A published entry that hasn't ended.
    func entry(_ id: Int, of stream: FeedStream, now: Int) throws -> StoredEntry? {
        guard let number = try self.stream(stream), let entry = try stored(id, number) else { return nil }
        return entry.hasExpired(at: now) ? nil : entry
    }

    /// A published entry.
    func stored(_ id: Int, _ stream: Int64) throws -> StoredEntry? {
        try database.first("\(Self.whole) WHERE stream = ? AND id = ?", [stream, id]) { try stored($0) }
    }

    private func stored(_ row: borrowing Row) throws -> StoredEntry {
        let key: Int64 = row[0]
        let words: String? = row[7]
        return StoredEntry(
            id: row[1],
            sortID: row[2],
            expirationDate: row[3],
            wire: row[4],
            page: row[5],
            words: (words ?? "").split(separator: " ").map(String.init),
            tags: try database.all("SELECT tag FROM tag WHERE key = ? ORDER BY tag", [key]) { $0[0] },
            revision: row[6]
        )
    }

    /// The entries of a page. Without words and tags, the cost depends on the number of results, not on the length of the feed.
    /// With them, it depends on the entries with the rarest word or tag.
    func entries(_ query: EntryQuery) throws -> [StoredEntry] {
        guard let stream = try stream(query.stream) else { return [] }
        guard case .published(let includingEnded) = query.selection else {
            return try FeedDrafts(database: database).page(query, in: stream)
        }
        if let ids = query.ids { return try entries(ids, query, stream) }
        var range = FeedPlace.range(of: stream)
        if let after = query.after {
            let last: Int64? = try database.first(Self.firstAfter, [stream, after.sortID, after.id]) { $0[0] }
            guard let last else { return [] }
            range = range.lowerBound...last
        }
        var found: [StoredEntry] = []
        func add(_ row: borrowing Row) throws -> Bool {
            let key: Int64 = row[0]
            for tag in query.tags {
                guard try database.first(Self.hasTag, [tag, key], { _ in true }) != nil else { return true }
            }
            let entry = try database.first("\(Self.whole) WHERE key = ?", [key]) { try stored($0) }
            if let entry, query.matches(entry) { found.append(entry) }
            return found.count < query.limit
        }
        // No entry ends before the first second.
        let walk = walk(.places, range, includingEnded ? 0 : query.now)
        var walks = query.tags.map { (sql: Self.byTag, argument: $0) }
        if !query.words.isEmpty {
            guard let words = try TermExpression(database: database).expression(query.words) else { return [] }
            walks.append((Self.byWords, words))
        }
        if let rarest = try rarest(walks, in: range) {
            try walk.run(rarest.sql, [rarest.argument], add)
        } else {
            try walk.run(Self.byPlace, [], add)
        }
        return found
    }

    /// The walk that passes the fewest entries, among those that end within some thousand; otherwise the last one.
    func rarest(
        _ walks: [(sql: String, argument: String)],
        in range: ClosedRange<Int64>
    ) throws -> (sql: String, argument: String)? {
        guard walks.count > 1 else { return walks.first }
        var rarest = walks.last
        var most = Self.mostCounted
        for walk in walks {
            var count = 0
            try database.forEach(walk.sql, [walk.argument, range.lowerBound, range.upperBound]) { _ in
                count += 1
                return count < most
            }
            if count < most { (rarest, most) = (walk, count) }
            if count == 0 { break }
        }
        return rarest
    }

    /// The entries of a page with certain ids.
    private func entries(_ ids: [Int], _ query: EntryQuery, _ stream: Int64) throws -> [StoredEntry] {
        let sql = "SELECT sort FROM entry WHERE stream = ? AND id = ?"
        let places = try Set(ids).compactMap { id in
            try database.first(sql, [stream, id]) { EntryQuery.Place(sortID: $0[0], id: id) }
        }
        var found: [StoredEntry] = []
        for place in places.sorted(by: >) where query.after.map({ place < $0 }) ?? true {
            if let entry = try stored(place.id, stream), query.matches(entry) { found.append(entry) }
            if found.count == query.limit { break }
        }
        return found
    }
}
