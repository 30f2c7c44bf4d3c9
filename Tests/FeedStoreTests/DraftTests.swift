import Floki
import Testing

/// Entries that readers don't see yet.
@Suite(.timeLimit(.minutes(5))) struct DraftTests {
    private func drafts(_ store: any FeedStore, _ stream: FeedStream = english) async throws -> [StoredEntry] {
        try await store.entries(EntryQuery(stream: stream, selection: .drafts, now: 0))
    }

    @Test(arguments: TestedStore.available)
    func `Readers don't see a draft`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1, words: ["old"], tags: ["tag:a"]))
            let draft = StoredEntry.make(
                1,
                "draft",
                sort: 9,
                expires: 7,
                words: ["new", "words"],
                tags: ["tag:b", "tag:ü\"'\\,"],
                page: "<p>",
                as: .draft
            )
            #expect(try await store.save(draft, .make(2, as: .draft)) == 2)
            #expect(try await store.texts() == ["1"])
            #expect(try await store.find(.words(["new"])) == [])
            #expect(try await store.find(.tag("tag:b")) == [])
            #expect(try await store.find(.words(["old"])) == [1])
            #expect(try await store.entry(1, of: english, now: 0)?.text == "1")
            #expect(try await store.entry(2, of: english, now: 0) == nil)
            var stored = draft
            stored.revision = 2
            #expect(try await drafts(store) == [stored, .make(2, as: .draft, revision: 2)])
            #expect(try await drafts(store, spanish) == [])
            let published = try await store.entries(EntryQuery(stream: english, now: 0))
            #expect(published.map(\.publication) == [.published])

            try await store.save(.make(1, "newer", as: .draft))
            #expect(try await drafts(store).map(\.text) == ["2", "newer"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A published entry takes the place of its draft`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1), .make(2, as: .draft), .make(1, "draft", as: .scheduled(at: 50)))
            try await store.save(.make(1, "published"))
            #expect(try await store.texts() == ["published"])
            #expect(try await drafts(store).map(\.id) == [2])
            #expect(try await store.publishDrafts(dueAt: 100) == nil)
            #expect(try await store.texts() == ["published"])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A scheduled entry is published when its time has come`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            #expect(try await store.publishDrafts(dueAt: 100) == nil)
            try await store.save(
                .make(1, words: ["old"]),
                .make(1, "changed", words: ["new"], tags: ["tag:a"], page: "<p>", as: .scheduled(at: 100)),
                .make(2, as: .scheduled(at: 200)),
                .make(3, as: .draft)
            )
            try await store.save(.make(1, "spanish", as: .scheduled(at: 100)), language: "es")
            try await store.save(.make(7, as: .scheduled(at: 150)), language: "", feed: "photos")
            #expect(try await store.publishDrafts(dueAt: 99) == 100)
            #expect(try await store.texts() == ["1"])
            let before = try await store.knownRevision()
            #expect(try await store.publishDrafts(dueAt: 100) == 150)
            #expect(try await store.knownRevision() == before + 1)
            #expect(try await store.texts() == ["changed"])
            #expect(try await store.texts(spanish) == ["spanish"])
            for criterion in [FeedSearch.Criterion.words(["new"]), .tag("tag:a")] {
                let search = FeedSearch(stream: english, criterion: criterion, limit: nil, now: 0)
                #expect(try await store.search(search) == [Array("changed".utf8)])
            }
            #expect(try await store.find(.words(["old"])) == [])
            let entry = try await store.entry(1, of: english, now: 0)
            #expect(entry?.publication == .published)
            #expect(entry?.revision == before + 1)
            #expect(entry?.page == "<p>")
            #expect(try await store.publishDrafts(dueAt: 100) == 150)
            #expect(try await store.knownRevision() == before + 1)
            #expect(try await store.publishDrafts(dueAt: 1_000) == nil)
            #expect(try await store.texts() == ["2", "changed"])
            #expect(try await store.texts(FeedStream(feed: "photos", language: "")) == ["7"])
            #expect(try await drafts(store).map(\.id) == [3])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Many entries are published at once`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let all = (1...1_203).map { StoredEntry.make($0, as: .scheduled(at: $0 % 5)) }
            try await store.apply(all.map { .save($0, language: "en") }, to: "news")
            #expect(try await store.publishDrafts(dueAt: 3) == 4)
            let query = FeedQuery(stream: english, limit: 2_000, now: 0)
            #expect(try await store.window(query).entries.count == 963)
            #expect(try await store.publishDrafts(dueAt: 4) == nil)
            #expect(try await store.window(query).texts == (1...1_203).reversed().map { "\($0)" })
        }
    }

    @Test(arguments: TestedStore.available)
    func `A draft has many tags`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let tags = (1...200).map { "tag:\($0)" }
            try await store.save(.make(1, tags: tags, as: .scheduled(at: 50)))
            #expect(try await drafts(store).map(\.tags) == [tags])
            #expect(try await store.publishDrafts(dueAt: 50) == nil)
            #expect(try await store.find(.tag("tag:200")) == [1])
        }
    }

    /// PostgreSQL refuses texts with U+0000.
    @Test(arguments: [TestedStore.memory, .sqlite])
    func `A draft's tag has any characters`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let tags = ["tag:a\0b", "tag:a"]
            let marks = ["tag:e" + String(repeating: "\u{301}", count: 200)]
            try await store.save(.make(1, tags: tags, as: .draft), .make(2, tags: marks, as: .draft))
            #expect(try await drafts(store).map(\.tags) == [marks, tags])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A draft is discarded, and the published entry stays`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1), .make(1, "draft", as: .draft), .make(2, as: .draft))
            #expect(try await store.apply([.discardDraft(id: 1, language: "en")], to: "news") == 2)
            #expect(try await drafts(store).map(\.id) == [2])
            #expect(try await store.texts() == ["1"])
            // These drafts don't exist.
            for (id, language, feed) in [(1, "en", "news"), (2, "es", "news"), (2, "xx", "news"), (2, "en", "none")] {
                #expect(
                    try await store.apply([.discardDraft(id: id, language: language)], to: feed)
                        == (feed == "news" ? 2 : 0)
                )
            }
            #expect(try await drafts(store).map(\.id) == [2])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Whoever removes an entry removes its draft`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1), .make(1, "draft", as: .draft), .make(2, as: .draft), .make(3))
            try await store.save(.make(2, as: .draft), language: "es")
            try await store.apply([.remove(id: 1, language: "en"), .remove(id: 2, language: nil)], to: "news")
            #expect(try await drafts(store) == [])
            #expect(try await drafts(store, spanish) == [])
            // Nobody has ever seen 2.
            #expect(
                try await store.window(FeedQuery(stream: english, limit: 9, now: 0)).summary
                    == WindowSummary([3], removed: [1])
            )
        }
    }
}
