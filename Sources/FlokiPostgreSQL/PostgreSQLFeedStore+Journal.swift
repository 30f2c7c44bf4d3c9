import BacklotPostgreSQL
public import Floki

/// What this process knows without asking, and what all of them know of apps.
extension PostgreSQLFeedStore {
    /// The revision of a feed, as far as this process knows.
    public func revision(of feed: String) -> Int? { journal.revision(of: feed) }

    /// The changes from now on, by any server. A reader that begins before the database was reached for the first time gets one of the kind
    /// `FeedEvent.Kind.missed` for each feed.
    public func changes() -> FeedEvents { journal.events() }

    /// The version of an app's record, as far as this process knows.
    public func recordVersion(of app: String) -> Int? { journal.version(of: app) }

    /// The record of an app.
    public func record(of app: String) async throws -> AppRecord? {
        try await prepare()
        let sql = "SELECT record FROM floki_app WHERE path = $1"
        let found = try await database.query(sql, [.text(app)], .readOnly) { row -> [UInt8] in try row[0] }
        guard let bytes = found.first else { return nil }
        let record = try AppRecord(parsing: bytes)
        journal.note { $0.know(version: record.version, of: app) }
        return record
    }

    /// Replaces the record of an app, if it has still this version.
    public func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool {
        try await prepare()
        let values: [SQLValue] = [.text(app), .integer(record.version), .bytes(record.bytes)]
        let isReplaced = try await database.transaction { connection in
            let sql =
                version == 0
                ? "INSERT INTO floki_app (path, version, record) VALUES ($1, $2, $3) ON CONFLICT (path) DO NOTHING"
                : "UPDATE floki_app SET version = $2, record = $3 WHERE path = $1 AND version = $4"
            guard try connection.run(sql, version == 0 ? values : values + [.integer(version)]) == 1 else {
                return false
            }
            try connection.run(
                "SELECT pg_notify($1, $2)",
                [.text(FeedFollower.channel), .text("app \(record.version) \(app)")]
            )
            return true
        }
        if isReplaced { journal.note { $0.know(version: record.version, of: app) } }
        return isReplaced
    }
}
