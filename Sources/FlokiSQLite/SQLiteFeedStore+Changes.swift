import Backlot
import BacklotDatabase
public import Floki

/// Changes of feeds, and the records of apps.
extension SQLiteFeedStore {
    /// The number of drafts to publish in one transaction. Other writers get their turn in between.
    private static let published = 500

    /// Makes changes in one transaction, and returns when they are on the disk.
    ///
    /// - Throws: `FeedConflict`; ``FeedFileError``, which describes the problem with the file.
    @discardableResult
    public func apply(_ changes: [FeedChange], to feed: String) async throws -> Int {
        let revision = try await write { database in
            var writer = try SQLiteFeedWriter(database: database, feed: feed)
            return try writer.apply(changes)
        }
        watch.note { $0.know(revision, of: feed) }
        return revision
    }

    /// Reserves ids.
    public func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int> {
        try await write { try SQLiteFeedWriter(database: $0, feed: feed).allocateIDs(count) }
    }

    /// Publishes the scheduled entries that are due.
    public func publishDrafts(dueAt now: Int) async throws -> Int? {
        while true {
            // Usually no draft is due. Reading first then avoids a wait for the disk.
            let next = try await read { try FeedDrafts(database: $0).nextTime() }
            guard let next, next <= now else { return next }
            let revisions = try await write { database in
                let due = try FeedDrafts(database: database).changes(dueAt: now, atMost: Self.published)
                return try due.map { feed, changes in
                    var writer = try SQLiteFeedWriter(database: database, feed: feed)
                    return (feed: feed, revision: try writer.apply(changes))
                }
            }
            for (feed, revision) in revisions { watch.note { $0.know(revision, of: feed) } }
        }
    }

    /// The revision of a feed. After half a minute without requests, the first result is nil.
    public func revision(of feed: String) -> Int? { watch.known { $0.revision(of: feed) } }

    /// The changes from now on. Those of other processes arrive at most a tenth of a second late.
    public func changes() -> FeedEvents { watch.events() }

    /// The record of an app.
    public func record(of app: String) async throws -> AppRecord? {
        let sql = "SELECT record FROM app WHERE path = ?"
        let bytes: [UInt8]? = try await read { try $0.first(sql, [app]) { $0[0] } }
        return try bytes.map { bytes throws(RecordError) in try AppRecord(parsing: bytes) }
    }

    /// Replaces the record of an app.
    public func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool {
        let isReplaced = try await write { database in
            let stored = try database.first("SELECT version FROM app WHERE path = ?", [app]) { $0[0] as Int } ?? 0
            guard stored == version else { return false }
            let sql = "INSERT OR REPLACE INTO app (path, version, record) VALUES (?, ?, ?)"
            try database.run(sql, [app, record.version, record.bytes])
            return true
        }
        if isReplaced { watch.note { $0.know(version: record.version, of: app) } }
        return isReplaced
    }

    /// The version of an app's record.
    public func recordVersion(of app: String) -> Int? { watch.known { $0.version(of: app) } }

    /// Writes in a transaction.
    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let result = try await using { try await pool.write(body) }
        problems.clear()
        return result
    }
}
