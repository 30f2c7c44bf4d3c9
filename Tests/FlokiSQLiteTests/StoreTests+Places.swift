import Backlot
import BacklotDatabase
import Floki
import TestSupport
import Testing

@testable import FlokiSQLite

/// Where entries stand, which of them have expired, and files of the earlier version.
extension StoreTests {
    /// The sort ids of entries, in the order in which they are saved.
    enum Arrival: CaseIterable {
        case atTop, atBottom, belowPinned, abovePinned, inHalves, shuffled, sameSort

        func sorts(_ count: Int) -> [Int] {
            let middle = 1 << 40
            return switch self {
            case .atTop: (1...count).map { $0 }
            case .atBottom: (1...count).map { middle - $0 }
            case .belowPinned: [middle] + (1..<count).map { $0 }
            case .abovePinned: [1] + (1..<count).map { middle - $0 }
            case .inHalves: (1...count).map { $0 % 2 == 0 ? middle - $0 : middle / 2 + $0 }
            case .shuffled: (1...count).map { $0 * 7_919 % 997 + 1 }
            case .sameSort: (1...count).map { _ in 5 }
            }
        }
    }

    @Test(arguments: Arrival.allCases)
    func `The order of the feed holds, whatever comes in which order`(arrival: Arrival) async throws {
        try await withStore(.sqlite) { store in
            let memory = MemoryFeedStore()
            let sorts = arrival.sorts(600)
            // Ids that go up and down, too.
            let entries = sorts.enumerated().map { index, sort in
                entry((index * 263) % 600 + 1, sort: sort, words: ["word"], tags: ["t"])
            }
            for part in [entries[..<400], entries[400...]] {
                let changes = part.map { FeedChange.save($0, language: "en") }
                try await store.apply(changes, to: "news")
                await memory.apply(changes, to: "news")
                let moved = [
                    FeedChange.save(entry(7, sort: 3, words: ["word"]), language: "en"), .remove(id: 9, language: nil),
                ]
                try await store.apply(moved, to: "news")
                await memory.apply(moved, to: "news")
                for start in [FeedQuery.Start.newest, .after(id: 100), .after(id: 9), .below(id: 300)] {
                    let query = FeedQuery(stream: stream, start: start, limit: 1_000, now: 0)
                    #expect(try await store.window(query) == (await memory.window(query)))
                }
                for criterion in [FeedSearch.Criterion.words(["w"]), .words(["word"]), .tag("t")] {
                    let search = FeedSearch(stream: stream, criterion: criterion, limit: nil, now: 0)
                    let found = try await store.search(search)
                    #expect(found == (await memory.search(search)))
                    #expect(found.count >= part.count - 2)
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Windows skip the expired`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            // 1 to 50 and 4001 to 4010 live, and every thousandth.
            let all = (1...4_010).map { id in
                entry(id, expires: id <= 50 || id > 4_000 || id % 1_000 == 0 ? 0 : 4, tags: ["t"])
            }
            try await store.apply(all.map { .save($0, language: "en") }, to: "news")
            func window(_ start: FeedQuery.Start, lowest: Int? = nil) async throws -> String {
                let query = FeedQuery(stream: stream, start: start, limit: 3, now: 5, lowest: lowest)
                let window = try await store.window(query)
                return "\(ids(window.entries)) \(window.hasOlder)"
            }
            #expect(try await window(.newest) == "[4010, 4009, 4008] true")
            #expect(try await window(.after(id: 4_002)) == "[4001, 4000, 3000] true")
            #expect(try await window(.after(id: 3_000)) == "[2000, 1000, 50] true")
            #expect(try await window(.below(id: 4_001)) == "[4000, 3000, 2000] true")
            #expect(try await window(.below(id: 1_000)) == "[50, 49, 48] true")
            #expect(try await window(.newest, lowest: 60) == "[4010, 4009, 4008] true")
            #expect(try await window(.newest, lowest: 1) == "[4010, 4009, 4008] false")
            let search = FeedSearch(stream: stream, criterion: .tag("t"), offset: 10, limit: 6, now: 5)
            #expect(try await ids(store.search(search)) == [4_000, 3_000, 2_000, 1_000, 50, 49])
        }
    }

    @Test func `Expired entries are skipped by spans, not looked at`() async throws {
        try await withStore(.sqlite) { store in
            let all = (1...4_000).map { FeedChange.save(entry($0, expires: $0 == 1 ? 0 : 4), language: "en") }
            try await store.apply(all, to: "news")
            let sqlite = try #require(store as? SQLiteFeedStore)
            let found = try await sqlite.pool.read { database in
                let walks: [(FeedSpans, ClosedRange<Int64>, String, [any DatabaseValue])] = [
                    (FeedSpans.places, FeedPlace.range(of: 1), FeedReader.byPlace, []),
                    (FeedSpans.ids, FeedID.range(of: 1, through: .max), FeedReader.byID, [1]),
                ]
                return try walks.map { spans, range, sql, values in
                    var walk = FeedWalk(database: database, spans: spans, range: range, now: 5)
                    // The first 64, and the two spans in which the last one may be.
                    walk.mostRows = 64 + 512
                    var found: [String] = []
                    try walk.run(sql, values) { row in
                        found.append(row[2])
                        return true
                    }
                    return found
                }
            }
            #expect(found == [["1"], ["1"]])
        }
    }

    @Test func `The store removes what has expired`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            let clock = SessionClock { 10_000 }
            let store = try SQLiteFeedStore(path, sweepInterval: .seconds(1), clock: clock)
            // Within the last hour, it still marks its place.
            try await save(entry(1, expires: 5), entry(2, expires: 9_000), entry(3), to: store)
            let many = (10..<1_600).map {
                FeedChange.save(entry($0, expires: 5, words: ["w"], tags: ["t"]), language: "en")
            }
            try await store.apply(many, to: "news")
            let query = FeedQuery(stream: stream, limit: 2_000, now: 0)
            while try await store.window(query).entries.count > 2 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await ids(store.window(query).entries) == [3, 2])
            func count(_ table: String) async throws -> Int? {
                try await store.pool.read { try $0.first("SELECT count(*) FROM \(table)") { $0[0] } }
            }
            while try await count("word") != 0 { try await Task.sleep(for: .milliseconds(20)) }
            let left = try await store.pool.read { database in
                try ["tag", "entry_words", "place_span", "id_span"].map { table in
                    try database.first("SELECT count(*) FROM \(table)") { $0[0] } ?? -1
                }
            }
            #expect(left == [0, 0, 1, 1])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Removed ids are forgotten, the first ones first`(kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let ids = 1...FeedQuery.mostRemoved + 30
            try await store.apply(ids.map { .save(entry($0), language: "en") }, to: "news")
            try await store.apply(ids.map { .remove(id: $0, language: nil) }, to: "news")
            var query = FeedQuery(stream: stream, limit: 5, now: 0, lowest: 1)
            query.longestRemovedLimit = .max
            #expect(try await store.window(query).removed == (31...FeedQuery.mostRemoved + 30).reversed())
        }
    }

    @Test func `A file of version 1 is brought up to date`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            try Database(path).execute(Self.version1)
            let store = try SQLiteFeedStore(path)
            let query = FeedQuery(stream: stream, limit: 9, now: 0)
            #expect(
                try await store.window(query) == FeedWindow(entries: [Array("2".utf8), Array("1".utf8)], removed: [4])
            )
            let first = entry(1, sort: 5, expires: 7, words: ["red", "car"], tags: ["a", "b"], page: "<p>")
            #expect(try await store.entry(1, of: stream, now: 0) == first)
            for criterion in [FeedSearch.Criterion.words(["ca"]), .tag("a")] {
                let search = FeedSearch(stream: stream, criterion: criterion, limit: nil, now: 0)
                #expect(try await ids(store.search(search)) == [2, 1])
            }
            let spanish = FeedQuery(stream: FeedStream(feed: "news", language: "es"), limit: 9, now: 0)
            #expect(try await ids(store.window(spanish).entries) == [3])
            try await save(entry(9), to: store)
            #expect(try await ids(SQLiteFeedStore(path).window(query).entries) == [9, 2, 1])
        }
    }

    private static let version1 = """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY, feed TEXT NOT NULL, language TEXT NOT NULL, UNIQUE (feed, language)
        );
        CREATE TABLE entry (
            key INTEGER PRIMARY KEY, stream INTEGER NOT NULL, id INTEGER NOT NULL, sort INTEGER NOT NULL,
            expires INTEGER NOT NULL, wire BLOB NOT NULL, page TEXT, UNIQUE (stream, id)
        );
        CREATE INDEX entry_order ON entry (stream, sort DESC, id DESC, expires);
        CREATE INDEX entry_end ON entry (expires) WHERE expires > 0;
        CREATE TABLE tombstone (
            number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, id INTEGER NOT NULL,
            sort INTEGER NOT NULL, UNIQUE (stream, id)
        );
        CREATE INDEX tombstone_order ON tombstone (stream, number DESC);
        CREATE TABLE tag (
            stream INTEGER NOT NULL, tag TEXT NOT NULL, sort INTEGER NOT NULL, id INTEGER NOT NULL, key INTEGER NOT NULL,
            PRIMARY KEY (stream, tag, sort DESC, id DESC)
        ) WITHOUT ROWID;
        CREATE INDEX tag_entry ON tag (key);
        CREATE VIRTUAL TABLE entry_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 0");
        INSERT INTO stream VALUES (1, 'news', 'en'), (2, 'news', 'es');
        INSERT INTO entry VALUES (1, 1, 2, 6, 0, x'32', NULL), (2, 2, 3, 3, 0, x'33', NULL), (3, 1, 1, 5, 7, x'31', '<p>');
        INSERT INTO tag VALUES (1, 'a', 6, 2, 1), (1, 'a', 5, 1, 3), (1, 'b', 5, 1, 3);
        INSERT INTO entry_words (rowid, words) VALUES (1, 'cart'), (3, 'red car');
        INSERT INTO tombstone VALUES (1, 1, 4, 4);
        PRAGMA user_version = 1;
        """
}
