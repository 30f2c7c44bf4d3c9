import TestSupport
import Testing

@testable import BacklotPostgreSQL

/// Statements that wait for the disk together.
@Suite(.timeLimit(.minutes(5))) struct CommitGroupTests {
    private func item(_ sql: String, isGrouped: Bool) -> PendingQuery {
        PendingQuery(statement: SQLStatement(sql), isRepeatable: false, isGrouped: isGrouped) { _ in }
    }

    @Test func `One alone waits by itself`() {
        let group = CommitGroup([item("a", isGrouped: true), item("b", isGrouped: false)])
        #expect(group.statements.map(\.sql) == ["a", "b"])
        #expect(group.items.map(\.statement.sql) == ["a", "b"])
    }

    @Test func `Several wait together, after those that don't`() {
        let group = CommitGroup([
            item("a", isGrouped: true), item("b", isGrouped: false), item("c", isGrouped: true),
        ])
        #expect(group.items.map(\.statement.sql) == ["b", "a", "c"])
        #expect(
            group.statements.map(\.sql) == [
                "b", "SET synchronous_commit = off", "a", "c", "SET synchronous_commit = on",
                "SELECT pg_logical_emit_message(true, 'backlot', '')",
            ]
        )
    }

    @Test func `When the connection fails, none of those that wait together counts as saved`() {
        let group = CommitGroup([item("a", isGrouped: true), item("c", isGrouped: true)])
        let sent = PostgreSQLConnection.Outcome(
            results: [.failure(.timeout), .failure(.timeout)],
            failure: .closed("x")
        )
        #expect(group.outcome(sent).results.isEmpty)
        #expect(group.outcome(sent).failure == .closed("x"))
    }

    @Test func `When the settings can't be made, the connection can't be used`() {
        let group = CommitGroup([item("a", isGrouped: true), item("c", isGrouped: true)])
        let sent = PostgreSQLConnection.Outcome(results: Array(repeating: .failure(.timeout), count: 5))
        #expect(group.outcome(sent).results.isEmpty)
        #expect(group.outcome(sent).failure == .timeout)
    }

    @Test(.needsPostgreSQL)
    func `Each is a transaction, for a role without further rights, and the setting is as before`() async throws {
        try await withPostgreSQL { server in
            try server.psql("CREATE ROLE app LOGIN; GRANT CREATE ON SCHEMA public TO app")
            let database = try server.database(user: "app", connections: 1)
            try await database.run("CREATE TABLE t (n bigint PRIMARY KEY)")
            try await database.run("INSERT INTO t VALUES (7)")
            let counts = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        try? await database.run("INSERT INTO t VALUES ($1)", [.integer(number % 250)], isGrouped: true)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.count { $0 == 1 } == 249)
            #expect(counts.count { $0 == nil } == 51)
            #expect(try await database.numbers("SELECT count(*) FROM t") == [250])
            let setting = try await database.query("SHOW synchronous_commit") { row -> String in try row[0] }
            #expect(setting == ["on"])
        }
    }
}
