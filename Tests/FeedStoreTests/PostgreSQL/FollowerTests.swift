import BacklotPostgreSQL
import Floki
import FlokiPostgreSQL
import TestSupport
import Testing

/// Changes of other servers, as a server hears of them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct FollowerTests {
    @Test func `A notice counts while the changes before it can't be read`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, timeout: .seconds(120))
        try await store.save(.make(1))
        try await store.save(.make(1), feed: "other")
        try await store.waitForRevision(1)
        var changes = store.changes().makeAsyncIterator()
        try await database.server.connections(to: database.name).transaction { connection in
            try connection.run("LOCK TABLE floki_change IN ACCESS EXCLUSIVE MODE")
            for feed in ["news", "other"] {
                try database.server.psql(
                    "UPDATE floki_feed SET revision = 5 WHERE name = '\(feed)'; SELECT pg_notify('floki', 'feed 5 \(feed)')",
                    database: database.name
                )
            }
            let isKnown = Blocking.wait {
                let begin = ContinuousClock.now
                while store.revision(of: "news") != 5 || store.revision(of: "other") != 5 {
                    // Shorter than the time limit for reading the changes.
                    guard begin.duration(to: .now) < .seconds(60) else { return false }
                    try await Task.sleep(for: .milliseconds(5))
                }
                return true
            }
            #expect(try isKnown.get())
        }
        let missed = [await changes.next()?.feed, await changes.next()?.feed]
        #expect(Set(missed) == ["news", "other"])
    }

    @Test func `A database that has lost changes is believed`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let (store, other) = try (
            database.server.feeds(database: database.name), database.server.feeds(database: database.name)
        )
        for number in 1...5 { try await other.save(.make(number)) }
        try await store.waitForRevision(5)
        var changes = store.changes().makeAsyncIterator()
        // As another server would be that takes over.
        try database.server.psql(
            """
            UPDATE floki_feed SET revision = 3;
            DELETE FROM floki_change WHERE revision > 3;
            DELETE FROM floki_entry WHERE id > 3;
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database()
            """,
            database: database.name
        )
        #expect(await changes.next() == FeedEvent(feed: "news", revision: 3, kind: .missed))
        // The revisions 4 and 5 have stood for something else.
        for revision in 4...5 {
            #expect(try await store.save(.make(revision + 10)) == revision)
            #expect(store.revision(of: "news") == nil)
            #expect(
                await changes.next()
                    == FeedEvent(feed: "news", revision: revision, kind: .saved, id: revision + 10, language: "en")
            )
        }
        #expect(try await store.texts() == ["15", "14", "3", "2", "1"])
        try await other.save(.make(16))
        try await store.waitForRevision(6)
        #expect(try await store.knownRevision() == 6)
    }
}
