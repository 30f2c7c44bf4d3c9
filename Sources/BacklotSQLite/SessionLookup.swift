internal import Backlot
internal import FoundationEssentials
internal import GRDB

/// A look-up of one session, with the caller that waits for it.
struct SessionLookup: Sendable {
    let key: SessionHash
    let finish: @Sendable (Result<SessionRecord?, any Error>) -> Void

    private static let sql = """
        SELECT mount, user, "values", created_at, last_seen, expires_at, version FROM session WHERE key = ?
        """

    /// Looks up a batch of them, all at one moment.
    static func run(_ lookups: [SessionLookup], in database: DatabasePool) {
        do {
            let records = try database.read { db in
                let statement = try db.cachedStatement(sql: sql)
                return try lookups.map { try $0.record(statement) }
            }
            for (lookup, record) in zip(lookups, records) { lookup.finish(.success(record)) }
        } catch {
            for lookup in lookups { lookup.finish(.failure(error)) }
        }
    }

    private func record(_ statement: Statement) throws -> SessionRecord? {
        let rows = try Row.fetchCursor(statement, arguments: [Data(key.bytes)])
        guard let row = try rows.next() else { return nil }
        return SessionRecord(
            key: key,
            mount: Self.text(row[0]),
            user: (row[1] as Data?).map(Self.text),
            values: Array(row[2] as Data),
            createdAt: row[3],
            lastSeen: row[4],
            expiresAt: row[5],
            version: row[6]
        )
    }

    /// A text, which may contain any character; see `StoreChange.text`.
    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}
