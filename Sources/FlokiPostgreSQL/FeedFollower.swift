import Backlot
import BacklotPostgreSQL
public import Floki

/// Reports the changes of all servers to a journal.
///
/// Each transaction that changes a feed notifies the others of its revision (`NOTIFY`). The connection that listens also reads
/// the revisions of all feeds before it takes the first notice, so that it misses no change. Other connections read the changes
/// themselves from their log.
final class FeedFollower: Sendable {
    static let channel = "floki"
    /// The pause after the server has refused to return the changes.
    private static let pause = Duration.milliseconds(500)

    private let listener: PostgreSQLListener
    private let task: Task<Void, Never>

    /// Begins to listen. Blocks until the first connection has read the revisions or failed, at most for the database's
    /// `timeout`.
    ///
    /// - Parameter onConnect: called for each connection, because a new one may lead to another database.
    init(_ database: PostgreSQLDatabase, _ journal: FeedJournal, onConnect: @escaping @Sendable () -> Void) {
        let first = ThreadSignal()
        listener = PostgreSQLListener(
            database,
            channel: Self.channel,
            onConnect: { connection in
                onConnect()
                journal.note { $0.beginCatchUp() }
                let (feeds, apps) = try Self.revisions(connection)
                journal.perform { $0.catchUp(feeds: feeds, apps: apps) }
                first.give()
            },
            onNotice: { text in
                guard let notice = Notice(text) else { return }
                if notice.isOfFeed {
                    journal.perform { $0.notice(notice.revision, of: notice.name) }
                } else {
                    journal.note { $0.know(version: notice.revision, of: notice.name) }
                }
            },
            onLoss: {
                journal.note { $0.disconnect() }
                first.give()
            }
        )
        task = Task {
            for await read in journal.reads {
                do {
                    let events = try await Self.changes(read, database)
                    journal.perform { $0.didRead(read, events) }
                } catch {
                    try? await Task.sleep(for: Self.pause)
                    journal.perform { $0.didFail(read) }
                }
            }
        }
        first.wait(atMost: database.timeout)
    }

    deinit { task.cancel() }

    /// The revisions of all feeds, and the versions of all apps; empty in a database without the tables.
    private static func revisions(_ connection: PostgreSQLConnection) throws -> ([String: Int], [String: Int]) {
        let isReady = "SELECT to_regclass('floki_feed') IS NOT NULL"
        guard try connection.query(isReady, read: { row -> Bool in try row[0] }) == [true] else { return ([:], [:]) }
        let tables = ["SELECT name, revision FROM floki_feed", "SELECT path, version FROM floki_app"]
        let found = try tables.map { sql in
            let rows = try connection.query(sql) { row -> (String, Int) in (try row[0], try row[1]) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        return (found[0], found[1])
    }

    /// The changes of each feed's requested revisions, in their order.
    private static func changes(
        _ read: JournalState.Read,
        _ database: PostgreSQLDatabase
    ) async throws -> [FeedEvent] {
        let sql = """
            SELECT c.feed, c.revision, c.kind, c.id, c.language
            FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS wanted (feed, first, last) CROSS JOIN LATERAL (
                SELECT * FROM floki_change WHERE feed = wanted.feed AND revision BETWEEN wanted.first AND wanted.last
                ORDER BY revision, number LIMIT \(JournalState.mostEvents + 1)
            ) AS c ORDER BY c.number
            """
        let wanted = Array(read.revisions)
        let values: [SQLValue] = [
            .texts(wanted.map(\.key)), .integers(wanted.map(\.value.lowerBound)),
            .integers(wanted.map(\.value.upperBound)),
        ]
        return try await database.query(sql, values, .readOnly) { row in
            let kind: String = try row[2]
            return FeedEvent(
                feed: try row[0],
                revision: try row[1],
                kind: FeedEvent.Kind(rawValue: kind) ?? .missed,
                id: try row[3],
                language: try row[4]
            )
        }
    }
}

/// A transaction's notice to other servers: `feed REVISION NAME` or `app VERSION PATH`.
private struct Notice {
    let isOfFeed: Bool
    let revision: Int
    let name: String

    /// - Returns: nil for notices of other programs.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["feed", "app"].contains(parts[0]), let revision = Int(parts[1]) else { return nil }
        isOfFeed = parts[0] == "feed"
        self.revision = revision
        name = String(parts[2])
    }
}

/// The data that this process knows without a query, and the records of apps.
extension PostgreSQLFeedStore {
    /// The revision of a feed that this process knows of.
    public func revision(of feed: String) -> Int? { journal.revision(of: feed) }

    /// The changes from now on, by any server. A reader that begins before the first connection to the database gets one event of
    /// the kind `FeedEvent.Kind.missed` for each feed.
    public func changes() -> FeedEvents { journal.events() }

    /// The version of an app's record that this process knows of.
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

    /// Replaces the record of an app, if it still has this version.
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
