import BacklotPostgreSQL
import TestSupport
import Testing

@testable import Backlot

/// The behaviour that only the PostgreSQL store has. BacklotPostgreSQLTests test the connection to the database.
@Suite(
    .enabled(if: PostgreSQLServer.isInstalled, "LEFT OUT: the tests with PostgreSQL: install Debian's postgresql"),
    .timeLimit(.minutes(5))
)
struct PostgreSQLStoreTests {
    private func make(_ server: PostgreSQLServer, timeout: Duration = .seconds(20)) throws -> PostgreSQLSessionStore {
        PostgreSQLSessionStore(try server.database(timeout: timeout), logger: .silent)
    }

    @Test func `Two stores share what is in the database, at once`() async throws {
        try await withPostgreSQL { server in
            let (one, other) = (try make(server), try make(server))
            try await one.insert(SampleRecord.make("a", values: [1]))
            #expect(try await other.session("a")?.values == [1])
            let changed = SampleRecord.make("a", values: [2], version: 1)
            #expect(try await other.replace(SessionHash(hashing: "a"), version: 0, with: changed))
            #expect(try await one.session("a")?.values == [2])
            try await one.removeAll(of: "ada", mount: "/")
            #expect(try await other.names("a") == [])
        }
    }

    @Test func `Only one of several changes of the same version counts`() async throws {
        try await withPostgreSQL { server in
            let stores = [try make(server), try make(server)]
            try await stores[0].insert(SampleRecord.make("a"))
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<20 {
                    let record = SampleRecord.make("a", values: [UInt8(index)], version: 1)
                    group.addTask {
                        try await stores[index % 2].replace(SessionHash(hashing: "a"), version: 0, with: record)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 1)
        }
    }

    @Test func `Sessions that have ended are removed, in batches, by several stores at once`() async throws {
        try await withPostgreSQL { server in
            let stores = [try make(server), try make(server)]
            try await withThrowingTaskGroup { group in
                for index in 0..<1200 {
                    group.addTask { try await stores[index % 2].insert(SampleRecord.make("ended \(index)", life: 0)) }
                }
                group.addTask { try await stores[0].insert(SampleRecord.make("a")) }
                try await group.waitForAll()
            }
            async let first: Void = stores[0].removeExpired()
            async let second: Void = stores[1].removeExpired()
            _ = try await (first, second)
            // One may have left to the other what it had under way.
            try await stores[0].removeExpired()
            #expect(try server.psql("SELECT count(*) FROM backlot_session") == "1")
            #expect(try await stores[1].names("a") == ["a"])
        }
    }

    @Test func `They are removed in the background too`() async throws {
        try await withPostgreSQL { server in
            let store = PostgreSQLSessionStore(try server.database(), sweepInterval: .seconds(1), logger: .silent)
            try await store.insert(SampleRecord.make("a", life: 0))
            let begun = ContinuousClock.now
            while try await store.names("a") != [], begun.duration(to: .now) < .seconds(30) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await store.names("a") == [])
        }
    }

    @Test func `A database that can't be written to isn't ready, and is read`() async throws {
        try await withPostgreSQL { server in
            let store = try make(server)
            try await store.insert(SampleRecord.make("a"))
            server.stop()
            try server.follow()
            let error = try await #require(throws: PostgreSQLError.self) { try await store.check() }
            #expect("\(error)".contains("25006"), "\(error)")
            #expect(try await store.names("a") == ["a"])
            try server.psql("SELECT pg_promote()")
            try await store.check()
        }
    }

    @Test func `A database that is away is answered with 503, and when to try again`() async throws {
        try await withPostgreSQL { server in
            let store = try make(server, timeout: .milliseconds(300))
            try await firstSuccess { try await store.check() }
            server.kill()
            let router = Router()
            router.group("/", SessionMiddleware(path: "/", store: store, logger: .silent)) { app in
                app.get("/me") { .text(try await $0.session.user ?? "nobody") }
            }
            let handler = router.handler()
            let cookie = "session=" + String(repeating: "a", count: 32)
            await #expect(throws: SessionStoreError(retryAfter: .seconds(5))) {
                try await handler(try Request(.get, "/me", headers: [.cookie: cookie]))
            }
            // Without a session no store is needed.
            #expect(try await handler(try Request(.get, "/me")).status == .ok)
            try server.start()
            let response = try await firstSuccess {
                try await handler(try Request(.get, "/me", headers: [.cookie: cookie]))
            }
            #expect(response.status == .ok)
        }
    }
}
