import BacklotHTTP
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import BacklotDatabase

/// Files that several callers read and write.
@Suite(.timeLimit(.minutes(5))) struct PoolTests {
    private func withPool(readers: Int = 2, _ body: (DatabasePool) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let pool = try DatabasePool("\(folder.path)/a.sqlite", label: "test", readers: readers)
            try await pool.write { try $0.execute("CREATE TABLE a (b); INSERT INTO a VALUES (1)") }
            try await body(pool)
        }
    }

    @Test func `A write is whole or nothing`() async throws {
        struct Refusal: Error {}
        try await withPool { pool in
            await #expect(throws: Refusal.self) {
                try await pool.write { database in
                    try database.run("INSERT INTO a VALUES (2)")
                    throw Refusal()
                }
            }
            #expect(try await pool.read { try count($0) } == 1)
            try await pool.write { database in
                for number in 2...5 { try database.run("INSERT INTO a VALUES (?)", [number]) }
            }
            #expect(try await pool.read { try count($0) } == 5)
        }
    }

    @Test func `A read sees one state, whatever is written meanwhile`() async throws {
        try await withPool { pool in
            let counts = try await pool.read { database in
                let before = try count(database)
                try pool.write { try $0.run("INSERT INTO a VALUES (2)") }
                return [before, try count(database)]
            }
            #expect(counts == [1, 1])
            #expect(try await pool.read { try count($0) } == 2)
        }
    }

    @Test func `Readers can't write`() async throws {
        try await withPool { pool in
            let error = await #expect(throws: DatabaseError.self) {
                try await pool.read { try $0.run("INSERT INTO a VALUES (2)") }
            }
            #expect(error?.message == "attempt to write a readonly database")
            try await pool.write { try $0.run("INSERT INTO a VALUES (2)") }
            #expect(try await pool.read { try count($0) } == 2)
        }
    }

    @Test func `What is written outlives a failure of the power`() async throws {
        try await withPool { pool in
            let synchronous: Int? = try await pool.write { try $0.first("PRAGMA synchronous") { $0[0] } }
            #expect(synchronous == 2)
            let journal: String? = try await pool.read { try $0.first("PRAGMA journal_mode") { $0[0] } }
            #expect(journal == "wal")
        }
    }

    @Test func `When it closes, the file is alone`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/a.sqlite"
            let journal = "\(path)-wal"
            do {
                let pool = try DatabasePool(path, label: "test", readers: 3)
                try await pool.write { try $0.execute("CREATE TABLE a (b); INSERT INTO a VALUES (1)") }
                #expect(try await pool.read { try count($0) } == 1)
                #expect(FileManager.default.fileExists(atPath: journal))
            }
            #expect(!FileManager.default.fileExists(atPath: journal))
            let readers = try DatabaseReaders(path, label: "test", count: 1)
            #expect(try await readers.read { try count($0) } == 1)
        }
    }

    @Test func `A file that is closed serves its callers first, and refuses later ones`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/a.sqlite"
            let pool = try DatabasePool(path, label: "test", readers: 2)
            try await pool.write { try $0.execute("CREATE TABLE a (b); INSERT INTO a VALUES (1)") }
            let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let first = pool.read { database in
                hasBegun.signal()
                mayEnd.wait()
                return try count(database)
            }
            try await Blocking.run { hasBegun.wait() }
            let isClosed = Locked(false)
            async let closing: Void = Blocking.run {
                pool.close()
                isClosed.withLock { $0 = true }
            }
            // The other connection is free until the file begins to close.
            while await Self.refusal({ _ = try await pool.read { try count($0) } }) == nil { await Task.yield() }
            #expect(!isClosed.withLock { $0 })
            mayEnd.signal()
            #expect(try await first == 1)
            try await closing
            #expect(try folder.names() == ["a.sqlite"])
            #expect(await Self.refusal { _ = try await pool.read { try count($0) } } == "it is closed already")
            #expect(throws: DatabaseError.self) { try pool.read { try count($0) } }
            pool.close()
        }
    }

    /// The message of the `DatabaseError` that a file throws; nil without an error.
    private static func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DatabaseError)?.message
        }
    }

    @Test func `Many callers share few connections`() async throws {
        try await withPool { pool in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        if number % 4 == 0 {
                            try await pool.write { try $0.run("INSERT INTO a VALUES (?)", [number]) }
                        } else {
                            #expect(try await pool.read { try count($0) } > 0)
                        }
                    }
                }
                // And threads that wait.
                for _ in 0..<50 {
                    group.addTask {
                        let found: Int = try await Blocking.run { try pool.read { try count($0) } }
                        #expect(found > 0)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await pool.read { try count($0) } == 51)
        }
    }

    @Test func `A long statement ends with its task, and no other does`() async throws {
        try await withPool(readers: 1) { pool in
            let hasBegun = Locked(false)
            let task = Task {
                try await pool.read { database in
                    hasBegun.withLock { $0 = true }
                    return try database.first(endless) { $0[0] as Int }
                }
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            let waiting = Task { try await pool.read { try count($0) } }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let found = try await waiting.value
            #expect(found == 1)
        }
    }

    @Test func `A write that is cancelled has written nothing`() async throws {
        try await withPool { pool in
            let hasBegun = Locked(false)
            let task = Task {
                try await pool.write { database in
                    try database.run("INSERT INTO a VALUES (2)")
                    hasBegun.withLock { $0 = true }
                    try database.run("INSERT INTO a \(endless)")
                }
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await pool.write { try $0.run("INSERT INTO a VALUES (3)") }
            let numbers: [Int] = try await pool.read { try $0.all("SELECT b FROM a") { $0[0] } }
            #expect(numbers == [1, 3])
        }
    }

    @Test func `A task that was cancelled before runs nothing`() async throws {
        try await withPool { pool in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await pool.write { try $0.run("INSERT INTO a VALUES (2)") }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let found = try await pool.read { try count($0) }
            #expect(found == 1)
        }
    }

    @Test func `Files are brought up to date, version by version`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/a.sqlite"
            func run(_ migrations: Migrations) throws -> Bool {
                try migrations.run(on: DatabasePool(path, label: "test", readers: 1))
            }
            let first = Migrations(["1": "CREATE TABLE a (b); INSERT INTO a VALUES (1)"])
            #expect(try run(first))
            #expect(try run(first))
            #expect(throws: DatabaseError.self) {
                _ = try run(Migrations(["1": "", "2": "CREATE TABLE d (e); nonsense"]))
            }
            #expect(try run(Migrations(["1": "nonsense", "2: c": "ALTER TABLE a ADD c DEFAULT 7"])))
            // A later version has written it.
            #expect(try !run(first))
            let database = try Database(path)
            #expect(try database.all("SELECT c FROM a") { $0[0] as Int } == [7])
            let names = try database.all("SELECT identifier FROM grdb_migrations ORDER BY 1") { $0[0] as String }
            #expect(names == ["1", "2: c"])
            #expect(try database.first("SELECT 1 FROM sqlite_master WHERE name = 'd'") { _ in true } == nil)
        }
    }
}

/// Counts to a billion.
private let endless = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT count(*) FROM n
    """

private func count(_ database: Database) throws -> Int { try database.first("SELECT count(*) FROM a") { $0[0] } ?? -1 }
