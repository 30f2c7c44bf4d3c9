import Dispatch
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotPostgreSQL

/// The outcomes of statements when their batch or commit fails.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(5)))
struct OutcomeTests {
    @Test(arguments: [
        ("RAISE EXCEPTION 'no'", PostgreSQLError.refused(state: "P0001", message: "no")),
        ("RAISE NOTICE 'slow'; PERFORM pg_sleep(3600)", .timeout),
        (
            "RAISE NOTICE 'ended'; PERFORM pg_terminate_backend(pg_backend_pid())",
            .closed("terminating connection due to administrator command")
        ),
    ])
    func `A statement has failed when its commit fails`(commit: String, error: PostgreSQLError) async throws {
        try await withPostgreSQL { server in
            // Short only in the case that waits for it.
            let database = try server.database(connections: 1, timeout: .seconds(error == .timeout ? 1 : 60))
            try server.psql("CREATE TABLE t (n bigint)")
            try server.psql(
                """
                CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(commit); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER t AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION f()
                """
            )
            try await firstSuccess { try await database.numbers("SELECT 1") }
            #expect(try await problem { try await database.run("INSERT INTO t VALUES (1)") } == error)
            #expect(try await firstSuccess { try await database.numbers("SELECT count(*) FROM t") } == [0])
        }
    }

    @Test func `A commit that fails leaves the statements of the same moment alone`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(connections: 1)
            try await database.run("CREATE TABLE t (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            try await database.run("INSERT INTO t VALUES (7)")
            let outcomes = await withTaskGroup(of: (Int, [Int]?).self) { group in
                for number in 0..<300 {
                    group.addTask {
                        if number % 3 > 0 {
                            return (number, try? await database.numbers("SELECT $1", [.integer(number)]))
                        }
                        let isGrouped = number % 2 == 0
                        let count = try? await database.run("INSERT INTO t VALUES (7)", isGrouped: isGrouped)
                        return (number, count.map { [$0] })
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (number, found) in outcomes { #expect(found == (number % 3 > 0 ? [number] : nil)) }
            #expect(try await database.numbers("SELECT n FROM t") == [7])
        }
    }

    @Test func `What only reads is repeated when a statement before it has taken all the time`() async throws {
        try await withPostgreSQL { server in
            let address = try PostgreSQLAddress(server.address(user: "postgres"))
            let link = ServerLink("test", label: "test", timeout: .seconds(60), logger: .silent) {
                () throws(PostgreSQLError) in try PostgreSQLConnection(to: address, timeout: .seconds(60))
            }
            defer { link.close() }
            // Connects first, so that the limit is that of the statements alone.
            link.giveBack(try link.borrow())
            let results = Locked<[Int: Result<String, PostgreSQLError>]>([:])
            let statements = [
                // The server's limit would spare the others.
                ("SELECT set_config('statement_timeout', '0', false)", true), ("SELECT pg_sleep(3600)", true),
                ("SELECT 1", true), ("CREATE TABLE t ()", false),
            ]
            let items = statements.enumerated().map { index, statement in
                PendingQuery(statement: SQLStatement(statement.0), isRepeatable: statement.1) { result in
                    let tag = result.map(\.tag).mapError { $0 as? PostgreSQLError ?? .unexpected("\($0)") }
                    results.withLock { $0[index] = tag }
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "test").async {
                    PendingQuery.run(items, over: link, timeout: .seconds(2), problems: StoreErrorLog(.silent))
                    continuation.resume()
                }
            }
            let expected: [Int: Result<String, PostgreSQLError>] = [
                0: .success("SELECT 1"), 1: .failure(.timeout), 2: .success("SELECT 1"), 3: .failure(.timeout),
            ]
            #expect(results.withLock { $0 } == expected)
        }
    }

    @Test(arguments: [2, 4])
    func `Statements go on while writers wait for a row that another server holds`(connections: Int) async throws {
        try await withPostgreSQL { server in
            let other = try server.database()
            try await other.run("CREATE TABLE t AS SELECT 0::bigint AS n")
            let database = try server.database(connections: connections, timeout: .seconds(60))
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            async let holder: Void = other.transaction { connection in
                try connection.run("UPDATE t SET n = n + 1")
                held.finish()
                release.wait()
            }
            for await _ in isHeld {}
            try await withThrowingTaskGroup { group in
                for _ in 0..<connections {
                    group.addTask {
                        try await database.transaction { connection in
                            begin.yield()
                            try connection.run("UPDATE t SET n = n + 1")
                        }
                    }
                }
                for _ in 1..<connections { for await _ in begun { break } }
                for number in 0..<100 {
                    #expect(try await database.numbers("SELECT $1", [.integer(number)]) == [number])
                    let read = try await database.transaction(.readOnly) { connection in
                        try connection.query("SELECT n FROM t") { row -> Int in try row[0] }
                    }
                    #expect(read == [0])
                }
                release.signal()
                try await group.waitForAll()
            }
            try await holder
            #expect(try await database.numbers("SELECT n FROM t") == [connections + 1])
        }
    }
}
