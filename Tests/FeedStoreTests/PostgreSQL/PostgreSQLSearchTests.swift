import Backlot
import BacklotPostgreSQL
import Floki
import FlokiPostgreSQL
import TestSupport
import Testing

/// Searches of PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct PostgreSQLSearchTests {
    @Test func `A language with a configuration finds other forms of a word`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let configurations = ["en": "english", "es": "spanish"]
        let store = try database.server.feeds(database: database.name, configurations: configurations)
        try await store.save(.make(1, words: ["the", "ferries", "running"]), .make(2, words: ["runs", "harbour"]))
        try await store.save(.make(3, words: ["camiones", "rojos"]), language: "es")
        #expect(try await store.find(.words(["run"])) == [2, 1])
        #expect(try await store.find(.words(["ferry"])) == [1])
        #expect(try await store.find(.words(["ferry", "runs"])) == [1])
        #expect(try await store.find(.words(["harb", "running"])) == [2])
        #expect(try await store.find(.words(["the"])) == [1])
        #expect(try await store.find(.words(["the", "zebra"])) == [])
        let search = FeedSearch(stream: spanish, criterion: .words(["camion", "rojo"]), limit: nil, now: 0)
        #expect(try await store.search(search).count == 1)
        // Without one, words are what they are.
        let plain = try database.server.feeds(database: database.name)
        #expect(try await plain.find(.words(["ferry"])) == [])
        #expect(try await plain.find(.words(["ferr"])) == [1])
    }

    @Test func `Very long words are found, and so are many`() async throws {
        try await TestedStore.postgreSQL.withStore { store in
            let long = String(repeating: "é", count: 10_000)
            let many = (0..<100_000).map { "word\($0)" }
            try await store.save(.make(1, words: ["\(long)a"]), .make(2, words: ["\(long)b"]), .make(3, words: many))
            #expect(try await store.find(.words([long])) == [2, 1])
            #expect(try await store.find(.words(["\(long)b"])) == [2])
            #expect(try await store.find(.words(["éé"])) == [2, 1])
            #expect(try await store.find(.words(["word7"])) == [3])
            let query = EntryQuery(stream: english, words: ["\(long)a"], now: 0)
            #expect(try await store.entries(query).map(\.id) == [1])
        }
    }

    @Test func `When the index of words takes too long, the feed is walked along`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, patience: .seconds(2))
        let changes = (1...2_000).map { FeedChange.save(.make($0, words: [$0 == 500 ? "rare" : "w"]), language: "en") }
        try await store.apply(changes, to: "news")
        try database.server.psql(
            """
            CREATE OR REPLACE FUNCTION floki_query(words text[], configuration regconfig) RETURNS tsquery
            LANGUAGE plpgsql STABLE AS $$ BEGIN
                IF current_query() LIKE '%found AS MATERIALIZED%' THEN PERFORM pg_sleep(60); END IF;
                RETURN words[1]::tsquery;
            END $$
            """,
            database: database.name
        )
        #expect(try await store.find(.words(["rare"])) == [500])
        #expect(try await store.find(.words(["absent"])) == [])
    }

    /// The first scan reads 768 entries, each further one 8,192. If the first takes too long, the index of words finds all entries.
    @Test(arguments: [(768, (1...100).reversed().map { $0 * 20 }), (8_192, nil)])
    func `A search that takes too long fails unless it has found its page`(rows: Int, ids: [Int]?) async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, patience: .seconds(2))
        let changes = (1...2_000).map {
            FeedChange.save(.make($0, words: [$0 % 20 == 0 ? "some" : "w"]), language: "en")
        }
        try await store.apply(changes, to: "news")
        try database.server.psql(
            """
            CREATE OR REPLACE FUNCTION floki_query(words text[], configuration regconfig) RETURNS tsquery
            LANGUAGE plpgsql STABLE AS $$ BEGIN
                IF current_query() LIKE '%LIMIT \(rows)\n) AS walked%' THEN PERFORM pg_sleep(60); END IF;
                RETURN words[1]::tsquery;
            END $$
            """,
            database: database.name
        )
        guard let ids else {
            await #expect(throws: StatusError.searchTooLong) { try await store.find(.words(["some"]), limit: 100) }
            return
        }
        #expect(try await store.find(.words(["some"]), limit: 100) == ids)
    }

    @Test func `While an editor looks for words, windows are read`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, connections: 1)
        try await store.save(.make(1, words: ["w"]))
        try database.server.psql(
            """
            CREATE OR REPLACE FUNCTION floki_query(words text[], configuration regconfig) RETURNS tsquery
            LANGUAGE plpgsql STABLE AS $$ BEGIN
                PERFORM pg_advisory_xact_lock_shared(1);
                RETURN words[1]::tsquery;
            END $$
            """,
            database: database.name
        )
        let found = try await database.server.connections(to: database.name).transaction { connection in
            try connection.run("SELECT pg_advisory_xact_lock(1)")
            let found = Task {
                try await store.entries(EntryQuery(stream: english, words: ["w"], now: 0)).map(\.id)
            }
            let waiting = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try connection.query(waiting, read: { row -> Bool in try row[0] }) != [true] {}
            #expect(try Blocking.wait { try await store.texts() }.get() == ["1"])
            return found
        }
        #expect(try await found.value == [1])
    }

    /// The first is found by the index of words, the second on a walk along the feed.
    @Test(arguments: ["rare", "common"])
    func `Rare and common words are found page by page`(word: String) async throws {
        try await TestedStore.postgreSQL.withStore { store in
            let changes = (1...4_000).map { id in
                let isRare = id % 1_000 == 500
                return FeedChange.save(
                    .make(id, expires: id % 10 == 5 ? 1 : 0, words: isRare ? ["rare", "common"] : ["common"]),
                    language: "en"
                )
            }
            try await store.apply(changes, to: "news")
            let all = (1...4_000).reversed().filter { $0 % 10 != 5 && (word == "common" || $0 % 1_000 == 500) }
            #expect(try await store.find(.words([word])) == Array(all))
            var pages: [Int] = []
            var page: [Int] = []
            repeat {
                page = try await store.find(.words([word]), offset: pages.count, limit: 700)
                pages += page
            } while !page.isEmpty
            #expect(pages == Array(all))
        }
    }
}
