import Floki
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Changes one feed inside of a transaction.
struct FeedWriter {
    let database: Database
    let feed: String

    func apply(_ changes: [FeedChange]) throws {
        var streams: [String: Int64] = [:]
        for change in changes {
            switch change {
            case .save(let entry, let language):
                let stream = try streams[language] ?? stream(language)
                streams[language] = stream
                try save(entry, in: stream)
            case .remove(let id, let language):
                for stream in try knownStreams(language) { try remove(id, from: stream) }
            }
        }
    }

    /// The number of a stream, which is created if it is new.
    private func stream(_ language: String) throws -> Int64 {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO stream (feed, language) VALUES (?, ?)")
            .execute(arguments: [feed, language])
        return try knownStreams(language).first ?? 0
    }

    /// The numbers of the streams of the feed, or of the one in a language.
    private func knownStreams(_ language: String?) throws -> [Int64] {
        guard let language else {
            return try Int64.fetchAll(database, sql: "SELECT number FROM stream WHERE feed = ?", arguments: [feed])
        }
        let sql = "SELECT number FROM stream WHERE feed = ? AND language = ?"
        return try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [feed, language])
    }

    private func save(_ entry: StoredEntry, in stream: Int64) throws {
        let arguments: StatementArguments = [stream, entry.id]
        try database.cachedStatement(sql: "DELETE FROM tombstone WHERE stream = ? AND id = ?").execute(
            arguments: arguments
        )
        try forget(entry.id, of: stream)
        let insert = "INSERT INTO entry (stream, id, sort, expires, wire, page) VALUES (?, ?, ?, ?, ?, ?)"
        try database.cachedStatement(sql: insert).execute(
            arguments: [stream, entry.id, entry.sortID, entry.expirationDate, Data(entry.wire), entry.page]
        )
        let key = database.lastInsertedRowID
        for tag in Set(entry.tags) {
            let insert = "INSERT INTO tag (stream, tag, sort, id, key) VALUES (?, ?, ?, ?, ?)"
            try database.cachedStatement(sql: insert).execute(arguments: [stream, tag, entry.sortID, entry.id, key])
        }
        guard !entry.words.isEmpty else { return }
        try database.cachedStatement(sql: "INSERT INTO entry_words (rowid, words) VALUES (?, ?)").execute(
            arguments: [key, entry.words.joined(separator: " ")]
        )
    }

    private func remove(_ id: Int, from stream: Int64) throws {
        let sql = "SELECT sort FROM entry WHERE stream = ? AND id = ?"
        guard let sort = try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [stream, id]) else { return }
        try forget(id, of: stream)
        try database.cachedStatement(sql: "INSERT INTO tombstone (stream, id, sort) VALUES (?, ?, ?)").execute(
            arguments: [stream, id, sort]
        )
    }

    /// Removes an entry without remembering it.
    private func forget(_ id: Int, of stream: Int64) throws {
        let sql = "SELECT key FROM entry WHERE stream = ? AND id = ?"
        guard let key = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [stream, id]) else { return }
        try Self.forget(key, in: database)
    }

    private static func forget(_ key: Int64, in database: Database) throws {
        for sql in [
            "DELETE FROM entry_words WHERE rowid = ?", "DELETE FROM tag WHERE key = ?",
            "DELETE FROM entry WHERE key = ?",
        ] {
            try database.cachedStatement(sql: sql).execute(arguments: [key])
        }
    }

    static func removeExpired(before time: Int, in database: Database) throws -> Int {
        let sql = "SELECT key FROM entry WHERE expires > 0 AND expires < ?"
        let keys = try Int64.fetchAll(database, sql: sql, arguments: [time])
        for key in keys { try forget(key, in: database) }
        return keys.count
    }
}
