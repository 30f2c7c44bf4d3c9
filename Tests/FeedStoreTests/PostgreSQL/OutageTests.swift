import Backlot
import BacklotPostgreSQL
import Floki
import FlokiPostgreSQL
import HTTPTypes
import TestSupport
import Testing

/// A server that is killed, restarted, held or away.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct OutageTests {
    /// Ends the connections that wait for notices.
    private static let endListeners = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()
        """

    @Test func `kill -9 of PostgreSQL between writers loses nothing that was acknowledged`() async throws {
        try await withPostgreSQL(isDurable: true) { server in
            let stores = [try server.feeds(timeout: .seconds(5)), try server.feeds(timeout: .seconds(5))]
            let reader = stores[1].changes()
            let told = Task {
                var revisions: [Int] = []
                for await event in reader {
                    if event.kind == .missed { Issue.record("the log has all of them") }
                    if revisions.last != event.revision { revisions.append(event.revision) }
                    if event.id == 9_999 { break }
                }
                return revisions
            }
            try await stores[1].prepare()
            let count = Locked(0)
            let acknowledged = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<3 {
                    group.addTask {
                        var saved: [Int] = []
                        for number in 1...60 {
                            let id = writer * 1_000 + number
                            // Saving it again does no harm.
                            try await firstSuccess { try await stores[writer % 2].save(.make(id)) }
                            saved.append(id)
                            count.withLock { $0 += 1 }
                        }
                        return saved
                    }
                }
                group.addTask {
                    for _ in 0..<3 {
                        // The writers may have gone far while this task waited for its turn.
                        let enough = min(count.withLock { $0 } + 10, 180)
                        while count.withLock({ $0 }) < enough { try await Task.sleep(for: .milliseconds(5)) }
                        server.kill()
                        try server.start()
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let window = try await firstSuccess {
                try await stores[1].window(FeedQuery(stream: english, limit: 1_000, now: 0))
            }
            #expect(Set(window.texts) == Set(acknowledged.map(String.init)))
            let last = try await stores[0].save(.make(9_999))
            // Each server hears of everything, in order and without a gap.
            try await stores[1].waitForRevision(last)
            #expect(await told.value == Array(1...last))
        }
    }

    @Test func `While the server is away nothing is known, and 503 says so`() async throws {
        try await withPostgreSQL { server in
            let store = try server.feeds(timeout: .milliseconds(500))
            try await firstSuccess { try await store.save(.make(1)) }
            try await store.waitForRevision(1)
            server.stop()
            while store.revision(of: "news") != nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(store.recordVersion(of: "/floki") == nil)
            let error = await #expect(throws: PostgreSQLError.self) {
                _ = try await store.window(FeedQuery(stream: english, limit: 1, now: 0))
            }
            #expect(error?.status == .serviceUnavailable)
            #expect(error?.headers[.retryAfter] != nil)
            try server.start()
            try await store.waitForRevision(1)
            try await firstSuccess { try await store.save(.make(2)) }
            #expect(try await firstSuccess { try await store.texts() } == ["2", "1"])
        }
    }

    @Test func `A server that is held is noticed, and heard of again`() async throws {
        try await withPostgreSQL { server in
            let store = try server.feeds(timeout: .milliseconds(500))
            try await firstSuccess { try await store.save(.make(1)) }
            try await store.waitForRevision(1)
            server.hold()
            let begin = ContinuousClock.now
            await #expect(throws: PostgreSQLError.self) {
                _ = try await store.window(FeedQuery(stream: english, limit: 1, now: 0))
            }
            while store.revision(of: "news") != nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(ContinuousClock.now - begin < .seconds(60))
            server.release()
            try await store.waitForRevision(1)
        }
    }

    @Test func `What was missed without a connection is told after it`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let (store, other) = try (
            database.server.feeds(database: database.name), database.server.feeds(database: database.name)
        )
        try await other.save(.make(1))
        try await store.waitForRevision(1)
        var changes = store.changes().makeAsyncIterator()
        try database.server.psql(Self.endListeners, database: database.name)
        try await firstSuccess { try await other.save(.make(2), .make(3, as: .draft)) }
        try await firstSuccess { try await other.apply([.remove(id: 1, language: nil)], to: "news") }
        var found: [FeedEvent] = []
        while found.last?.kind != .removed, let event = await changes.next() { found.append(event) }
        #expect(found.map(\.kind) == [.saved, .drafted, .removed])
        #expect(found.map(\.revision) == [2, 2, 3])
    }

    @Test func `What is forgotten is told as missed`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name)
        try await store.save(.make(1))
        try await store.waitForRevision(1)
        var changes = store.changes().makeAsyncIterator()
        try database.server.psql(
            """
            UPDATE floki_feed SET revision = 7;
            INSERT INTO floki_change (feed, revision, kind, id, language) VALUES ('news', 7, 'saved', 5, 'en');
            SELECT pg_notify('floki', 'feed 7 news')
            """,
            database: database.name
        )
        #expect(await changes.next() == FeedEvent(feed: "news", revision: 7, kind: .missed))
        #expect(try await store.knownRevision() == 7)
    }
}
