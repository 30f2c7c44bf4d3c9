import Floki
import Testing

/// Ids of new entries.
@Suite(.timeLimit(.minutes(5))) struct IDTests {
    @Test(arguments: TestedStore.available)
    func `Ids are above all that a feed has or had`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            #expect(try await store.allocateIDs(1, in: "news") == 1...1)
            #expect(try await store.allocateIDs(3, in: "news") == 2...4)
            try await store.save(.make(9))
            #expect(try await store.allocateIDs(1, in: "news") == 10...10)
            try await store.save(.make(20), language: "es")
            try await store.apply([.remove(id: 20, language: nil)], to: "news")
            #expect(try await store.allocateIDs(1, in: "news") == 21...21)
            try await store.save(.make(30, as: .draft))
            try await store.apply([.discardDraft(id: 30, language: "en")], to: "news")
            #expect(try await store.allocateIDs(2, in: "news") == 31...32)
            #expect(try await store.allocateIDs(1, in: "other") == 1...1)
            // Nobody has changed the feed since.
            #expect(try await store.knownRevision() == 5)
        }
    }

    @Test(arguments: TestedStore.available)
    func `Ids end`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            for count in [0, -1, .min] {
                await #expect(throws: FeedError("\(count) ids can't be reserved: reserve at least 1")) {
                    try await store.allocateIDs(count, in: "news")
                }
            }
            try await store.save(.make(2_147_483_645))
            let text = "the feed 'news' has only 2 ids left, up to 2147483647: begin another feed"
            for count in [3, .max] {
                await #expect(throws: FeedError(text)) { try await store.allocateIDs(count, in: "news") }
            }
            #expect(try await store.allocateIDs(2, in: "news") == 2_147_483_646...2_147_483_647)
            await #expect(throws: FeedError.self) { try await store.allocateIDs(1, in: "news") }
        }
    }

    @Test(arguments: TestedStore.available)
    func `No id is given twice, whichever server is asked`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            let ids = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<12 {
                    let store = stores[writer % stores.count]
                    group.addTask {
                        var ids: [Int] = []
                        for count in 1...5 { ids += try await store.allocateIDs(count, in: "news") }
                        return ids
                    }
                }
                return try await group.reduce(into: [Int]()) { $0 += $1 }
            }
            #expect(ids.sorted() == Array(1...180))
        }
    }
}
