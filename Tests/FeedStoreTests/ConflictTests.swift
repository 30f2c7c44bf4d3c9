import Floki
import Testing

/// Changes of what others change too.
@Suite(.timeLimit(.minutes(5))) struct ConflictTests {
    private func replace(_ entry: StoredEntry, _ revision: Int, in store: any FeedStore) async throws {
        try await store.apply([.replace(entry, language: "en", revision: revision)], to: "news")
    }

    @Test(arguments: TestedStore.available)
    func `An entry is replaced if it is the one that was read`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await replace(.make(1, "a"), 0, in: store)
            try await store.save(.make(2))
            try await replace(.make(1, "b"), 1, in: store)
            let stored = StoredEntry.make(1, "b", revision: 3)
            #expect(try await store.entry(1, of: english, now: 0) == stored)
            for revision in [0, 1, 2, 4, -1] {
                let conflict = FeedConflict(id: 1, language: "en", stored: stored, yours: .make(1, "c"))
                await #expect(throws: conflict) { try await replace(.make(1, "c"), revision, in: store) }
            }
            let unknown = FeedConflict(id: 5, language: "en", stored: nil, yours: .make(5))
            await #expect(throws: unknown) { try await replace(.make(5), 3, in: store) }
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            let removed = FeedConflict(id: 1, language: "en", stored: nil, yours: .make(1))
            await #expect(throws: removed) { try await replace(.make(1), 3, in: store) }
            #expect(try await store.texts() == ["2"])
            #expect(try await store.knownRevision() == 4)
        }
    }

    @Test(arguments: TestedStore.available)
    func `With a conflict nothing is changed`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1), .make(2))
            await #expect(throws: FeedConflict.self) {
                try await store.apply(
                    [
                        .save(.make(3), language: "en"), .remove(id: 1, language: nil),
                        .replace(.make(2, "b"), language: "en", revision: 7),
                        .save(.make(4, as: .draft), language: "en"),
                    ],
                    to: "news"
                )
            }
            #expect(try await store.texts() == ["2", "1"])
            #expect(try await store.entries(EntryQuery(stream: english, selection: .drafts, now: 0)) == [])
            #expect(try await store.knownRevision() == 1)
        }
    }

    @Test(arguments: TestedStore.available)
    func `The draft counts where there is one`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1))
            try await replace(.make(1, "draft", as: .draft), 1, in: store)
            let draft = StoredEntry.make(1, "draft", as: .draft, revision: 2)
            let conflict = FeedConflict(id: 1, language: "en", stored: draft, yours: .make(1, "c"))
            await #expect(throws: conflict) { try await replace(.make(1, "c"), 1, in: store) }
            try await replace(.make(1, "draft 2", as: .scheduled(at: 9)), 2, in: store)
            try await replace(.make(1, "published"), 3, in: store)
            #expect(try await store.texts() == ["published"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `What the same changes have saved before has the next revision`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1))
            try await store.apply(
                [
                    .save(.make(1, "b"), language: "en"), .replace(.make(1, "c"), language: "en", revision: 2),
                    .remove(id: 1, language: "en"), .replace(.make(1, "d"), language: "en", revision: 0),
                ],
                to: "news"
            )
            #expect(try await store.texts() == ["d"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A discarded draft leaves what the same changes have published or removed before`(
        kind: TestedStore
    ) async throws {
        try await kind.withStore { store in
            func replace(_ text: String, _ revision: Int, after changes: FeedChange...) async throws {
                let replacement = FeedChange.replace(.make(1, text), language: "en", revision: revision)
                try await store.apply(changes + [replacement], to: "news")
                #expect(try await store.texts() == [text])
            }
            let (draft, discard) = (StoredEntry.make(1, as: .draft), FeedChange.discardDraft(id: 1, language: "en"))
            try await store.save(.make(1))
            try await replace("a", 2, after: .save(.make(1), language: "en"), discard)
            try await replace("b", 2, after: .save(draft, language: "en"), discard)
            try await replace("c", 4, after: .save(.make(1), language: "en"), .save(draft, language: "en"), discard)
            try await replace("d", 0, after: .remove(id: 1, language: "en"), discard)
            // A removal in all languages, with one that the same changes have begun.
            let again = FeedChange.replace(.make(1), language: "es", revision: 0)
            try await replace("e", 0, after: .save(.make(1), language: "es"), .remove(id: 1, language: nil), again)
            #expect(try await store.texts(spanish) == ["1"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Of many who change an entry at once, each change is made`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            try await open().save(.make(1, "0"))
            let stores = try (0..<3).map { _ in try open() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    let store = stores[writer % stores.count]
                    group.addTask {
                        for _ in 0..<10 {
                            while true {
                                let read = try #require(try await store.entry(1, of: english, now: 0))
                                let next = StoredEntry.make(1, "\((Int(read.text) ?? 0) + 1)")
                                do {
                                    try await store.apply(
                                        [.replace(next, language: "en", revision: read.revision)],
                                        to: "news"
                                    )
                                    break
                                } catch is FeedConflict {
                                    continue
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].texts() == ["60"])
        }
    }
}
