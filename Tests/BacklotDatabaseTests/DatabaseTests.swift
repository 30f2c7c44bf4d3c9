import TestSupport
import Testing

@testable import BacklotDatabase

/// Connections and their statements.
@Suite(.timeLimit(.minutes(5))) struct DatabaseTests {
    private func make(_ script: String = "") throws -> Database {
        let database = try Database(":memory:")
        try database.execute(script)
        return database
    }

    @Test func `What is written is read as it was`() throws {
        let database = try make("CREATE TABLE a (number INTEGER, text TEXT, bytes BLOB) STRICT")
        let texts: [String?] = [
            "", "Ada", "a\0b\0", "\0", "naïve 🚲", "'\";--", String(repeating: "x", count: 100_000), nil,
        ]
        let numbers: [Int64?] = [0, 1, -1, .max, .min, nil]
        let bytes: [[UInt8]?] = [[], [0], Array(0...255), [UInt8](repeating: 7, count: 1 << 20), nil]
        for text in texts { try database.run("INSERT INTO a (text) VALUES (?)", [text]) }
        #expect(try database.all("SELECT text FROM a ORDER BY rowid") { $0[0] as String? } == texts)
        try database.run("DELETE FROM a")
        for number in numbers { try database.run("INSERT INTO a (number) VALUES (?)", [number]) }
        #expect(try database.all("SELECT number FROM a ORDER BY rowid") { $0[0] as Int64? } == numbers)
        try database.run("DELETE FROM a")
        for bytes in bytes { try database.run("INSERT INTO a (bytes) VALUES (?)", [bytes]) }
        // Empty bytes are not NULL.
        let read = try database.all("SELECT bytes, bytes IS NULL FROM a ORDER BY rowid") { row in
            row[1] == 1 ? nil : row[0] as [UInt8]
        }
        #expect(read == bytes)
    }

    @Test func `Texts with U+0000 are told apart`() throws {
        let database = try make("CREATE TABLE user (name TEXT PRIMARY KEY)")
        for name in ["a", "a\0", "a\0b"] { try database.run("INSERT INTO user VALUES (?)", [name]) }
        try database.run("DELETE FROM user WHERE name = ?", ["a\0"])
        #expect(database.changesCount == 1)
        #expect(try database.all("SELECT name FROM user ORDER BY name") { $0[0] as String } == ["a", "a\0b"])
    }

    @Test func `What has another type is converted`() throws {
        try make().forEach("SELECT NULL, '12', 7, x'00ff', 1.9") { row in
            #expect(row[0] as Int == 0)
            #expect(row[0] as String == "")
            #expect(row[0] as [UInt8] == [])
            #expect(row[0] as Int64? == nil)
            #expect(row[0] as String? == nil)
            #expect(row[1] as Int == 12)
            #expect(row[2] as String == "7")
            #expect(row[3] as [UInt8] == [0, 255])
            #expect(row[4] as Int64? == 1)
            // A column that isn't there.
            #expect(row[9] as Int == 0)
            return true
        }
    }

    @Test(
        arguments: [
            ("SELEC 1", 1, "near \"SELEC\": syntax error"), ("SELECT * FROM b", 1, "no such table: b"),
            ("SELECT \"c\" FROM a", 1, "no such column: c"),
            ("INSERT INTO a VALUES (NULL)", 19, "NOT NULL constraint failed: a.b"),
            ("INSERT INTO a VALUES (1)", 19, "UNIQUE constraint failed: a.b"),
            ("SELECT ?", 21, "the statement takes 1 values, and got 0"), ("", 21, "the text is not one statement"),
            ("-- nothing", 21, "the text is not one statement"),
            ("SELECT 1; SELECT 2", 21, "the text is not one statement"),
        ]
    )
    func `A statement that can't be run is an error, and the connection stays usable`(
        sql: String,
        code: Int32,
        message: String
    ) throws {
        let database = try make("CREATE TABLE a (b NOT NULL UNIQUE); INSERT INTO a VALUES (1)")
        let error = #expect(throws: DatabaseError.self) { try database.run(sql) }
        #expect(error?.primaryCode == code)
        #expect(error?.message == message)
        #expect(error?.sql == sql)
        #expect(try database.first("SELECT b FROM a; ") { $0[0] as Int } == 1)
    }

    @Test func `A statement ends at no U+0000`() throws {
        let database = try make("CREATE TABLE a (b); INSERT INTO a VALUES (1)")
        #expect(throws: DatabaseError.self) { try database.run("DELETE FROM a\0WHERE b = 2") }
        #expect(try database.first("SELECT count(*) FROM a") { $0[0] } == 1)
    }

    @Test func `An error is one line, without the values`() throws {
        let database = try make("CREATE TABLE a (b UNIQUE); INSERT INTO a VALUES ('secret')")
        let error = #expect(throws: DatabaseError.self) {
            try database.run("INSERT INTO a\n    VALUES (?)", ["secret"])
        }
        #expect(error?.code == 2067)
        let text = "SQLite error 19: UNIQUE constraint failed: a.b - while executing `INSERT INTO a VALUES (?)`"
        #expect(error?.description == text)
        let script = #expect(throws: DatabaseError.self) { try database.execute("CREATE TABLE c (d); nonsense") }
        #expect(script?.message == "near \"nonsense\": syntax error")
    }

    @Test func `A statement can be used while its rows are read`() throws {
        let database = try make("CREATE TABLE a (b); INSERT INTO a VALUES (1), (2), (3)")
        var found: [[Int]] = []
        try database.forEach("SELECT b FROM a") { _ in
            found.append(try database.all("SELECT b FROM a") { $0[0] })
            return found.count < 2
        }
        #expect(found == [[1, 2, 3], [1, 2, 3]])
        // An error in the middle leaves the statement ready.
        #expect(throws: CancellationError.self) {
            try database.forEach("SELECT b FROM a") { _ in throw CancellationError() }
        }
        #expect(try database.all("SELECT b FROM a") { $0[0] } == [1, 2, 3])
        // And it holds nothing.
        try database.execute("DROP TABLE a")
    }

    @Test func `Prepared statements are bounded`() throws {
        let database = try make()
        var most = 0
        for number in 0..<3_000 {
            #expect(try database.first("SELECT \(number)") { $0[0] } == number)
            most = max(most, database.statementCount)
        }
        #expect(most == 100)
        try database.run("SELECT 1 + 1")
        let before = database.statementCount
        for _ in 0..<50 { try database.run("SELECT 1 + 1") }
        #expect(database.statementCount == before)
    }

    @Test func `A statement follows a change of its table`() throws {
        let database = try make("CREATE TABLE a (b); INSERT INTO a VALUES (1)")
        #expect(try database.all("SELECT * FROM a") { $0[1] as Int64? } == [nil])
        try database.execute("ALTER TABLE a ADD c DEFAULT 5")
        #expect(try database.all("SELECT * FROM a") { $0[1] as Int64? } == [5])
    }

    @Test func `Files that can't be opened are errors`() async throws {
        try await withTemporaryFolder { folder in
            let text = try folder.write(String(repeating: "no database ", count: 200), to: "text")
            let noDatabase = #expect(throws: DatabaseError.self) {
                try Database(text).run("SELECT * FROM sqlite_master")
            }
            #expect(noDatabase?.isNoDatabase == true)
            for path in [folder.path, "\(folder.path)/nowhere/a.sqlite"] {
                let error = #expect(throws: DatabaseError.self) { try Database(path) }
                #expect(error?.cantOpen == true)
                #expect(error?.message == "unable to open database file")
            }
            #expect(throws: DatabaseError.self) { try Database("\(folder.path)/none.sqlite", isReadOnly: true) }
        }
    }

    @Test func `Another connection that writes is waited for, so long and no longer`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/a.sqlite"
            let holder = try Database(path)
            try holder.execute("CREATE TABLE a (b); BEGIN IMMEDIATE")
            let database = try Database(path, busyTimeout: .milliseconds(50))
            let begun = ContinuousClock.now
            let error = #expect(throws: DatabaseError.self) { try database.run("INSERT INTO a VALUES (1)") }
            #expect(
                error?.description == "SQLite error 5: database is locked - while executing `INSERT INTO a VALUES (1)`"
            )
            #expect(begun.duration(to: .now) >= .milliseconds(40))
            try holder.execute("COMMIT")
            try database.run("INSERT INTO a VALUES (1)")
            #expect(try holder.first("SELECT count(*) FROM a") { $0[0] } == 1)
        }
    }

    @Test func `A full file rolls the transaction back`() throws {
        let database = try make("CREATE TABLE a (b); PRAGMA max_page_count = 10")
        let value = [UInt8](repeating: 1, count: 1000)
        let error = #expect(throws: DatabaseError.self) {
            try database.transaction("IMMEDIATE") { database in
                for _ in 0..<100 { try database.run("INSERT INTO a VALUES (?)", [value]) }
            }
        }
        #expect(error?.message == "database or disk is full")
        #expect(!database.isInsideTransaction)
        #expect(try database.first("SELECT count(*) FROM a") { $0[0] } == 0)
        try database.run("INSERT INTO a VALUES (1)")
    }
}
