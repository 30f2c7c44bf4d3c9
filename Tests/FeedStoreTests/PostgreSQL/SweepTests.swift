import Backlot
import BacklotPostgreSQL
import Floki
import FlokiPostgreSQL
import TestSupport
import Testing

/// Entries that end.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct SweepTests {
    /// The server's clock says 1,030; the clients' say what they like.
    private func withStore(_ body: (PostgreSQLFeedStore, (String) throws -> String) async throws -> Void) async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, clock: SessionClock { 1_030 })
        try await body(store) { try database.server.psql($0, database: database.name) }
    }

    @Test func `Entries that are marked are shown to those for whom they have not ended`() async throws {
        try await withStore { store, psql in
            let entries = (1...30).map { id in
                FeedChange.save(
                    .make(id, expires: id % 3 == 0 ? 0 : 900 + id, words: ["w"], tags: ["t"]),
                    language: "en"
                )
            }
            try await store.apply(entries, to: "news")
            #expect(try psql("SELECT count(*) FROM floki_entry WHERE ended") == "20")
            let memory = MemoryFeedStore()
            try await memory.apply(entries, to: "news")
            for now in [0, 905, 915, 929, 930, 931, 5_000] {
                for start in [FeedQuery.Start.newest, .after(id: 20), .after(id: 19), .below(id: 17)] {
                    for (lowest, highest) in [(nil, nil), (5, 9), (nil, 3), (28, 40)] as [(Int?, Int?)] {
                        let query = FeedQuery(
                            stream: english,
                            start: start,
                            limit: 4,
                            now: now,
                            lowest: lowest,
                            highest: highest
                        )
                        let (found, expected) = (try await store.window(query), await memory.window(query))
                        #expect(found.summary == expected.summary, "\(query)")
                    }
                }
                for criterion in [FeedSearch.Criterion.words(["w"]), .tag("t")] {
                    let search = FeedSearch(stream: english, criterion: criterion, offset: 3, limit: 9, now: now)
                    #expect(try await store.search(search) == (await memory.search(search)))
                }
                for isEnded in [false, true] {
                    var query = EntryQuery(stream: english, selection: .published(includingEnded: isEnded), now: now)
                    query.limit = 7
                    query.after = EntryQuery.Place(sortID: 25, id: 25)
                    #expect(try await store.entries(query) == (await memory.entries(query)))
                    query.tags = ["t"]
                    #expect(try await store.entries(query) == (await memory.entries(query)))
                }
            }
        }
    }

    @Test func `Ended entries are marked, then removed, with their tags`() async throws {
        try await withStore { store, psql in
            try await store.save(.make(1), .make(2, expires: 1_500, tags: ["t"]), .make(3, expires: 1_600, tags: ["t"]))
            #expect(try psql("SELECT count(*) FROM floki_entry WHERE ended") == "0")
            #expect(try await store.removeExpired(before: 1_501) == 1)
            #expect(try psql("SELECT string_agg(id::text, ' ' ORDER BY id) FROM floki_entry") == "1 3")
            #expect(try psql("SELECT string_agg(id::text, ' ') FROM floki_tag") == "3")
            // Nothing is remembered of it.
            #expect(
                try await store.window(FeedQuery(stream: english, limit: 9, now: 0)).summary == WindowSummary([3, 1])
            )
            #expect(try await store.removeExpired(before: 2_000) == 1)
            #expect(try psql("SELECT count(*) FROM floki_tag") == "0")
        }
    }

    @Test func `While another server sweeps, this one leaves it to that`() async throws {
        try await withStore { store, psql in
            try await store.save(.make(1, expires: 5))
            let name = try psql("SELECT current_database()")
            try await SharedPostgreSQL.shared.database().server.connections(to: name).transaction { connection in
                try connection.run("SELECT pg_advisory_xact_lock(7096021466219153670)")
                #expect(try Blocking.wait { try await store.removeExpired(before: 6) }.get() == 0)
            }
            #expect(try await store.removeExpired(before: 6) == 1)
            #expect(try psql("SELECT count(*) FROM floki_entry") == "0")
        }
    }
}
