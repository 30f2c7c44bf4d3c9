import BacklotDatabase
import Floki

/// Entries as they are stored.
extension FeedReader {
    private static let whole = """
        SELECT key, id, sort, expires, wire, page, revision, (SELECT words FROM entry_words WHERE rowid = key) FROM entry
        """
    private static let hasTag = "SELECT 1 FROM tag WHERE tag = ? AND key = ?"
    /// How many entries are counted to find out what is rare.
    private static let mostCounted = 5_000
    static let firstAfter = """
        SELECT key FROM entry WHERE stream = ? AND (sort, id) < (?, ?) ORDER BY sort DESC, id DESC LIMIT 1
        """

    /// A published entry that has not ended.
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

    /// The entries of a page. Without words and tags it costs what it returns, however long the feed; with them, what a walk along the
    /// rarest of them passes.
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
        // Before the first second nothing has ended.
        let walk = walk(.places, range, includingEnded ? 0 : query.now)
        var walks = query.tags.map { (sql: Self.byTag, argument: $0) }
        if !query.words.isEmpty {
            guard let words = try FeedWords(database: database).expression(query.words) else { return [] }
            walks.append((Self.byWords, words))
        }
        if let rarest = try rarest(walks, in: range) {
            try walk.run(rarest.sql, [rarest.argument], add)
        } else {
            try walk.run(Self.byPlace, [], add)
        }
        return found
    }

    /// The walk that passes the fewest entries, of those that end within some thousand; otherwise the last one.
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

    /// Of some ids, the entries of a page.
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
