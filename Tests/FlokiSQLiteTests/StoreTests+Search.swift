import Backlot
import BacklotDatabase
import Floki
import TestSupport
import Testing

@testable import FlokiSQLite

/// Searches cost what their page costs, whatever they search for.
extension StoreTests {
    private func find(
        _ words: String...,
        in store: any FeedStore,
        offset: Int = 0,
        limit: Int? = 5
    ) async throws -> [Int] {
        let criterion = FeedSearch.Criterion.words(words)
        let search = FeedSearch(stream: stream, criterion: criterion, offset: offset, limit: limit, now: 5)
        return try await ids(store.search(search))
    }

    @Test(
        arguments: StoreKind.allCases,
        [
            "", " ", "\"", "\"\"", "*", "a*", "a\" OR \"b", "a OR b", "NOT a", "a NEAR b", "near(", "(", ")", "a+b",
            "^a", "words:a",
            "{words}:a", "-a", "'", "';--", "\0", "a\0", "\u{FFFF}", "%", "_", "A",
            String(repeating: "(", count: 1_000),
            String(repeating: "a", count: 3_000),
        ]
    )
    func `What is no word finds nothing`(kind: StoreKind, word: String) async throws {
        try await withStore(kind) { store in
            try await save(entry(1, words: ["a", "b", "or", "not", "near", "words"]), to: store)
            #expect(try await find(word, in: store) == [])
            #expect(try await find("a", word, in: store) == [])
            #expect(try await find("a", in: store) == [1])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Beginnings of every length`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await save(
                entry(1, words: ["camiones"]),
                entry(2, words: ["camion", "ünïcode"]),
                entry(3, words: ["cama"]),
                entry(4, words: ["日本語", "🚲s"]),
                to: store
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

    @Test(arguments: StoreKind.allCases)
    func `A beginning of more words than are searched for one by one`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let many = (1...300).map { entry($0, words: ["number\($0)", "all"]) }
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

    @Test(arguments: StoreKind.allCases)
    func `Pages of a common word are whole`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            // Half of them have expired, the newest ones and each third.
            let all = (1...3_000).map { id in
                entry(id, expires: id > 2_000 || id % 3 == 0 ? 4 : 0, words: ["common", "w\(id)"])
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

    @Test func `Other feeds cost nothing`() async throws {
        try await withStore(.sqlite) { store in
            let others = (1...500).map { FeedChange.save(entry($0, words: ["word"], tags: ["t"]), language: "en") }
            try await store.apply(others, to: "a")
            try await save(entry(1, words: ["word"], tags: ["t"]), to: store)
            try await store.apply(others, to: "z")
            #expect(try await find("word", in: store, limit: nil) == [1])
            let search = FeedSearch(stream: stream, criterion: .tag("t"), limit: nil, now: 0)
            #expect(try await ids(store.search(search)) == [1])
            let sqlite = try #require(store as? SQLiteFeedStore)
            let found = try await sqlite.pool.read { database in
                let criterion = FeedSearch.Criterion.words(["word"])
                let search = FeedSearch(stream: stream, criterion: criterion, limit: nil, now: 0)
                // One row is enough to find the only one.
                return try FeedReader(database: database).search(search, mostRows: 1, deadline: .now + .seconds(60))
            }
            #expect(ids(found) == [1])
        }
    }

    @Test func `A search ends at its bounds with what it has found`() async throws {
        try await withStore(.sqlite) { store in
            let all = (1...2_000).map { FeedChange.save(entry($0, words: ["word"]), language: "en") }
            try await store.apply(all, to: "news")
            let sqlite = try #require(store as? SQLiteFeedStore)
            let search = FeedSearch(stream: stream, criterion: .words(["word"]), limit: nil, now: 0)
            let found = try await sqlite.pool.read { database in
                let reader = FeedReader(database: database)
                return [
                    try reader.search(search, mostRows: 300, deadline: .now + .seconds(60)).count,
                    try reader.search(search, mostRows: .max, deadline: .now).count,
                    try reader.search(search, mostRows: .max, deadline: .now + .seconds(60)).count,
                ]
            }
            #expect(found == [300, 256, 2_000])
        }
    }

    @Test func `A search ends with its client`() async throws {
        try await withStore(.sqlite) { store in
            try await save(entry(1, words: ["word"]), to: store)
            let search = FeedSearch(stream: stream, criterion: .words(["word"]), limit: nil, now: 0)
            let task = Task {
                while true { _ = try await store.search(search) }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await find("word", in: store) == [1])
        }
    }

    @Test func `Searches wait in a line of their own`() async throws {
        try await withStore(.sqlite) { store in
            let all = (1...2_000).map { FeedChange.save(entry($0, words: ["word"]), language: "en") }
            try await store.apply(all, to: "news")
            let search = FeedSearch(stream: stream, criterion: .words(["word"]), limit: nil, now: 0)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<400 {
                    group.addTask {
                        do {
                            return try await store.search(search).count == 2_000
                        } catch let error as StatusError {
                            return error.status == .serviceUnavailable
                        }
                    }
                }
                let window = try await store.window(FeedQuery(stream: stream, limit: 1, now: 0))
                #expect(ids(window.entries) == [2_000])
                for try await isRight in group { #expect(isRight) }
            }
            #expect(try await find("word", in: store).count == 5)
        }
    }

    @Test func `Everything is read through an index, and never sorted`() async throws {
        try await withStore(.sqlite) { store in
            let sqlite = try #require(store as? SQLiteFeedStore)
            let plans = try await sqlite.pool.read { database in
                let statements: [(String, [any DatabaseValue])] = [
                    (FeedReader.byPlace, [5, 9]), (FeedReader.byID, [1, 5, 9]), (FeedReader.byWords, ["a", 5, 9]),
                    (FeedReader.byTag, ["a", 5, 9]),
                    ("SELECT id FROM tombstone WHERE stream = ? ORDER BY number DESC LIMIT 9", [1]),
                    (
                        "SELECT number FROM id_span WHERE number < ? AND latest >= ? ORDER BY number DESC LIMIT 1",
                        [1, 1]
                    ),
                ]
                return try statements.map { sql, values in
                    try database.all("EXPLAIN QUERY PLAN \(sql)", values) { $0[3] as String }
                }
            }
            for plan in plans {
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
                #expect(plan.first?.hasPrefix("SEARCH") == true || plan.first?.contains(":M1") == true, "\(plan)")
                #expect(plan.dropFirst().allSatisfy { $0.contains("SEARCH e USING INTEGER PRIMARY KEY") }, "\(plan)")
            }
        }
    }

    @Test func `Words that no entry has any more are forgotten`() async throws {
        try await withStore(.sqlite) { store in
            try await save(entry(1, words: ["alpha", "beta"]), entry(2, words: ["beta", "delta"]), to: store)
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            // No feed writes such words; other programs may.
            try await save(entry(3, words: ["\"", "a\" OR \"b"]), to: store)
            let sqlite = try #require(store as? SQLiteFeedStore)
            let left = try await sqlite.pool.write { database in
                let words = FeedWords(database: database)
                #expect(try words.forgetUnused(after: "", atMost: 3) == "alpha")
                #expect(try words.forgetUnused(after: "alpha", atMost: 3) == "")
                return try database.all("SELECT text FROM word ORDER BY text") { $0[0] as String }
            }
            #expect(left == ["beta", "delta"])
            #expect(try await find("beta", in: store) == [2])
            #expect(try await find("alpha", in: store) == [])
        }
    }
}
