import Floki
import TestSupport
import Testing

/// Servers that share feeds.
@Suite(.enabled(if: PostgreSQLServer.isInstalled)) struct ReplicaTests {
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
                        let change = FeedChange.replace(.make(1, text), language: "en", revision: revision)
                        do {
                            try await store.apply([change], to: "news")
                            return true
                        } catch let conflict as FeedConflict {
                            #expect(["a", "b"].contains(conflict.stored?.text))
                            #expect(conflict.yours.text == text)
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
