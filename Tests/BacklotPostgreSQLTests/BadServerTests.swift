import CPostgreSQL
import Foundation
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotPostgreSQL

/// Databases that refuse, are slow, full, or away.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(5)))
struct BadServerTests {
    private static let migrations = PostgreSQLMigrations(
        name: "things",
        steps: ["one": "CREATE TABLE thing (n bigint PRIMARY KEY, pad text)", "two": "INSERT INTO thing VALUES (1)"]
    )

    // MARK: Versions and rights

    @Test func `Tables are made once, by several servers at the same moment`() async throws {
        try await withPostgreSQL { server in
            let databases = try (0..<4).map { _ in try server.database() }
            try await withThrowingTaskGroup { group in
                for database in databases {
                    for _ in 0..<4 { group.addTask { try await database.prepare(Self.migrations) } }
                }
                try await group.waitForAll()
            }
            #expect(try await databases[0].numbers("SELECT n FROM thing") == [1])
            #expect(try server.psql("SELECT name, version FROM backlot_version") == "things|2")
        }
    }

    @Test func `Tables of an earlier version are brought up to date, as a whole or not at all`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database()
            try await database.prepare(
                PostgreSQLMigrations(name: "things", steps: ["one": "CREATE TABLE thing (n bigint, pad text)"])
            )
            let bad = PostgreSQLMigrations(
                name: "things",
                steps: ["one": "", "two": "INSERT INTO thing VALUES (7)", "three": "CREATE TABLE thing (n bigint)"]
            )
            let other = try server.database()
            let error = try await problem { try await other.prepare(bad) }
            #expect(error == .refused(state: "42P07", message: "relation \"thing\" already exists"))
            #expect(try server.psql("SELECT version FROM backlot_version; SELECT count(*) FROM thing") == "1\n0")
            // The next attempt tries again.
            try await other.prepare(Self.migrations)
            #expect(try await other.numbers("SELECT n FROM thing") == [1])
        }
    }

    /// A negative version ended the program.
    @Test(arguments: [3, -1]) func `A database of a version that the program doesn't know is refused`(
        version: Int
    ) async throws {
        try await withPostgreSQL { server in
            try server.psql(
                "CREATE TABLE backlot_version (name text PRIMARY KEY, version bigint NOT NULL); INSERT INTO backlot_version VALUES ('things', \(version))"
            )
            let log = LogRecorder()
            let database = try server.database(logger: log.logger)
            let error = try await problem { try await database.prepare(Self.migrations) }
            #expect(error == .laterVersion(tables: "things", stored: version, known: 2))
            #expect(error.status == .serviceUnavailable)
            #expect(
                "\(error)"
                    == "the tables of things are of version \(version), and this program knows 2: start the newer program, or name another database"
            )
            // Other tables of the database work.
            #expect(try await database.numbers("SELECT 1") == [1])
            #expect(try await problem { try await database.prepare(Self.migrations) } == error)
            // The log says it once.
            #expect(log.lines == ["error: \(error)"])
        }
    }

    @Test func `A role that may create no tables is refused, until another has made them`() async throws {
        try await withPostgreSQL { server in
            try server.psql("CREATE ROLE app LOGIN; CREATE ROLE reader LOGIN")
            let app = try server.database(user: "app")
            let error = try await problem { try await app.prepare(Self.migrations) }
            #expect(error == .refused(state: "42501", message: "permission denied for schema public"))
            #expect(
                "\(error)".hasSuffix(": grant the role what is missing, or let one that may create tables start once")
            )
            try await server.database().prepare(Self.migrations)
            try server.psql(
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO app"
            )
            try await app.prepare(Self.migrations)
            try await app.run("INSERT INTO thing VALUES (2)")
            // One that may only read.
            let reader = try server.database(user: "reader")
            try await reader.prepare(Self.migrations)
            #expect(try await reader.numbers("SELECT n FROM thing ORDER BY n") == [1, 2])
            let refused = try await problem { try await reader.run("INSERT INTO thing VALUES (3)") }
            #expect(refused == .refused(state: "42501", message: "permission denied for table thing"))
            #expect(refused.headers[.retryAfter] == "5")
        }
    }

    // MARK: Read-only and full

    @Test func `A server that only follows is read, and written to after its promotion`() async throws {
        try await withPostgreSQL { server in
            try await server.database().prepare(Self.migrations)
            server.stop()
            try server.follow()
            let database = try server.database()
            try await database.prepare(Self.migrations)
            #expect(try await database.numbers("SELECT n FROM thing") == [1])
            let error = try await problem { try await database.run("INSERT INTO thing VALUES (2)") }
            #expect(error == .refused(state: "25006", message: "cannot execute INSERT in a read-only transaction"))
            #expect(error.status == .serviceUnavailable)
            #expect("\(error)".contains("name the primary server"))
            #expect(try server.psql("SELECT pg_promote()") == "t")
            try await database.run("INSERT INTO thing VALUES (2)")
        }
    }

    @Test func `A role that was set to read only is refused until it isn't`() async throws {
        try await withPostgreSQL { server in
            try server.psql("CREATE ROLE app LOGIN; GRANT CREATE ON SCHEMA public TO app")
            try await server.database(user: "app").prepare(Self.migrations)
            try server.psql("ALTER ROLE app SET default_transaction_read_only = on")
            let database = try server.database(user: "app", connections: 1)
            try await database.prepare(Self.migrations)
            let error = try await problem { try await database.run("INSERT INTO thing VALUES (2)") }
            #expect(error == .refused(state: "25006", message: "cannot execute INSERT in a read-only transaction"))
            try server.psql("ALTER ROLE app RESET default_transaction_read_only")
            // The next connection may have the old setting too. Then this statement is refused, and a new connection takes its place.
            _ = try? await database.run("DELETE FROM thing WHERE n > 1")
            try await database.run("INSERT INTO thing VALUES (2)")
            #expect(try await database.numbers("SELECT n FROM thing ORDER BY n") == [1, 2])
        }
    }

    @Test func `A full disk is an error, reading goes on, and writing when there is room`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database()
            guard try server.makeSmallTablespace("small", megabytes: 4) else {
                print("LEFT OUT: the test of a full disk: it needs a small file system, which root may mount")
                return
            }
            let create = "CREATE TABLE thing (n bigint, pad text) TABLESPACE small"
            try await database.run(create)
            let fill = "INSERT INTO thing SELECT n, repeat('x', 1000) FROM generate_series(1, 1000) AS n"
            let error = try await problem { for _ in 0..<10 { try await database.run(fill) } }
            guard case .refused("53100", let message) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains("No space left on device"), "\(message)")
            #expect(error.status == .serviceUnavailable)
            #expect("\(error)".hasSuffix(": make room on the server's disk"))
            #expect(try await database.numbers("SELECT n FROM thing LIMIT 1") == [1])
            try await database.run("DROP TABLE thing")
            try await database.run(create)
            try await database.run(fill)
        }
    }

    // MARK: Slow

    @Test func `Each statement has a limit on the server, and leaves the connection good`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(connections: 1, timeout: .seconds(60))
            let limit = try await database.query("SELECT current_setting('statement_timeout')") { row -> String in
                try row[0]
            }
            #expect(limit == ["1min"])
            // A shorter limit for the test. The client's limit is later, even if the server is slow.
            try await database.run("SELECT set_config('statement_timeout', '1000', false)")
            let backend = try await firstSuccess { try await database.numbers("SELECT pg_backend_pid()") }
            let error = try await problem { _ = try await database.query("SELECT pg_sleep(60)") { _ in 0 } }
            #expect(error == .timeout)
            let locked = try await problem {
                _ = try await database.transaction { try $0.run("SELECT pg_sleep(60)") }
            }
            #expect(locked == .timeout)
            #expect(try await firstSuccess { try await database.numbers("SELECT pg_backend_pid()") } == backend)
        }
    }

    @Test func `A row that another holds is waited for no longer than the limit`() async throws {
        try await withPostgreSQL { server in
            let slow = try server.database(timeout: .seconds(60))
            let database = try server.database(timeout: .seconds(1))
            try await slow.run("CREATE TABLE t (n bigint)")
            try await slow.run("INSERT INTO t VALUES (0)")
            try await firstSuccess { try await database.numbers("SELECT 1") }
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            async let holder: Void = slow.transaction { connection in
                try connection.run("UPDATE t SET n = n + 1")
                held.finish()
                release.wait()
            }
            for await _ in isHeld {}
            #expect(try await problem { try await database.run("UPDATE t SET n = n + 1") } == .timeout)
            release.signal()
            try await holder
            #expect(try await firstSuccess { try await database.numbers("SELECT n FROM t") } == [1])
            try await firstSuccess { try await database.run("UPDATE t SET n = 2") }
            #expect(try await slow.numbers("SELECT n FROM t") == [2])
        }
    }

    /// As in a process that was paused for longer than the limit.
    @Test func `A result that has come is read, even after the limit`() async throws {
        try await withPostgreSQL { server in
            let address = try PostgreSQLAddress(server.address)
            let connection = try PostgreSQLConnection(to: address, timeout: .seconds(60))
            try connection.send(unsafe PQsendQuery(connection.pointer, "SELECT 1"))
            var descriptor = unsafe pollfd(fd: PQsocket(connection.pointer), events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&descriptor, 1, 60_000)
            #expect(count == 1)
            let result = unsafe try connection.nextResult(until: .now).map { unsafe SQLResult($0) }
            #expect(result?.count == 1)
        }
    }
}
