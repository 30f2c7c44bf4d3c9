import Floki
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads feeds at one instant.
struct FeedReader {
    let database: Database

    private func stream(_ stream: FeedStream) throws -> Int64? {
        let sql = "SELECT number FROM stream WHERE feed = ? AND language = ?"
        return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [stream.feed, stream.language])
    }

    func window(_ query: FeedQuery) throws -> FeedWindow {
        guard let stream = try stream(query.stream) else { return FeedWindow() }
        var rows: [Row]
        let live = "(expires = 0 OR expires >= ?)"
        let order = "ORDER BY sort DESC, id DESC LIMIT ?"
        // One more than requested, to see whether there are more.
        let limit = query.limit + 1
        switch query.start {
        case .newest:
            let sql = "SELECT id, sort, wire FROM entry WHERE stream = ? AND \(live) \(order)"
            rows = try fetch(sql, [stream, query.now, limit])
        case .after(let id):
            let sql = "SELECT id, sort, wire FROM entry WHERE stream = ? AND (sort, id) < (?, ?) AND \(live) \(order)"
            rows = try fetch(sql, [stream, try position(id, in: stream), id, query.now, limit])
        case .below(let id):
            let sql =
                "SELECT id, sort, wire FROM entry WHERE stream = ? AND id < ? AND \(live) ORDER BY id DESC LIMIT ?"
            rows = try fetch(sql, [stream, id, query.now, limit])
        }
        var hasOlder = rows.count > query.limit
        if hasOlder { rows.removeLast() }
        if query.start == .newest, let lowest = query.lowest {
            let sql = "SELECT 1 FROM entry WHERE stream = ? AND id < ? AND \(live) LIMIT 1"
            hasOlder = try !fetch(sql, [stream, lowest, query.now]).isEmpty
        }
        if case .below = query.start {
            func place(_ row: Row) -> (Int, Int) { (row[1], row[0]) }
            rows.sort { place($0) > place($1) }
        }
        return FeedWindow(
            entries: rows.map { Array($0[2] as Data) },
            removed: try removed(query, stream),
            hasOlder: hasOlder
        )
    }

    /// The place of an entry: its own, the one that it had before it was removed, or the one of its id.
    private func position(_ id: Int, in stream: Int64) throws -> Int {
        for table in ["entry", "tombstone"] {
            let sql = "SELECT sort FROM \(table) WHERE stream = ? AND id = ?"
            if let sort = try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [stream, id]) { return sort }
        }
        return id
    }

    private func removed(_ query: FeedQuery, _ stream: Int64) throws -> [Int] {
        guard let lowest = query.lowest else {
            let sql = "SELECT id FROM tombstone WHERE stream = ? ORDER BY number DESC LIMIT ?"
            return try fetch(sql, [stream, query.removedLimit]).map { $0[0] }
        }
        let sql = "SELECT id FROM tombstone WHERE stream = ? AND id >= ? ORDER BY number DESC LIMIT ?"
        return try fetch(sql, [stream, lowest, query.longestRemovedLimit]).map { $0[0] }
    }

    func entry(_ id: Int, of stream: FeedStream, now: Int) throws -> StoredEntry? {
        guard let number = try self.stream(stream) else { return nil }
        let sql = """
            SELECT key, sort, expires, wire, page, (SELECT words FROM entry_words WHERE rowid = key) FROM entry
            WHERE stream = ? AND id = ? AND (expires = 0 OR expires >= ?)
            """
        guard let row = try fetch(sql, [number, id, now]).first else { return nil }
        let key: Int64 = row[0]
        let words: String? = row[5]
        return StoredEntry(
            id: id,
            sortID: row[1],
            expirationDate: row[2],
            wire: Array(row[3] as Data),
            page: row[4],
            words: (words ?? "").split(separator: " ").map(String.init),
            tags: try fetch("SELECT tag FROM tag WHERE key = ? ORDER BY tag", [key]).map { $0[0] }
        )
    }

    func search(_ search: FeedSearch) throws -> [[UInt8]] {
        guard let stream = try stream(search.stream) else { return [] }
        let page: StatementArguments = [search.now, search.limit ?? -1, search.offset]
        let rest = "AND (e.expires = 0 OR e.expires >= ?) ORDER BY e.sort DESC, e.id DESC LIMIT ? OFFSET ?"
        switch search.criterion {
        case .tag(let tag):
            let sql = """
                SELECT e.wire FROM tag t JOIN entry e ON e.key = t.key WHERE t.stream = ? AND t.tag = ?
                AND (e.expires = 0 OR e.expires >= ?) ORDER BY t.sort DESC, t.id DESC LIMIT ? OFFSET ?
                """
            return try fetch(sql, [stream, tag] + page).map { Array($0[0] as Data) }
        case .words(let words):
            guard !words.isEmpty else { return [] }
            // Words are letters and digits: in quotation marks, FTS5 gives nothing in them a special meaning.
            let match = words.map { "\"\($0.filter { $0 != "\"" })\"*" }.joined(separator: " ")
            let sql = """
                SELECT e.wire FROM entry_words w JOIN entry e ON e.key = w.rowid WHERE w.words MATCH ? AND e.stream = ? \(rest)
                """
            return try fetch(sql, [match, stream] + page).map { Array($0[0] as Data) }
        }
    }

    private func fetch(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }
}
