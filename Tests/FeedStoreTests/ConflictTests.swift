import Floki
import Testing

/// Changes of what others change too.
@Suite(.timeLimit(.minutes(5))) struct ConflictTests {
    private func replace(_ entry: StoredEntry, _ revision: Int, in store: any FeedStore) async throws {
        try await store.apply(FeedChange.replace(entry, revision: revision), to: "news")
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
                let conflict = FeedConflict(id: 1, language: "en", stored: stored)
                await #expect(throws: conflict) { try await replace(.make(1, "c"), revision, in: store) }
            }
            let unknown = FeedConflict(id: 5, language: "en", stored: nil)
            await #expect(throws: unknown) { try await replace(.make(5), 3, in: store) }
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            let removed = FeedConflict(id: 1, language: "en", stored: nil)
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
                        .expect(id: 2, language: "en", revision: 7),
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
    func `An entry is removed, and its draft discarded, if it is the one that was read`(
        kind: TestedStore
    ) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1), .make(2))
            try await store.save(.make(1, as: .draft))
            let changes: [FeedChange] = [.discardDraft(id: 1, language: "en"), .remove(id: 1, language: nil)]
            for change in changes {
                await #expect(throws: FeedConflict.self) {
                    try await store.apply([.expect(id: 1, language: "en", revision: 1), change], to: "news")
                }
            }
            // Expectations alone are no change.
            let expectations: [FeedChange] = [
                .expect(id: 1, language: "en", revision: 2), .expect(id: 2, language: "en", revision: 1),
                .expect(id: 1, language: "es", revision: 0),
            ]
            #expect(try await store.apply(expectations, to: "news") == 2)
            #expect(try await store.apply(expectations + [changes[0]], to: "news") == 3)
            #expect(try await store.texts() == ["2", "1"])
            try await store.apply([.expect(id: 1, language: "en", revision: 1), changes[1]], to: "news")
            #expect(try await store.texts() == ["2"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `The draft counts where there is one`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1))
            try await replace(.make(1, "draft", as: .draft), 1, in: store)
            let draft = StoredEntry.make(1, "draft", as: .draft, revision: 2)
            let conflict = FeedConflict(id: 1, language: "en", stored: draft)
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
                    .save(.make(1, "b"), language: "en"), .expect(id: 1, language: "en", revision: 2),
                    .remove(id: 1, language: "en"), .expect(id: 1, language: "en", revision: 0),
                    .save(.make(1, "d"), language: "en"),
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
                try await store.apply(changes + FeedChange.replace(.make(1, text), revision: revision), to: "news")
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
            try await replace(
                "e",
                0,
                after: .save(.make(1), language: "es"),
                .remove(id: 1, language: nil),
                again[0],
                again[1]
            )
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
                                    let changes = FeedChange.replace(next, revision: read.revision)
                                    try await store.apply(changes, to: "news")
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
