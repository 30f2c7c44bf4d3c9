import TestSupport
import Testing

@testable import Backlot
@testable import BacklotPostgreSQL

@Suite(.needsPostgreSQL, .timeLimit(.minutes(5)))
struct DatabaseTests {
    @Test func `Values come back as they were sent`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database()
            let text = "naïve \u{1F600} 'quoted' \\ $1"
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            let values: [SQLValue] = [
                .integer(.min), .integer(.max), .text(text), .text(""), .bytes(bytes), .bytes([]),
                .null, .integers([1, -2, .max]), .integers([]), .texts(["a", "", text]), .texts([]),
            ]
            let sql =
                "SELECT $1, $2, $3, $4, $5, $6, true, false, $7::text, $8::text, $9::text, $10, $11, 7::int2, -7::int4"
            // The second time the statement is prepared.
            for _ in 0..<2 {
                let found = try await database.query(sql, values) { row in
                    try #expect(row[0] == Int.min)
                    try #expect(row[1] == Int.max)
                    try #expect(row[2] == text)
                    try #expect(row[3] == "")
                    try #expect(row[4] == bytes)
                    try #expect(row[5] == [UInt8]())
                    try #expect(row[6] == true)
                    try #expect(row[7] == false)
                    try #expect(row[8] == String?.none)
                    try #expect(row[9] == "{1,-2,\(Int.max)}")
                    try #expect(row[10] == "{}")
                    try #expect([String](row, 11) == ["a", "", text])
                    try #expect([String](row, 12) == [])
                    try #expect(row[13] == 7)
                    try #expect(row[14] == -7)
                    return true
                }
                #expect(found == [true])
            }
        }
    }

    @Test func `A statement that fails leaves those of the same moment alone`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(connections: 1)
            let outcomes = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        switch number % 3 {
                        case 0: try? await database.numbers("SELECT 100 / $1", [.integer(0)]).first
                        case 1: try? await database.numbers("SELECT nothing", []).first
                        default: try? await database.numbers("SELECT $1", [.integer(number)]).first
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 200)
            #expect(Set(outcomes.compactMap(\.self)) == Set((0..<300).filter { $0 % 3 == 2 }))
        }
    }

    @Test(
        arguments: [
            ("SELECT nothing", [], "42703", "column \"nothing\" does not exist"),
            ("SELECT 1 / $1", [.integer(0)], "22012", "division by zero"),
            ("SELECT $1", [.text("a\0b")], "22021", "invalid byte sequence for encoding \"UTF8\": 0x00"),
            ("SELECT 1; SELECT 2", [], "42601", "cannot insert multiple commands into a prepared statement"),
        ] as [(String, [SQLValue], String, String)]
    )
    func `What PostgreSQL refuses is passed on`(
        sql: String,
        values: [SQLValue],
        state: String,
        message: String
    ) async throws {
        try await withPostgreSQL { server in
            let database = try server.database()
            await #expect(throws: PostgreSQLError.refused(state: state, message: message)) {
                try await database.numbers(sql, values)
            }
            #expect(try await database.numbers("SELECT 1") == [1])
        }
    }

    @Test func `A column of another type, or NULL, is an error`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database()
            await #expect(throws: PostgreSQLError.unexpected("column 0 can't be read as Int: its type is 25")) {
                try await database.numbers("SELECT 'a'::text")
            }
            await #expect(throws: PostgreSQLError.unexpected("column 0 is NULL")) {
                try await database.numbers("SELECT NULL::bigint")
            }
        }
    }

    @Test func `A transaction is done as a whole, or not at all`() async throws {
        struct Stop: Error {}
        try await withPostgreSQL { server in
            let database = try server.database()
            try await database.run("CREATE TABLE t (n bigint PRIMARY KEY)")
            await #expect(throws: Stop.self) {
                try await database.transaction { connection in
                    try connection.run("INSERT INTO t VALUES (1)")
                    throw Stop()
                }
            }
            await #expect(throws: PostgreSQLError.self) {
                try await database.transaction { connection in
                    try connection.pipeline([
                        SQLStatement("INSERT INTO t VALUES (1)"), SQLStatement("INSERT INTO t VALUES (1)"),
                    ])
                }
            }
            // An error that is swallowed doesn't make a commit of nothing.
            await #expect(throws: PostgreSQLError.self) {
                try await database.transaction { connection in _ = try? connection.run("INSERT INTO nowhere VALUES (1)")
                }
            }
            #expect(try await database.numbers("SELECT n FROM t") == [])
            let counts = try await database.transaction { connection in
                try connection.pipeline([
                    SQLStatement("INSERT INTO t SELECT unnest($1::bigint[])", [.integers([1, 2, 3])]),
                    SQLStatement("UPDATE t SET n = n + 10"),
                ]).map(\.count)
            }
            #expect(counts == [3, 3])
            let read = try await database.transaction(.readOnly) { connection in
                try connection.query("SELECT n FROM t ORDER BY n") { row -> Int in try row[0] }
            }
            #expect(read == [11, 12, 13])
            await #expect(throws: PostgreSQLError.self) {
                try await database.transaction(.readOnly) { try $0.run("DELETE FROM t") }
            }
        }
    }

    @Test func `Transactions that conflict are repeated`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(connections: 4)
            try await database.run("CREATE TABLE t (id bigint PRIMARY KEY, n bigint NOT NULL)")
            try await database.run("INSERT INTO t VALUES (1, 0), (2, 0)")
            // Every second one takes the rows in the other order: deadlocks, which the server ends after a second.
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        try await database.transaction { connection in
                            for id in number % 2 == 0 ? [1, 2] : [2, 1] {
                                try connection.run("UPDATE t SET n = n + 1 WHERE id = $1", [.integer(id)])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.numbers("SELECT n FROM t") == [8, 8])
        }
    }

    @Test func `Notices come to all that listen, after a restart too`() async throws {
        try await withPostgreSQL { server in
            let (events, continuation) = AsyncStream.makeStream(of: String.self)
            let database = try server.database()
            let listener = PostgreSQLListener(
                database,
                channel: "a \"b\"",
                onConnect: { _ in continuation.yield("connected") },
                onNotice: { continuation.yield($0) },
                onLoss: { continuation.yield("lost") }
            )
            // On a busy machine the server may be late, so that the connection is lost and made again in between.
            func waitFor(_ wanted: String) async { for await event in events where event == wanted { break } }
            func exchange(_ text: String) async {
                let sender = Task {
                    while !Task.isCancelled {
                        _ = try? await database.run("SELECT pg_notify('a \"b\"', $1)", [.text(text)])
                        try? await Task.sleep(for: .milliseconds(100))
                    }
                }
                await waitFor(text)
                sender.cancel()
            }
            await waitFor("connected")
            await exchange("one")
            try server.restart()
            await waitFor("lost")
            await waitFor("connected")
            await exchange("two")
            server.hold()
            await waitFor("lost")
            server.release()
            await waitFor("connected")
            withExtendedLifetime(listener) {}
        }
    }
}
