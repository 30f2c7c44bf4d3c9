import Floki
import Testing

/// Stored entries, a page at a time.
@Suite(.timeLimit(.minutes(5))) struct EntryQueryTests {
    private func ids(_ query: EntryQuery, in store: any FeedStore) async throws -> [Int] {
        try await store.entries(query).map(\.id)
    }

    @Test(arguments: TestedStore.available)
    func `Pages are whole`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            // Some share their place, and some have ended.
            let all = (1...53).map {
                StoredEntry.make($0, sort: $0 / 4 + 1, expires: $0 % 5 == 0 ? 4 : 0, words: ["w"], tags: ["tag:t"])
            }
            try await store.apply(all.map { .save($0, language: "en") }, to: "news")
            try await store.apply(all.map { .save($0, language: "es") }, to: "news")
            let ordered = all.sorted { $0.place > $1.place }
            for (selection, expected) in [
                (EntryQuery.Selection.published(includingEnded: true), ordered),
                (.published(includingEnded: false), ordered.filter { $0.expirationDate == 0 }), (.drafts, []),
            ] {
                for (words, tags) in [([], []), (["w"], []), ([], ["tag:t"]), (["w"], ["tag:t"])]
                    as [([String], [String])]
                {
                    var found: [StoredEntry] = []
                    var query = EntryQuery(
                        stream: english,
                        selection: selection,
                        tags: tags,
                        words: words,
                        limit: 7,
                        now: 5
                    )
                    while true {
                        let page = try await store.entries(query)
                        found += page
                        guard page.count == 7 else { break }
                        query.after = page.last?.place
                    }
                    let expected = expected.map { entry in
                        var entry = entry
                        entry.revision = 1
                        return entry
                    }
                    #expect(found == expected)
                }
            }
        }
    }

    @Test func `In memory, an entry is looked up by its id`() async throws {
        let store = MemoryFeedStore()
        let all = (1...20_000).map { StoredEntry.make($0) }
        try await store.apply(all.map { .save($0, language: "en") }, to: "news")
        // A walk through the feed for each id takes longer than the time limit.
        var found: [Int] = []
        for id in 19_999...60_000 {
            try Task.checkCancellation()
            let entries = await store.entries(EntryQuery(stream: english, ids: [id], now: 0))
            found += entries.map(\.id)
        }
        #expect(found == [19_999, 20_000])
    }

    @Test(arguments: TestedStore.available)
    func `Filters hold together`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let published = [
                StoredEntry.make(1, words: ["ferry", "late"], tags: ["section:1", "tag:harbour"]),
                .make(2, words: ["ferries"], tags: ["section:2", "tag:harbour"]),
                .make(3, expires: 4, words: ["ferry"], tags: ["section:1"]),
                .make(4, words: ["late"], tags: ["section:1", "section:2"]),
            ]
            try await store.apply(published.map { .save($0, language: "en") }, to: "news")
            let drafts = published.map { entry in
                var draft = entry
                draft.id += 10
                draft.sortID += 10
                draft.publication = .draft
                return draft
            }
            try await store.apply(drafts.map { .save($0, language: "en") }, to: "news")
            func query(_ change: (inout EntryQuery) -> Void) async throws -> [Int] {
                var query = EntryQuery(stream: english, now: 5)
                change(&query)
                return try await ids(query, in: store)
            }
            #expect(try await query { _ in } == [4, 2, 1])
            #expect(try await query { $0.words = ["ferr"] } == [2, 1])
            #expect(try await query { $0.words = ["ferry"] } == [1])
            #expect(try await query { $0.words = ["ferr", "la"] } == [1])
            #expect(try await query { $0.words = ["erry"] } == [])
            #expect(try await query { $0.words = ["a\" OR \"b"] } == [])
            #expect(try await query { $0.tags = ["section:1"] } == [4, 1])
            #expect(try await query { $0.tags = ["section:1", "section:2"] } == [4])
            #expect(try await query { $0.tags = ["section:1", "tag:harbour"] } == [1])
            #expect(try await query { $0.tags = ["section"] } == [])
            #expect(
                try await query {
                    $0.tags = ["section:1"]; $0.words = ["late"]
                } == [4, 1]
            )
            #expect(try await query { $0.ids = [] } == [])
            #expect(try await query { $0.ids = [1, 4, 4, 3, 99, -1, .max] } == [4, 1])
            #expect(
                try await query {
                    $0.ids = [1, 4, 2]; $0.tags = ["tag:harbour"]; $0.limit = 1
                } == [2]
            )
            #expect(
                try await query {
                    $0.ids = [1, 4, 2]; $0.after = .init(sortID: 4, id: 4)
                } == [2, 1]
            )
            let ended = EntryQuery.Selection.published(includingEnded: true)
            #expect(try await query { $0.selection = ended } == [4, 3, 2, 1])
            #expect(
                try await query {
                    $0.selection = ended; $0.ids = [3]
                } == [3]
            )
            #expect(
                try await query {
                    $0.selection = ended; $0.tags = ["section:1"]
                } == [4, 3, 1]
            )
            #expect(try await query { $0.after = .init(sortID: 3, id: 99) } == [2, 1])
            #expect(try await query { $0.after = .init(sortID: 3, id: 1) } == [2, 1])
            #expect(try await query { $0.after = .init(sortID: 0, id: 0) } == [])
            #expect(try await query { $0.stream = spanish } == [])
            #expect(try await query { $0.selection = .drafts } == [14, 13, 12, 11])
            #expect(
                try await query {
                    $0.selection = .drafts; $0.words = ["ferr"]; $0.limit = 2
                } == [13, 12]
            )
            #expect(
                try await query {
                    $0.selection = .drafts; $0.tags = ["section:2"]
                } == [14, 12]
            )
            #expect(
                try await query {
                    $0.selection = .drafts; $0.ids = [11, 1]
                } == [11]
            )
            #expect(
                try await query {
                    $0.selection = .drafts; $0.after = .init(sortID: 13, id: 13)
                } == [12, 11]
            )
        }
    }
}
