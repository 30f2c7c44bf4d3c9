import Floki
import TestSupport
import Testing

/// Windows and searches, which are the same in every store.
@Suite(.timeLimit(.minutes(5))) struct StoreTests {
    @Test(arguments: TestedStore.available)
    func `A window has the entries from its start, and the removed ids`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            func window(
                _ start: FeedQuery.Start,
                limit: Int = 3,
                now: Int = 0,
                lowest: Int? = nil
            ) async throws -> WindowSummary {
                let query = FeedQuery(stream: english, start: start, limit: limit, now: now, lowest: lowest)
                let window = try await store.window(query)
                return window.summary
            }
            #expect(try await window(.newest) == WindowSummary([]))
            try await store.save(
                .make(1),
                .make(2, sort: 9),
                .make(3),
                .make(4, sort: 9),
                .make(5),
                .make(6, expires: 10),
                .make(7, sort: 1)
            )
            #expect(try await window(.newest) == WindowSummary([4, 2, 6], hasOlder: true))
            #expect(try await window(.newest, now: 11) == WindowSummary([4, 2, 5], hasOlder: true))
            #expect(try await window(.newest, limit: 7) == WindowSummary([4, 2, 6, 5, 3, 7, 1]))
            #expect(try await window(.newest, lowest: 1) == WindowSummary([4, 2, 6]))
            #expect(
                try await window(.newest, limit: 9, lowest: 2) == WindowSummary([4, 2, 6, 5, 3, 7, 1], hasOlder: true)
            )
            #expect(try await window(.after(id: 2)) == WindowSummary([6, 5, 3], hasOlder: true))
            #expect(try await window(.after(id: 2), now: 11) == WindowSummary([5, 3, 7], hasOlder: true))
            #expect(try await window(.after(id: 6), now: 11) == WindowSummary([5, 3, 7], hasOlder: true))
            #expect(try await window(.after(id: 3)) == WindowSummary([7, 1]))
            #expect(try await window(.after(id: 1)) == WindowSummary([]))
            #expect(try await window(.after(id: 8)) == WindowSummary([6, 5, 3], hasOlder: true))
            #expect(try await window(.below(id: 5)) == WindowSummary([4, 2, 3], hasOlder: true))
            #expect(try await window(.below(id: 4)) == WindowSummary([2, 3, 1]))
            #expect(try await window(.below(id: 1)) == WindowSummary([]))

            try await store.apply([.remove(id: 2, language: nil), .remove(id: 5, language: "en")], to: "news")
            try await store.apply([.remove(id: 3, language: "es"), .remove(id: 9, language: nil)], to: "news")
            #expect(try await window(.newest) == WindowSummary([4, 6, 3], removed: [5, 2], hasOlder: true))
            #expect(try await window(.after(id: 2)) == WindowSummary([6, 3, 7], removed: [5, 2], hasOlder: true))
            #expect(try await window(.after(id: 5)) == WindowSummary([3, 7, 1], removed: [5, 2]))
            #expect(try await window(.newest, limit: 1) == WindowSummary([4], removed: [5], hasOlder: true))
            #expect(try await window(.newest, lowest: 3) == WindowSummary([4, 6, 3], removed: [5], hasOlder: true))
            try await store.save(.make(2))
            #expect(try await window(.newest, limit: 9) == WindowSummary([4, 6, 3, 2, 7, 1], removed: [5]))
            // Replaced, it stands where it now belongs.
            try await store.save(.make(4, sort: 2))
            #expect(try await window(.newest, limit: 9) == WindowSummary([6, 3, 4, 2, 7, 1], removed: [5]))
        }
    }

    @Test(arguments: TestedStore.available)
    func `Entries in a hole below the window count as removed`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            func window(_ lowest: Int?, _ highest: Int, limit: Int = 2, now: Int = 0) async throws -> WindowSummary {
                let query = FeedQuery(stream: english, limit: limit, now: now, lowest: lowest, highest: highest)
                let window = try await store.window(query)
                return window.summary
            }
            let entries = [1, 2, 3, 5, 6, 20, 21].map { StoredEntry.make($0, expires: $0 == 6 ? 10 : 0) }
            try await store.apply(entries.map { .save($0, language: "en") }, to: "news")
            #expect(try await window(3, 5) == WindowSummary([21, 20], removed: [5, 3], hasOlder: true))
            #expect(try await window(nil, 2) == WindowSummary([21, 20], removed: [2, 1], hasOlder: true))
            #expect(try await window(9, 2) == WindowSummary([21, 20], removed: [2], hasOlder: true))
            #expect(try await window(3, 6) == WindowSummary([21, 20], hasOlder: true))
            #expect(try await window(1, 20) == WindowSummary([21, 20]))
            #expect(try await window(1, .max) == WindowSummary([21, 20]))
            // The entry between them has expired.
            #expect(try await window(3, 5, now: 11) == WindowSummary([21, 20], hasOlder: true))
            #expect(try await window(1, 3, limit: 99) == WindowSummary([21, 20, 6, 5, 3, 2, 1]))
        }
    }

    @Test(arguments: TestedStore.available)
    func `Removed entries have a bound`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.apply((1...30).map { .save(.make($0), language: "en") }, to: "news")
            try await store.apply((1...20).map { .remove(id: $0, language: "en") }, to: "news")
            var query = FeedQuery(stream: english, limit: 5, now: 0, lowest: 11)
            #expect(try await store.window(query).removed == Array((11...20).reversed()))
            query.longestRemovedLimit = 3
            #expect(try await store.window(query).removed == [20, 19, 18])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Streams are apart`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1))
            try await store.save(.make(2), language: "es")
            try await store.apply([.save(.make(3), language: "en")], to: "other")
            for (feed, language, expected) in [
                ("news", "en", [1]), ("news", "es", [2]), ("other", "en", [3]), ("other", "es", []), ("none", "en", []),
            ] {
                let query = FeedQuery(stream: FeedStream(feed: feed, language: language), limit: 9, now: 0)
                #expect(try await store.window(query).texts == expected.map { "\($0)" })
            }
        }
    }

    @Test(arguments: TestedStore.available)
    func `An entry reads back until it expires`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let whole = StoredEntry.make(
                1,
                sort: 5,
                expires: 10,
                words: ["one", "two"],
                tags: ["a", "b"],
                page: "<p>"
            )
            try await store.save(whole)
            #expect(
                try await store.entry(1, of: english, now: 10)
                    == .make(
                        1,
                        sort: 5,
                        expires: 10,
                        words: ["one", "two"],
                        tags: ["a", "b"],
                        page: "<p>",
                        revision: 1
                    )
            )
            #expect(try await store.entry(1, of: english, now: 11) == nil)
            #expect(try await store.entry(2, of: english, now: 0) == nil)
            #expect(try await store.entry(1, of: FeedStream(feed: "x", language: "en"), now: 0) == nil)
        }
    }

    @Test(arguments: TestedStore.available)
    func `Entries are found by words and tags`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            #expect(try await store.find(.words(["a"])) == [])
            try await store.save(
                .make(1, words: ["camion", "rojo"], tags: ["x"]),
                .make(2, sort: 9, words: ["camiones"], tags: ["x", "y"]),
                .make(3, words: ["rojo", "42", "naïve"]),
                .make(4, expires: 4, words: ["rojo"], tags: ["x"]),
                .make(5, words: ["or", "and", "near"])
            )
            try await store.save(.make(6, words: ["rojo"], tags: ["x"]), language: "es")
            #expect(try await store.find(.words(["camion"])) == [2, 1])
            #expect(try await store.find(.words(["camion"]), offset: 1) == [1])
            #expect(try await store.find(.words(["camion"]), limit: 1) == [2])
            #expect(try await store.find(.words(["camion"]), offset: 2) == [])
            #expect(try await store.find(.words(["camion", "rojo"])) == [1])
            #expect(try await store.find(.words(["rojo"])) == [3, 1])
            #expect(try await store.find(.words(["42"])) == [3])
            #expect(try await store.find(.words(["amion"])) == [])
            #expect(try await store.find(.words(["or"])) == [5])
            #expect(try await store.find(.words(["near", "and"])) == [5])
            #expect(try await store.find(.words(["naï"])) == [3])
            #expect(try await store.find(.tag("x")) == [2, 1])
            #expect(try await store.find(.tag("x"), offset: 1, limit: 5) == [1])
            #expect(try await store.find(.tag("X")) == [])
            try await store.save(.make(1, words: ["azul"], tags: ["z"]))
            #expect(try await store.find(.words(["rojo"])) == [3])
            #expect(try await store.find(.tag("x")) == [2])
            #expect(try await store.find(.words(["azul"])) == [1])
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            #expect(try await store.find(.words(["azul"])) == [])
            #expect(try await store.find(.tag("z")) == [])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Windows skip the expired`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            // 1 to 50 and 4001 to 4010 live, and every thousandth.
            let all = (1...4_010).map { id in
                StoredEntry.make(id, expires: id <= 50 || id > 4_000 || id % 1_000 == 0 ? 0 : 4, tags: ["t"])
            }
            try await store.apply(all.map { .save($0, language: "en") }, to: "news")
            func window(_ start: FeedQuery.Start, lowest: Int? = nil) async throws -> WindowSummary {
                let query = FeedQuery(stream: english, start: start, limit: 3, now: 5, lowest: lowest)
                let window = try await store.window(query)
                return window.summary
            }
            #expect(try await window(.newest) == WindowSummary([4_010, 4_009, 4_008], hasOlder: true))
            #expect(try await window(.after(id: 4_002)) == WindowSummary([4_001, 4_000, 3_000], hasOlder: true))
            #expect(try await window(.after(id: 3_000)) == WindowSummary([2_000, 1_000, 50], hasOlder: true))
            #expect(try await window(.below(id: 4_001)) == WindowSummary([4_000, 3_000, 2_000], hasOlder: true))
            #expect(try await window(.below(id: 1_000)) == WindowSummary([50, 49, 48], hasOlder: true))
            #expect(try await window(.newest, lowest: 60) == WindowSummary([4_010, 4_009, 4_008], hasOlder: true))
            #expect(try await window(.newest, lowest: 1) == WindowSummary([4_010, 4_009, 4_008]))
            #expect(try await store.find(.tag("t"), offset: 10, limit: 6) == [4_000, 3_000, 2_000, 1_000, 50, 49])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Removed ids are forgotten, the first ones first`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let ids = 1...FeedQuery.maximumRemoved + 30
            try await store.apply(ids.map { .save(StoredEntry.make($0), language: "en") }, to: "news")
            try await store.apply(ids.map { .remove(id: $0, language: nil) }, to: "news")
            var query = FeedQuery(stream: english, limit: 5, now: 0, lowest: 1)
            query.longestRemovedLimit = .max
            #expect(try await store.window(query).removed == (31...FeedQuery.maximumRemoved + 30).reversed())
        }
    }
}
