import Floki
import TestSupport
import Testing

/// Searches for words, and for texts that aren't words.
@Suite(.timeLimit(.minutes(5))) struct SearchTests {
    private func find(
        _ words: String...,
        in store: any FeedStore,
        offset: Int = 0,
        limit: Int? = 5
    ) async throws -> [Int] {
        try await store.find(.words(words), offset: offset, limit: limit)
    }

    @Test(
        arguments: TestedStore.available,
        [
            "", " ", "\"", "\"\"", "*", "a*", "a\" OR \"b", "a OR b", "NOT a", "a NEAR b", "near(", "(", ")", "a+b",
            "^a", "words:a",
            "{words}:a", "-a", "'", "';--", "\0", "a\0", "\u{FFFF}", "%", "_", "A",
            String(repeating: "(", count: 1_000),
            String(repeating: "a", count: 3_000),
        ]
    )
    func `What is no word finds nothing`(kind: TestedStore, word: String) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1, words: ["a", "b", "or", "not", "near", "words"]))
            #expect(try await find(word, in: store) == [])
            #expect(try await find("a", word, in: store) == [])
            #expect(try await find("a", in: store) == [1])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Beginnings of every length find their words`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(
                .make(1, words: ["camiones"]),
                .make(2, words: ["camion", "ünïcode"]),
                .make(3, words: ["cama"]),
                .make(4, words: ["日本語", "🚲s"])
            )
            for (text, expected) in [
                ("c", [3, 2, 1]), ("ca", [3, 2, 1]), ("cam", [3, 2, 1]), ("cami", [2, 1]), ("camio", [2, 1]),
                ("camion", [2, 1]),
                ("camione", [1]), ("camiones", [1]), ("camionesx", []), ("x", []), ("ü", [2]), ("ünï", [2]),
                ("ünïcod", [2]),
                ("日", [4]), ("日本語", [4]), ("日本語x", []), ("🚲", [4]),
            ] {
                #expect(try await find(text, in: store) == expected, "\(text)")
            }
        }
    }

    @Test(arguments: TestedStore.available)
    func `Bytes decide: a beginning may end within a character, and words that look alike differ`(
        kind: TestedStore
    ) async throws {
        try await kind.withStore { store in
            let alike = ["\u{AC00}", "\u{1100}\u{1161}"]
            let long = alike.map { $0 + $0 + $0 + $0 }
            try await store.save(
                .make(1, words: ["कि"]),
                .make(2, words: ["क", alike[0], long[0]]),
                .make(3, words: ["कर", alike[1], long[1]])
            )
            for (text, expected) in [
                ("क", [3, 2, 1]), ("कर", [3]), (alike[0], [2]), (alike[1], [3]), (long[0], [2]), (long[1], [3]),
            ] {
                #expect(try await find(text, in: store) == expected, "\(text)")
                let query = EntryQuery(stream: english, words: [text], now: 0)
                #expect(try await store.entries(query).map(\.id) == expected, "\(text)")
            }
            try await store.apply([.remove(id: 2, language: "en")], to: "news")
            #expect(try await find("क", in: store) == [3, 1])
            #expect(try await find(alike[1], in: store) == [3])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Tags that look alike differ`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let alike = ["tag:\u{E9}", "tag:e\u{301}"]
            try await store.save(.make(1, tags: alike), .make(2, tags: [alike[0]]), .make(3, tags: [alike[1]]))
            #expect(try await store.find(.tag(alike[0])) == [2, 1])
            #expect(try await store.find(.tag(alike[1])) == [3, 1])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A beginning of more words than are searched for one by one`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let many = (1...300).map { StoredEntry.make($0, words: ["number\($0)", "all"]) }
            try await store.apply(many.map { .save($0, language: "en") }, to: "news")
            #expect(try await find("number", in: store) == [300, 299, 298, 297, 296])
            #expect(try await find("number", "all", in: store, offset: 298) == [2, 1])
            #expect(
                try await find("number29", in: store, limit: nil) == [
                    299, 298, 297, 296, 295, 294, 293, 292, 291, 290, 29,
                ]
            )
        }
    }

    @Test(arguments: TestedStore.available)
    func `Pages of a common word are whole`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            // Half of them have expired, the newest ones and each third.
            let all = (1...3_000).map { id in
                StoredEntry.make(id, expires: id > 2_000 || id % 3 == 0 ? 4 : 0, words: ["common", "w\(id)"])
            }
            try await store.apply(all.map { .save($0, language: "en") }, to: "news")
            let live = (1...2_000).filter { $0 % 3 != 0 }.reversed().map { $0 }
            #expect(live.count == 1_334)
            for page in [0, 1, 99, 133] {
                let expected = Array(live.dropFirst(page * 10).prefix(10))
                #expect(try await find("common", in: store, offset: page * 10, limit: 10) == expected)
                #expect(try await find("c", in: store, offset: page * 10, limit: 10) == expected)
            }
            #expect(try await find("common", in: store, offset: 1_340) == [])
            #expect(try await find("common", in: store, offset: .max) == [])
            let both = live.filter { "\($0)".hasPrefix("1") }
            #expect(try await find("common", "w1", in: store, offset: 700, limit: 50) == Array(both.dropFirst(700)))
            #expect(try await find("w2999", in: store) == [])
        }
    }
}
