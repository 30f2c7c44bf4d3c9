import Backlot
import Floki
import TestSupport
import Testing

/// Servers that share feeds.
@Suite(.enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(5))) struct ReplicaTests {
    /// An app's server, which responds from memory until something changes.
    private struct Replica {
        let store: any FeedStore
        let news: NewsFeed
        let handler: any Handler

        init(_ store: any FeedStore) {
            let news = NewsFeed("news", in: store)
            let router = Router()
            router.floki("/floki") { app in
                app.language("en", ["news": "News"])
                app.feed(news)
                app.tab(1, "news", newsViewController(news))
            }
            self.store = store
            self.news = news
            handler = router.handler()
        }

        func save(_ id: Int) async throws { try await news.save([item(id, "Item \(id)")], language: "en") }

        /// The ids of the newest entries, and whether they came from memory.
        func window() async throws -> (ids: [Int64], isFromMemory: Bool) {
            let response = try handler.respond(to: try Request(.get, "/floki/news/en"))
            let isFromMemory = if case .ready = response { true } else { false }
            guard case .bytes(let bytes) = try await response.response().body else { return ([], isFromMemory) }
            let json = try JSONValue(parsing: bytes)
            return (json["items"]?.array?.compactMap { $0["id"]?.number?.int64 } ?? [], isFromMemory)
        }

        /// The ids of the next window that comes from memory. Windows come from the database while the listener connects again.
        func idsFromMemory() async throws -> [Int64] {
            while true {
                let (ids, isFromMemory) = try await window()
                if isFromMemory { return ids }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    @Test func `What one server has saved, the others answer as soon as they have heard of it`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let replicas = try (0..<3).map { _ in Replica(try open()) }
            for replica in replicas { _ = try await replica.store.apply([], to: "news") }
            for number in 1...20 {
                try await replicas[number % 3].save(number)
                for replica in replicas {
                    try await replica.store.waitForRevision(number)
                    #expect(try await replica.window().ids.first == Int64(number))
                    #expect(try await replica.idsFromMemory() == Array((1...Int64(number)).reversed()))
                }
            }
        }
    }

    @Test func `A revision that is given again is no reason to answer from memory`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let replica = Replica(try database.server.feeds(database: database.name))
        for id in 1...2 { try await replica.save(id) }
        try await replica.store.waitForRevision(2)
        #expect(try await replica.idsFromMemory() == [2, 1])
        var changes = replica.store.changes().makeAsyncIterator()
        try database.server.psql(
            """
            UPDATE floki_feed SET revision = 1;
            DELETE FROM floki_entry WHERE id = 2;
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database()
            """,
            database: database.name
        )
        #expect(await changes.next()?.kind == .missed)
        try await replica.save(3)
        #expect(await changes.next()?.revision == 2)
        #expect(try await replica.window() == ([3, 1], false))
        #expect(try await replica.window() == ([3, 1], false))
        try await replica.save(4)
        #expect(try await replica.idsFromMemory() == [4, 3, 1])
    }

    @Test func `What one server has saved, every window shows that is read afterwards`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            for number in 1...60 {
                try await stores[number % 3].save(.make(number))
                let window = try await stores[(number + 1) % 3].window(FeedQuery(stream: english, limit: 1, now: 0))
                #expect(window.texts == ["\(number)"])
            }
        }
    }

    @Test func `Many writers at once lose nothing, and no revision is given twice`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            let revisions = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<9 {
                    group.addTask {
                        var revisions: [Int] = []
                        for number in 1...20 {
                            revisions.append(try await stores[writer % 3].save(.make(writer * 100 + number)))
                        }
                        #expect(revisions == revisions.sorted())
                        return revisions
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(revisions.sorted() == Array(1...180))
            let window = try await stores[0].window(FeedQuery(stream: english, limit: 1_000, now: 0))
            #expect(window.entries.count == 180)
        }
    }

    @Test func `No id is given twice`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            let ids = try await withThrowingTaskGroup(of: [Int].self) { group in
                for number in 0..<30 {
                    group.addTask { Array(try await stores[number % 3].allocateIDs(number % 4 + 1, in: "news")) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(ids).count == ids.count)
            #expect(ids.sorted() == Array(1...ids.count))
        }
    }

    @Test func `Of two who save over one another, one is told`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let (first, second) = (try open(), try open())
            let revision = try await first.save(.make(1, "old"))
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for (store, text) in [(first, "a"), (second, "b")] {
                    group.addTask {
                        let changes = FeedChange.replace(.make(1, text), revision: revision)
                        do {
                            try await store.apply(changes, to: "news")
                            return true
                        } catch let conflict as FeedConflict {
                            #expect(["a", "b"].contains(conflict.stored?.text))
                            return false
                        } catch {
                            Issue.record(error)
                            return false
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 1)
        }
    }

    @Test func `A scheduled entry is published once, whoever does so`() async throws {
        try await TestedStore.postgreSQL.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            try await stores[0].save(.make(1, as: .scheduled(at: 5)), .make(2, as: .scheduled(at: 9)))
            await withTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask { #expect((try? await store.publishDrafts(dueAt: 7)) == 9) }
                }
            }
            #expect(try await stores[1].texts() == ["1"])
            #expect(try await stores[2].apply([], to: "news") == 2)
        }
    }

    @Test func `Many entries that are due are published in several revisions`() async throws {
        try await TestedStore.postgreSQL.withStore { store in
            let changes = (1...1_200).map { FeedChange.save(.make($0, as: .scheduled(at: 5 + $0 % 2)), language: "en") }
            try await store.apply(changes, to: "news")
            #expect(try await store.publishDrafts(dueAt: 7) == nil)
            #expect(try await store.apply([], to: "news") == 4)
            let window = try await store.window(FeedQuery(stream: english, limit: 2_000, now: 0))
            #expect(window.entries.count == 1_200)
        }
    }
}
