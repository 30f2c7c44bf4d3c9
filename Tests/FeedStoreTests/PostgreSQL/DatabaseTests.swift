import Backlot
import BacklotPostgreSQL
import Dispatch
import Floki
import FlokiPostgreSQL
import Logging
import TestSupport
import Testing

/// Databases that can't be used, and what PostgreSQL can't store.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct DatabaseTests {
    private func expectRefusal(_ store: PostgreSQLFeedStore, _ text: String) async {
        let error = await #expect(throws: PostgreSQLError.self) { try await store.prepare() }
        #expect(error.map { "\($0)".contains(text) } == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.status == .serviceUnavailable)
    }

    @Test func `A database of a later version is left alone`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let open = { try database.server.feeds(database: database.name) }
        try await open().prepare()
        try database.server.psql("UPDATE backlot_version SET version = 9 WHERE name = 'floki'", database: database.name)
        await expectRefusal(try open(), "version 9, and this program knows 1")
    }

    @Test func `A role without rights may use the tables, not make them`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let name = database.name
        try database.server.psql(
            "CREATE ROLE reader_\(name) LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            database: name
        )
        let open = { try database.server.feeds(user: "reader_\(name)", database: name) }
        await expectRefusal(try open(), "grant the role what is missing")
        try await database.server.feeds(database: name).save(.make(1))
        try database.server.psql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_\(name)", database: name)
        let reader = try open()
        #expect(try await reader.texts() == ["1"])
        let error = await #expect(throws: PostgreSQLError.self) { try await reader.save(.make(2)) }
        #expect(error?.status == .serviceUnavailable)
    }

    @Test func `A server that takes no writes answers windows`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        try await database.server.feeds(database: database.name).save(.make(1))
        try database.server.psql("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        let store = try database.server.feeds(database: database.name)
        #expect(try await store.texts() == ["1"])
        await #expect(throws: PostgreSQLError.self) { try await store.save(.make(2)) }
    }

    @Test func `As many writers wait as there are connections, and windows go on`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, timeout: .seconds(60))
        try await store.save(.make(1))
        let other = try database.server.connections(to: database.name)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        async let holder: Void = other.transaction { connection in
            try connection.run("SELECT FROM floki_feed FOR UPDATE")
            held.finish()
            release.wait()
        }
        for await _ in isHeld {}
        try await withThrowingTaskGroup { group in
            for id in 2...3 { group.addTask { try await store.save(.make(id)) } }
            for _ in 0..<100 { #expect(try await store.texts() == ["1"]) }
            release.signal()
            try await group.waitForAll()
        }
        try await holder
        #expect(try await store.texts().count == 3)
    }

    @Test func `A writer that waits for too long fails`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, timeout: .milliseconds(300))
        try await firstSuccess { try await store.save(.make(1)) }
        try await database.server.connections(to: database.name).transaction { connection in
            try connection.run("SELECT FROM floki_feed FOR UPDATE")
            let outcome = Blocking.wait { try await store.save(.make(2)) }
            #expect(throws: PostgreSQLError.timeout) { try outcome.get() }
        }
        try await firstSuccess { try await store.save(.make(2)) }
    }

    @Test func `An unknown text search configuration is named`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, configurations: ["tlh": "klingon"])
        let error = await #expect(throws: FeedError.self) { try await store.prepare() }
        #expect(error?.description.contains("'klingon' for the language 'tlh', but: ") == true)
        #expect(error?.description.contains("spanish") == true)
    }

    @Test func `The log names an unknown text search configuration, once and unasked`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let address = try PostgreSQLAddress(database.server.address(user: "postgres", database: database.name))
        let store = PostgreSQLFeedStore(
            PostgreSQLDatabase(address, logger: .silent),
            configurations: ["tlh": "klingon"],
            logger: LogRecorder { line.yield($0) }.logger
        )
        for await text in lines {
            #expect(text.contains("'klingon' for the language 'tlh', but: "))
            break
        }
        // Others that fail say nothing more, and neither does the next attempt.
        await #expect(throws: FeedError.self) { try await store.prepare() }
        line.finish()
        var rest: [String] = []
        for await text in lines { rest.append(text) }
        #expect(rest == [])
    }

    @Test(arguments: ["postgres://", "sqlite:feeds", "postgres://a@b@c/d", "postgres://h/d?sslmode=maybe", ""])
    func `A mistake in an address is refused at once`(address: String) {
        #expect(throws: PostgreSQLAddressError.self) {
            try PostgreSQLFeedStore(address == "postgres://" ? "x://" : address)
        }
    }

    @Test func `A setting names a database, and its description no password`() throws {
        let choice = try FeedStoreKind.postgreSQL.read("postgres://app:secret@db.example.com:5433/news")
        #expect(choice.description == "on postgres://app:***@db.example.com:5433/news")
        let mistake = #expect(throws: StoreKindError.self) {
            try FeedStoreKind.postgreSQL.read("postgres://a:secret@b@c/d")
        }
        #expect(mistake?.description.contains("%40") == true)
        #expect(mistake?.description.contains("secret") == false)
    }

    @Test func `What PostgreSQL can't store is refused, or stored all the same`() async throws {
        try await TestedStore.postgreSQL.withStore { store in
            var entry = StoredEntry.make(1, tags: ["tag:\u{1F}a", "tag:\u{1E}", ""], page: "a\0b")
            entry.wire = [0, 0xFF, 0x27, 0x5C]
            try await store.save(entry)
            entry.revision = 1
            #expect(try await store.entry(1, of: english, now: 0) == entry)
            #expect(
                try await store.search(FeedSearch(stream: english, criterion: .tag("tag:\u{1F}a"), limit: 1, now: 0))
                    .count == 1
            )
            await #expect(throws: FeedError.self) { try await store.save(.make(2, tags: ["a\0"])) }
            let long = String(repeating: "t", count: 1_001)
            await #expect(throws: FeedError.self) { try await store.save(.make(2, tags: [long])) }
            await #expect(throws: FeedError.self) { try await store.save(.make(2, words: ["a\0"])) }
            await #expect(throws: FeedError.self) { try await store.save(.make(2), feed: "a\0") }
            #expect(try await store.texts().count == 1)
        }
    }
}
