internal import Backlot
internal import BacklotDatabase

/// A look-up of one session, with the caller who waits for it.
struct SessionLookup: Sendable {
    let key: SessionHash
    let finish: @Sendable (Result<SessionRecord?, any Error>) -> Void

    private static let sql = """
        SELECT mount, user, "values", created_at, last_seen, expires_at, version FROM session WHERE key = ?
        """

    /// Looks up a batch of sessions, all in one state of the file.
    static func run(_ lookups: [SessionLookup], in database: DatabasePool) {
        do {
            let records = try database.read { db in
                try lookups.map { try $0.record(db) }
            }
            for (lookup, record) in zip(lookups, records) { lookup.finish(.success(record)) }
        } catch {
            for lookup in lookups { lookup.finish(.failure(error)) }
        }
    }

    private func record(_ db: Database) throws -> SessionRecord? {
        try db.first(Self.sql, [key.bytes]) { row in
            SessionRecord(
                key: key,
                mount: row[0],
                user: row[1],
                values: row[2],
                createdAt: row[3],
                lastSeen: row[4],
                expiresAt: row[5],
                version: row[6]
            )
        }
    }
}
