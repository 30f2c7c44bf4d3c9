internal import Backlot
internal import FoundationEssentials
internal import GRDB

/// A change of the stored sessions. Each is one statement, which happens as a whole or not at all.
enum StoreChange: Sendable {
    case insert(SessionRecord)
    case replace(SessionHash, version: Int, SessionRecord)
    case touch(SessionHash, lastSeen: Int, expiresAt: Int)
    case remove(SessionHash)
    case removeAll(user: String, mount: String)
    /// Forgets some of the sessions that have ended at a time.
    case collect(endedAt: Int, atMost: Int)

    /// Whether the disk must have it before it counts as done. The time of a request may be lost with the power: the next
    /// request notes its own.
    var mustLast: Bool {
        if case .touch = self { false } else { true }
    }

    /// Does it.
    ///
    /// - Returns: how many sessions it has changed.
    func run(_ db: Database) throws -> Int {
        let statement = try db.cachedStatement(sql: sql)
        try statement.execute(arguments: arguments)
        return db.changesCount
    }

    private var sql: String {
        switch self {
        case .insert:
            """
            INSERT OR REPLACE INTO session (key, mount, user, "values", created_at, last_seen, expires_at, version)
            VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?)
            """
        case .replace:
            """
            UPDATE OR REPLACE session
            SET key = ?, mount = ?, user = CAST(? AS TEXT), "values" = ?, created_at = ?, last_seen = ?, expires_at = ?,
                version = ?
            WHERE key = ? AND version = ?
            """
        case .touch:
            "UPDATE session SET last_seen = max(last_seen, ?), expires_at = max(expires_at, ?) WHERE key = ?"
        case .remove:
            "DELETE FROM session WHERE key = ?"
        case .removeAll:
            "DELETE FROM session WHERE user = CAST(? AS TEXT) AND mount = ?"
        case .collect:
            "DELETE FROM session WHERE key IN (SELECT key FROM session WHERE expires_at <= ? LIMIT ?)"
        }
    }

    private var arguments: StatementArguments {
        switch self {
        case .insert(let record): Self.columns(record)
        case .replace(let key, let version, let record): Self.columns(record) + [Data(key.bytes), version]
        case .touch(let key, let lastSeen, let expiresAt): [lastSeen, expiresAt, Data(key.bytes)]
        case .remove(let key): [Data(key.bytes)]
        case .removeAll(let user, let mount): [Self.text(user), mount]
        case .collect(let now, let most): [now, most]
        }
    }

    private static func columns(_ record: SessionRecord) -> StatementArguments {
        [
            Data(record.key.bytes), record.mount, record.user.map(text), Data(record.values), record.createdAt,
            record.lastSeen, record.expiresAt, record.version,
        ]
    }

    /// GRDB would end a text at its first U+0000, and take one user for another.
    private static func text(_ text: String) -> Data { Data(text.utf8) }
}
