import Backlot
import BacklotDatabase
import Dispatch
import Floki
import TestSupport
import Testing

@testable import FlokiSQLite

/// The cost of a search depends only on its page.
@Suite(.timeLimit(.minutes(5))) struct SQLiteSearchTests {
    @Test func `Other feeds cost nothing`() async throws {
        try await withSQLiteStore { store in
            let others = (1...500).map {
                FeedChange.save(StoredEntry.make($0, words: ["word"], tags: ["t"]), language: "en")
            }
            try await store.apply(others, to: "a")
            try await store.save(.make(1, words: ["word"], tags: ["t"]))
            try await store.apply(others, to: "z")
            #expect(try await store.find(.words(["word"])) == [1])
            #expect(try await store.find(.tag("t")) == [1])
            let found = try await store.pool.read { database in
                let criterion = FeedSearch.Criterion.words(["word"])
                let search = FeedSearch(stream: english, criterion: criterion, limit: nil, now: 0)
                // One row is enough to find the only one.
                return try SQLiteFeedWindow(database: database).search(
                    search,
                    mostRows: 1,
                    deadline: .now + .seconds(60)
                )
            }
            #expect(found == [Array("1".utf8)])
        }
    }

    @Test func `A search fails at its bounds, and a list without a limit ends at one`() async throws {
        try await withSQLiteStore { store in
            let all = (1...2_000).map { FeedChange.save(StoredEntry.make($0, words: ["word"]), language: "en") }
            try await store.apply(all, to: "news")
            let search = FeedSearch(stream: english, criterion: .words(["word"]), limit: nil, now: 0)
            let found = try await store.pool.read { database in
                let reader = SQLiteFeedWindow(database: database)
                #expect(throws: StatusError.searchTooLong) {
                    try reader.search(search, mostRows: .max, deadline: .now)
                }
                var page = search
                (page.offset, page.limit) = (290, 20)
                #expect(throws: StatusError.searchTooLong) {
                    try reader.search(page, mostRows: 300, deadline: .now + .seconds(60))
                }
                return [
                    try reader.search(search, mostRows: 300, deadline: .now + .seconds(60)).count,
                    try reader.search(page, mostRows: 310, deadline: .now + .seconds(60)).count,
                    try reader.search(search, mostRows: .max, deadline: .now + .seconds(60)).count,
                ]
            }
            #expect(found == [300, 20, 2_000])
        }
    }

    @Test func `Entries are looked for along the rarest of their words and tags`() async throws {
        try await withSQLiteStore { store in
            let all = (1...6_000).map { id in
                let tags = ["all"] + (id % 100 == 0 ? ["few"] : []) + (id % 2 == 0 ? ["many"] : [])
                return FeedChange.save(
                    .make(id, words: id % 1_000 == 0 ? ["word", "rare"] : ["word"], tags: tags),
                    language: "en"
                )
            }
            try await store.apply(all, to: "news")
            let walks: [(tags: [String], words: String?, rarest: String?)] = [
                (["all", "few"], nil, "few"), (["many", "all"], nil, "many"), (["few", "many", "all"], nil, "few"),
                (["all"], "word", "word"), (["all", "few"], "word", "few"), (["few"], "rare", "rare"),
                (["all", "nobody"], "rare", "nobody"), (["all"], nil, "all"), ([], nil, nil),
            ]
            for (tags, word, rarest) in walks {
                var walks = tags.map { (sql: SQLiteFeedWindow.byTag, argument: $0) }
                if let word { walks.append((SQLiteFeedWindow.byWords, word)) }
                let found = try await store.pool.read { [walks] database in
                    let reader = SQLiteFeedWindow(database: database)
                    let range = FeedPlace.range(of: try #require(try reader.stream(english)))
                    return try reader.rarest(walks, in: range)?.argument
                }
                #expect(found == rarest)
                let query = EntryQuery(
                    stream: english,
                    tags: tags,
                    words: word.map { [$0] } ?? [],
                    limit: 10_000,
                    now: 0
                )
                let memory = MemoryFeedStore()
                try await memory.apply(all, to: "news")
                let entries = try await store.entries(query)
                #expect(entries.map(\.id) == (await memory.entries(query)).map(\.id))
            }
        }
    }

    @Test func `Editors and searches have lines of their own`() async throws {
        try await withSQLiteStore { store in
            try await store.save(.make(1, words: ["word"], tags: ["t"]))
            let (blocked, blocking) = AsyncStream.makeStream(of: Void.self)
            let end = DispatchSemaphore(value: 0)
            let task = Task {
                try await store.searchers.read { _ in
                    blocking.yield()
                    end.wait()
                }
            }
            for await _ in blocked { break }
            let query = EntryQuery(stream: english, tags: ["t"], words: ["word"], limit: 5, now: 0)
            #expect(try await store.entries(query).map(\.id) == [1])
            end.signal()
            try await task.value
        }
    }

    @Test func `A search ends with its client`() async throws {
        try await withSQLiteStore { store in
            try await store.save(.make(1, words: ["word"]))
            let search = FeedSearch(stream: english, criterion: .words(["word"]), limit: nil, now: 0)
            let task = Task {
                while true { _ = try await store.search(search) }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await store.find(.words(["word"])) == [1])
        }
    }

    @Test func `Searches wait in a line of their own`() async throws {
        try await withSQLiteStore { store in
            let all = (1...2_000).map { FeedChange.save(StoredEntry.make($0, words: ["word"]), language: "en") }
            try await store.apply(all, to: "news")
            let search = FeedSearch(stream: english, criterion: .words(["word"]), limit: nil, now: 0)
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
                let window = try await store.window(FeedQuery(stream: english, limit: 1, now: 0))
                #expect(window.texts == ["2000"])
                for try await isRight in group { #expect(isRight) }
            }
            #expect(try await store.find(.words(["word"]), limit: 5).count == 5)
        }
    }

    @Test func `Everything is read through an index, and never sorted`() async throws {
        try await withSQLiteStore { store in
            let plans = try await store.pool.read { database in
                let statements: [(String, [any DatabaseValue])] = [
                    (SQLiteFeedWindow.byPlace, [5, 9]), (SQLiteFeedWindow.byID, [1, 5, 9]),
                    (SQLiteFeedWindow.byWords, ["a", 5, 9]),
                    (SQLiteFeedWindow.byTag, ["a", 5, 9]), (SQLiteFeedWindow.firstAfter, [1, 5, 9]),
                    (FeedDrafts.byPlace, [1, 5, 9]), (FeedDrafts.byTime, [5, 9]),
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
        try await withSQLiteStore { store in
            try await store.save(.make(1, words: ["alpha", "beta"]), .make(2, words: ["beta", "delta"]))
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            // No feed writes such words; other programs may.
            try await store.save(.make(3, words: ["\"", "a\" OR \"b"]))
            let left = try await store.pool.write { database in
                let words = TermExpression(database: database)
                #expect(try words.forgetUnused(after: "", atMost: 3) == "alpha")
                #expect(try words.forgetUnused(after: "alpha", atMost: 3) == "")
                return try database.all("SELECT text FROM word ORDER BY text") { $0[0] as String }
            }
            #expect(left == ["beta", "delta"])
            #expect(try await store.find(.words(["beta"])) == [2])
            #expect(try await store.find(.words(["alpha"])) == [])
        }
    }
}
