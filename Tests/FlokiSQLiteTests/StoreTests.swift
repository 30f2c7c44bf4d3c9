import BacklotDatabase
import Floki
import FlokiSQLite
import TestSupport
import Testing

/// Both stores do the same.
struct StoreTests {
    enum StoreKind: CaseIterable {
        case memory, sqlite
    }

    let stream = FeedStream(feed: "news", language: "en")

    func withStore(_ kind: StoreKind, _ body: (any FeedStore) async throws -> Void) async throws {
        switch kind {
        case .memory: try await body(MemoryFeedStore())
        case .sqlite:
            try await withTemporaryFolder { try await body(SQLiteFeedStore("\($0.path)/feeds.sqlite")) }
        }
    }

    func entry(
        _ id: Int,
        sort: Int? = nil,
        expires: Int = 0,
        words: [String] = [],
        tags: [String] = [],
        page: String? = nil
    ) -> StoredEntry {
        StoredEntry(
            id: id,
            sortID: sort ?? id,
            expirationDate: expires,
            wire: Array("\(id)".utf8),
            page: page,
            words: words,
            tags: tags
        )
    }

    func save(_ entries: StoredEntry..., to store: any FeedStore, language: String = "en") async throws {
        try await store.apply(entries.map { .save($0, language: language) }, to: "news")
    }

    func ids(_ entries: [[UInt8]]) -> [Int] { entries.compactMap { Int(String(decoding: $0, as: UTF8.self)) } }

    @Test(arguments: StoreKind.allCases)
    func `Windows`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            func window(
                _ start: FeedQuery.Start,
                limit: Int = 3,
                now: Int = 0,
                lowest: Int? = nil
            ) async throws -> String {
                let query = FeedQuery(stream: stream, start: start, limit: limit, now: now, lowest: lowest)
                let window = try await store.window(query)
                return "\(ids(window.entries)) \(window.removed) \(window.hasOlder)"
            }
            #expect(try await window(.newest) == "[] [] false")
            try await save(
                entry(1),
                entry(2, sort: 9),
                entry(3),
                entry(4, sort: 9),
                entry(5),
                entry(6, expires: 10),
                entry(7, sort: 1),
                to: store
            )
            #expect(try await window(.newest) == "[4, 2, 6] [] true")
            #expect(try await window(.newest, now: 11) == "[4, 2, 5] [] true")
            #expect(try await window(.newest, limit: 7) == "[4, 2, 6, 5, 3, 7, 1] [] false")
            #expect(try await window(.newest, lowest: 1) == "[4, 2, 6] [] false")
            #expect(try await window(.newest, limit: 9, lowest: 2) == "[4, 2, 6, 5, 3, 7, 1] [] true")
            #expect(try await window(.after(id: 2)) == "[6, 5, 3] [] true")
            #expect(try await window(.after(id: 2), now: 11) == "[5, 3, 7] [] true")
            #expect(try await window(.after(id: 6), now: 11) == "[5, 3, 7] [] true")
            #expect(try await window(.after(id: 3)) == "[7, 1] [] false")
            #expect(try await window(.after(id: 1)) == "[] [] false")
            #expect(try await window(.after(id: 8)) == "[6, 5, 3] [] true")
            #expect(try await window(.below(id: 5)) == "[4, 2, 3] [] true")
            #expect(try await window(.below(id: 4)) == "[2, 3, 1] [] false")
            #expect(try await window(.below(id: 1)) == "[] [] false")

            try await store.apply([.remove(id: 2, language: nil), .remove(id: 5, language: "en")], to: "news")
            try await store.apply([.remove(id: 3, language: "es"), .remove(id: 9, language: nil)], to: "news")
            #expect(try await window(.newest) == "[4, 6, 3] [5, 2] true")
            #expect(try await window(.after(id: 2)) == "[6, 3, 7] [5, 2] true")
            #expect(try await window(.after(id: 5)) == "[3, 7, 1] [5, 2] false")
            #expect(try await window(.newest, limit: 1) == "[4] [5] true")
            #expect(try await window(.newest, lowest: 3) == "[4, 6, 3] [5] true")
            try await save(entry(2), to: store)
            #expect(try await window(.newest, limit: 9) == "[4, 6, 3, 2, 7, 1] [5] false")
            // Replaced, it stands where it now belongs.
            try await save(entry(4, sort: 2), to: store)
            #expect(try await window(.newest, limit: 9) == "[6, 3, 4, 2, 7, 1] [5] false")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `A hole between the window and what a client has`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            func window(_ lowest: Int?, _ highest: Int, limit: Int = 2, now: Int = 0) async throws -> String {
                let query = FeedQuery(stream: stream, limit: limit, now: now, lowest: lowest, highest: highest)
                let window = try await store.window(query)
                return "\(ids(window.entries)) \(window.removed) \(window.hasOlder)"
            }
            let entries = [1, 2, 3, 5, 6, 20, 21].map { entry($0, expires: $0 == 6 ? 10 : 0) }
            try await store.apply(entries.map { .save($0, language: "en") }, to: "news")
            #expect(try await window(3, 5) == "[21, 20] [5, 3] true")
            #expect(try await window(nil, 2) == "[21, 20] [2, 1] true")
            #expect(try await window(9, 2) == "[21, 20] [2] true")
            #expect(try await window(3, 6) == "[21, 20] [] true")
            #expect(try await window(1, 20) == "[21, 20] [] false")
            #expect(try await window(1, .max) == "[21, 20] [] false")
            // What lies between has ended.
            #expect(try await window(3, 5, now: 11) == "[21, 20] [] true")
            #expect(try await window(1, 3, limit: 99) == "[21, 20, 6, 5, 3, 2, 1] [] false")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Removed entries have a bound`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.apply((1...30).map { .save(entry($0), language: "en") }, to: "news")
            try await store.apply((1...20).map { .remove(id: $0, language: "en") }, to: "news")
            var query = FeedQuery(stream: stream, limit: 5, now: 0, lowest: 11)
            #expect(try await store.window(query).removed == Array((11...20).reversed()))
            query.longestRemovedLimit = 3
            #expect(try await store.window(query).removed == [20, 19, 18])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Streams are apart`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await save(entry(1), to: store)
            try await save(entry(2), to: store, language: "es")
            try await store.apply([.save(entry(3), language: "en")], to: "other")
            for (feed, language, expected) in [
                ("news", "en", [1]), ("news", "es", [2]), ("other", "en", [3]), ("other", "es", []), ("none", "en", []),
            ] {
                let query = FeedQuery(stream: FeedStream(feed: feed, language: language), limit: 9, now: 0)
                #expect(try await ids(store.window(query).entries) == expected)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `An entry`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let whole = entry(1, sort: 5, expires: 10, words: ["one", "two"], tags: ["a", "b"], page: "<p>")
            try await save(whole, to: store)
            #expect(try await store.entry(1, of: stream, now: 10) == whole)
            #expect(try await store.entry(1, of: stream, now: 11) == nil)
            #expect(try await store.entry(2, of: stream, now: 0) == nil)
            #expect(try await store.entry(1, of: FeedStream(feed: "x", language: "en"), now: 0) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Words and tags`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            func find(_ criterion: FeedSearch.Criterion, offset: Int = 0, limit: Int? = nil) async throws -> [Int] {
                let search = FeedSearch(stream: stream, criterion: criterion, offset: offset, limit: limit, now: 5)
                return try await ids(store.search(search))
            }
            #expect(try await find(.words(["a"])) == [])
            try await save(
                entry(1, words: ["camion", "rojo"], tags: ["x"]),
                entry(2, sort: 9, words: ["camiones"], tags: ["x", "y"]),
                entry(3, words: ["rojo", "42", "naïve"]),
                entry(4, expires: 4, words: ["rojo"], tags: ["x"]),
                entry(5, words: ["or", "and", "near"]),
                to: store
            )
            try await save(entry(6, words: ["rojo"], tags: ["x"]), to: store, language: "es")
            #expect(try await find(.words(["camion"])) == [2, 1])
            #expect(try await find(.words(["camion"]), offset: 1) == [1])
            #expect(try await find(.words(["camion"]), limit: 1) == [2])
            #expect(try await find(.words(["camion"]), offset: 2) == [])
            #expect(try await find(.words(["camion", "rojo"])) == [1])
            #expect(try await find(.words(["rojo"])) == [3, 1])
            #expect(try await find(.words(["42"])) == [3])
            #expect(try await find(.words(["amion"])) == [])
            #expect(try await find(.words(["or"])) == [5])
            #expect(try await find(.words(["near", "and"])) == [5])
            #expect(try await find(.words(["naï"])) == [3])
            #expect(try await find(.tag("x")) == [2, 1])
            #expect(try await find(.tag("x"), offset: 1, limit: 5) == [1])
            #expect(try await find(.tag("X")) == [])
            try await save(entry(1, words: ["azul"], tags: ["z"]), to: store)
            #expect(try await find(.words(["rojo"])) == [3])
            #expect(try await find(.tag("x")) == [2])
            #expect(try await find(.words(["azul"])) == [1])
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            #expect(try await find(.words(["azul"])) == [])
            #expect(try await find(.tag("z")) == [])
        }
    }

    @Test func `All changes or none`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            let store = try SQLiteFeedStore(path)
            // Something else of the same file refuses the second entry.
            try Database(path).execute(
                "CREATE TRIGGER no_two BEFORE INSERT ON entry WHEN new.id = 2 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
            await #expect(throws: (any Error).self) { try await save(entry(1), entry(2), to: store) }
            #expect(try await store.window(FeedQuery(stream: stream, limit: 9, now: 0)).entries.isEmpty)
        }
    }

    @Test func `A file outlives its store`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            try await save(entry(1), entry(2), to: SQLiteFeedStore(path))
            let store = try SQLiteFeedStore(path)
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            let window = try await SQLiteFeedStore(path).window(FeedQuery(stream: stream, limit: 9, now: 0))
            #expect(ids(window.entries) == [2])
            #expect(window.removed == [1])
        }
    }

    @Test func `What ended long ago can be removed`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite")
            try await save(entry(1, expires: 5, words: ["a"], tags: ["t"]), entry(2, expires: 9), entry(3), to: store)
            #expect(try await store.removeExpired(before: 6) == 1)
            let window = try await store.window(FeedQuery(stream: stream, limit: 9, now: 0))
            #expect(ids(window.entries) == [3, 2])
            #expect(window.removed.isEmpty)
        }
    }

    @Test func `Files that are none`() async throws {
        try await withTemporaryFolder { folder in
            let text = try folder.write(String(repeating: "no database ", count: 200), to: "text")
            #expect(throws: FeedFileError.self) { try SQLiteFeedStore(text) }
            #expect(throws: FeedFileError.self) { try SQLiteFeedStore("\(folder.path)/nowhere/feeds.sqlite") }
            let foreign = "\(folder.path)/foreign.sqlite"
            try Database(foreign).execute("CREATE TABLE a (b)")
            let error = #expect(throws: FeedFileError.self) { try SQLiteFeedStore(foreign) }
            #expect(error?.description == "the feeds can't be kept in '\(foreign)': it has tables of another program")
            let later = "\(folder.path)/later.sqlite"
            try Database(later).execute("PRAGMA user_version = 9")
            let version = #expect(throws: FeedFileError.self) { try SQLiteFeedStore(later) }
            #expect(version?.description.contains("a later version (9)") == true)
        }
    }
}
