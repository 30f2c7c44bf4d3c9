internal import Backlot
internal import BacklotDatabase

/// A change of the stored sessions. Each is one statement, which takes effect completely or not at all.
enum StoreChange: Sendable {
    case insert(SessionRecord)
    case replace(SessionHash, version: Int, SessionRecord)
    case touch(SessionHash, lastSeen: Int, expiresAt: Int)
    case remove(SessionHash)
    case removeAll(user: String, mount: String)
    /// Removes some of the sessions that have expired by a time.
    case collect(endedAt: Int, atMost: Int)

    /// Whether the change must be on the disk before it counts as done. The time of a request may be lost in a power failure: the
    /// next request records its own.
    var mustLast: Bool {
        if case .touch = self { false } else { true }
    }

    /// Makes the change.
    ///
    /// - Returns: the number of changed sessions.
    func run(_ db: Database) throws -> Int {
        try db.run(sql, values)
        return db.changesCount
    }

    private var sql: String {
        switch self {
        case .insert:
            """
            INSERT OR REPLACE INTO session (key, mount, user, "values", created_at, last_seen, expires_at, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .replace:
            """
            UPDATE OR REPLACE session
            SET key = ?, mount = ?, user = ?, "values" = ?, created_at = ?, last_seen = ?, expires_at = ?,
                version = ?
            WHERE key = ? AND version = ?
            """
        case .touch:
            "UPDATE session SET last_seen = max(last_seen, ?), expires_at = max(expires_at, ?) WHERE key = ?"
        case .remove:
            "DELETE FROM session WHERE key = ?"
        case .removeAll:
            "DELETE FROM session WHERE user = ? AND mount = ?"
        case .collect:
            "DELETE FROM session WHERE key IN (SELECT key FROM session WHERE expires_at <= ? LIMIT ?)"
        }
    }

    private var values: [any DatabaseValue] {
        switch self {
        case .insert(let record): Self.columns(record)
        case .replace(let key, let version, let record): Self.columns(record) + [key.bytes, version]
        case .touch(let key, let lastSeen, let expiresAt): [lastSeen, expiresAt, key.bytes]
        case .remove(let key): [key.bytes]
        case .removeAll(let user, let mount): [user, mount]
        case .collect(let now, let most): [now, most]
        }
    }

    private static func columns(_ record: SessionRecord) -> [any DatabaseValue] {
        [
            record.key.bytes, record.mount, record.user, record.values, record.createdAt, record.lastSeen,
            record.expiresAt, record.version,
        ]
    }
}
