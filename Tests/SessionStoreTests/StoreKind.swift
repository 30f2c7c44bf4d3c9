import Backlot
import BacklotPostgreSQL
import BacklotRedis
import BacklotSQLite
import Logging
import TestSupport
import Testing

/// The stores that there are.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, redis, postgreSQL

    /// Those that can be tried here.
    static let available = allCases.filter { kind in
        switch kind {
        case .memory, .sqlite: true
        case .redis: RedisServer.isInstalled
        case .postgreSQL: PostgreSQLServer.isInstalled
        }
    }

    var testDescription: String { rawValue }

    /// Calls `body` with an empty store.
    func withStore(_ body: (any SessionStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemorySessionStore())
        case .sqlite:
            try await withTemporaryFolder { folder in
                try await body(try SQLiteSessionStore("\(folder.path)/sessions.sqlite", logger: .silent))
            }
        case .redis:
            let server = try RedisServer(password: "p@ss/word%")
            try await body(
                RedisSessionStore(
                    try RedisAddress("redis://:p%40ss%2Fword%25@127.0.0.1:\(server.port)/3"),
                    timeout: .seconds(10),
                    logger: .silent
                )
            )
        case .postgreSQL:
            try await withPostgreSQL { server in
                try await body(PostgreSQLSessionStore(try server.database(), logger: .silent))
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves tests out without an installed Redis server.
    static var needsRedis: ConditionTrait {
        .enabled(if: RedisServer.isInstalled, "LEFT OUT: the tests with Redis: install Debian's redis-server")
    }
}

/// Says what is left out, where people see it.
@Suite(.timeLimit(.minutes(5))) struct LeftOutTests {
    @Test func `Redis is tested where it can be`() {
        if !RedisServer.isInstalled { print("LEFT OUT: the tests with Redis: install Debian's redis-server") }
        #expect(StoreKind.available.contains(.redis) == RedisServer.isInstalled)
    }

    @Test func `PostgreSQL is tested where it can be`() {
        if !PostgreSQLServer.isInstalled { print("LEFT OUT: the tests with PostgreSQL: install Debian's postgresql") }
        #expect(StoreKind.available.contains(.postgreSQL) == PostgreSQLServer.isInstalled)
    }
}

extension PostgreSQLServer {
    /// Connections to the server.
    func database(user: String = "postgres", timeout: Duration = .seconds(20)) throws -> PostgreSQLDatabase {
        PostgreSQLDatabase(try PostgreSQLAddress(address(user: user)), timeout: timeout, logger: .silent)
    }
}

/// A session as tests need it. Redis' clock is the system's, so times are around now.
struct SampleRecord {
    static let now = SessionClock.system.secondsSince1970

    static func make(
        _ name: String,
        mount: String = "/",
        user: String? = "ada",
        values: [UInt8] = [],
        life: Int = 1000,
        version: Int = 0
    ) -> SessionRecord {
        SessionRecord(
            key: SessionHash(hashing: name),
            mount: mount,
            user: user,
            values: values,
            createdAt: now - 10,
            lastSeen: now - 5,
            expiresAt: now + life,
            version: version
        )
    }
}

extension SessionStore {
    /// The names that have a session.
    func names(_ candidates: String...) async throws -> [String] {
        var found: [String] = []
        for name in candidates where try await session(at: SessionHash(hashing: name)).value != nil {
            found.append(name)
        }
        return found
    }

    /// The session with a name.
    func session(_ name: String) async throws -> SessionRecord? {
        try await session(at: SessionHash(hashing: name)).value
    }
}
