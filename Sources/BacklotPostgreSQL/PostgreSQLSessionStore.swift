public import Backlot
public import Logging

/// Sessions in a database of PostgreSQL, which several replicas share.
///
/// ```swift
/// let database = PostgreSQLDatabase(try PostgreSQLAddress("postgres://app:secret@10.0.0.5/app"))
/// router.applin("/", sessions: PostgreSQLSessionStore(database)) { addPages(to: $0) }
/// ```
/// Every request sees the changes of all replicas: the store keeps no copies. When a call that saves returns, the server has
/// committed its data. Only the time of a session's last request may be lost when the server's machine fails. The first use
/// creates the table `backlot_session`.
///
/// While the server is away, full or can't be written to, sessions fail with a 503 within a bounded time.
public final class PostgreSQLSessionStore: SessionStore {
    /// The number of expired sessions to remove at a time. Other writers get their turn in between.
    private static let collected = 500

    /// Texts are stored as bytes, since PostgreSQL's texts can't contain U+0000.
    private static let migrations = PostgreSQLMigrations(
        name: "sessions",
        steps: [
            "sessions": """
            CREATE TABLE backlot_session (
                key bytea PRIMARY KEY,
                mount bytea NOT NULL,
                username bytea,
                "values" bytea NOT NULL,
                created_at bigint NOT NULL,
                last_seen bigint NOT NULL,
                expires_at bigint NOT NULL,
                version bigint NOT NULL
            );
            CREATE INDEX backlot_session_by_user ON backlot_session (username, mount) WHERE username IS NOT NULL;
            CREATE INDEX backlot_session_by_expiry ON backlot_session (expires_at)
            """
        ]
    )

    private let database: PostgreSQLDatabase
    private let clock: SessionClock
    private let collecting: Task<Void, Never>

    /// Creates a store. The server may start later.
    ///
    /// - Parameters:
    ///   - database: the connections, which feeds may share.
    ///   - sweepInterval: the interval for removing expired sessions; at least a second.
    ///   - clock: decides which sessions have expired.
    ///   - logger: logs a warning when expired sessions can't be removed.
    public init(
        _ database: PostgreSQLDatabase,
        sweepInterval: Duration = .seconds(60),
        clock: SessionClock = .system,
        logger: Logger = Logger(label: "backlot.sessions")
    ) {
        precondition(sweepInterval >= .seconds(1), "sweepInterval must be at least 1 second, but is \(sweepInterval)")
        self.database = database
        self.clock = clock
        collecting = Task {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: sweepInterval)
                    try await Self.collect(in: database, endedAt: clock.secondsSince1970)
                } catch {
                    if !Task.isCancelled { logger.warning("sessions that have ended can't be forgotten: \(error)") }
                }
            }
        }
    }

    deinit { collecting.cancel() }

    /// The session with a key; nil for an unknown key.
    public func session(at key: SessionHash) -> Ready<SessionRecord?> {
        .pending { [database] in
            try await database.prepare(Self.migrations)
            return try await database.query(SessionSQL.read, [.bytes(key.bytes)], .readOnly) { row in
                try SessionRecord(
                    key: key,
                    mount: String(decoding: row[0] as [UInt8], as: UTF8.self),
                    user: (row[1] as [UInt8]?).map { String(decoding: $0, as: UTF8.self) },
                    values: row[2],
                    createdAt: row[3],
                    lastSeen: row[4],
                    expiresAt: row[5],
                    version: row[6]
                )
            }.first
        }
    }

    /// Stores a new session.
    public func insert(_ record: SessionRecord) async throws {
        try await run(SessionSQL.insert, SessionSQL.values(of: record))
    }

    /// Replaces a session, if it still exists and nobody has changed it since `version`.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        let values = SessionSQL.values(of: record) + [.bytes(key.bytes), .integer(version)]
        return try await run(SessionSQL.replace, values) > 0
    }

    /// Records the time of a request.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await run(SessionSQL.touch, [.integer(lastSeen), .integer(expiresAt), .bytes(key.bytes)])
    }

    /// Removes a session.
    public func remove(_ key: SessionHash) async throws {
        try await run(SessionSQL.remove, [.bytes(key.bytes)])
    }

    /// Removes all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async throws {
        try await run(SessionSQL.removeAll, [.bytes(Array(user.utf8)), .bytes(Array(mount.utf8))])
    }

    /// Stores and removes a session that belongs to nobody, in one transaction, so that nobody ever sees it.
    public func check() async throws {
        try await database.prepare(Self.migrations)
        let probe = SessionRecord.probe()
        try await database.transaction { connection in
            try connection.pipeline([
                SQLStatement(SessionSQL.insert, SessionSQL.values(of: probe)),
                SQLStatement(SessionSQL.remove, [.bytes(probe.key.bytes)]),
            ])
        }
    }

    /// Removes the expired sessions now, before the next regular removal.
    public func removeExpired() async throws {
        try await Self.collect(in: database, endedAt: clock.secondsSince1970)
    }

    @discardableResult
    private func run(_ sql: String, _ values: [SQLValue]) async throws -> Int {
        try await database.prepare(Self.migrations)
        return try await database.run(sql, values, isGrouped: true)
    }

    private static func collect(in database: PostgreSQLDatabase, endedAt now: Int) async throws {
        try await database.prepare(migrations)
        while try await database.run(SessionSQL.collect, [.integer(now), .integer(collected)]) == collected {}
    }
}

/// The statements of the store.
private enum SessionSQL {
    static let read = """
        SELECT mount, username, "values", created_at, last_seen, expires_at, version FROM backlot_session WHERE key = $1
        """

    static let insert = """
        INSERT INTO backlot_session (key, mount, username, "values", created_at, last_seen, expires_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (key) DO UPDATE SET mount = excluded.mount, username = excluded.username,
            "values" = excluded."values", created_at = excluded.created_at, last_seen = excluded.last_seen,
            expires_at = excluded.expires_at, version = excluded.version
        """

    static let replace = """
        UPDATE backlot_session
        SET key = $1, mount = $2, username = $3, "values" = $4, created_at = $5, last_seen = $6, expires_at = $7,
            version = $8
        WHERE key = $9 AND version = $10
        """

    /// Doesn't wait for the server's disk.
    static let touch = """
        UPDATE backlot_session
        SET last_seen = greatest(last_seen, $1), expires_at = greatest(expires_at, $2)
        FROM (SELECT set_config('synchronous_commit', 'off', true)) AS waiting
        WHERE key = $3
        """

    static let remove = "DELETE FROM backlot_session WHERE key = $1"

    static let removeAll = "DELETE FROM backlot_session WHERE username = $1 AND mount = $2"

    /// Several replicas may do this at once.
    static let collect = """
        DELETE FROM backlot_session WHERE key IN (
            SELECT key FROM backlot_session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        """

    static func values(of record: SessionRecord) -> [SQLValue] {
        [
            .bytes(record.key.bytes), .bytes(Array(record.mount.utf8)),
            record.user.map { .bytes(Array($0.utf8)) } ?? .null, .bytes(record.values),
            .integer(record.createdAt), .integer(record.lastSeen), .integer(record.expiresAt), .integer(record.version),
        ]
    }
}

extension SessionStoreKind {
    /// In a database of PostgreSQL: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or `postgresql://…`; see
    /// `PostgreSQLAddress`.
    public static var postgreSQL: SessionStoreKind { inPostgreSQL { PostgreSQLSessionStore($0, logger: $1) } }
}

extension StoreKind {
    /// In a database of PostgreSQL.
    ///
    /// - Parameter open: makes the store.
    package static func inPostgreSQL(
        open: @escaping @Sendable (PostgreSQLDatabase, Logger) -> Store
    ) -> StoreKind {
        StoreKind(form: "postgres://USER:PASSWORD@HOST:PORT/DATABASE", schemes: ["postgres", "postgresql"]) {
            text throws(StoreKindError) in
            do throws(PostgreSQLAddressError) {
                let address = try PostgreSQLAddress(text)
                return StoreChoice("on \(address)") { open(PostgreSQLDatabase(address, logger: $0), $0) }
            } catch {
                throw StoreKindError("\(error)")
            }
        }
    }
}
