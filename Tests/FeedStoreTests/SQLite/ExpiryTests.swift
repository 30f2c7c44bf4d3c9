import Backlot
import BacklotDatabase
import Floki
import TestSupport
import Testing

@testable import FlokiSQLite

/// Expired entries of a file.
@Suite(.timeLimit(.minutes(5))) struct ExpiryTests {
    @Test func `Expired entries are skipped by spans, not looked at`() async throws {
        try await withSQLiteStore { store in
            let all = (1...4_000).map {
                FeedChange.save(StoredEntry.make($0, expires: $0 == 1 ? 0 : 4), language: "en")
            }
            try await store.apply(all, to: "news")
            let found = try await store.pool.read { database in
                let walks: [(FeedSpans, ClosedRange<Int64>, String, [any DatabaseValue])] = [
                    (FeedSpans.places, FeedPlace.range(of: 1), SQLiteFeedWindow.byPlace, []),
                    (FeedSpans.ids, FeedID.range(of: 1, through: .max), SQLiteFeedWindow.byID, [1]),
                ]
                return try walks.map { spans, range, sql, values in
                    var walk = FeedScan(database: database, spans: spans, range: range, now: 5)
                    // The first 64 rows, and the two spans that may have the last one.
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
        try await withFeedsFile { path in
            let clock = SessionClock { 10_000 }
            let store = try SQLiteFeedStore(path, sweepInterval: .seconds(1), clock: clock)
            // Within the last hour, it still marks its place.
            try await store.save(.make(1, expires: 5), .make(2, expires: 9_000), .make(3))
            let many = (10..<1_600).map {
                FeedChange.save(StoredEntry.make($0, expires: 5, words: ["w"], tags: ["t"]), language: "en")
            }
            try await store.apply(many, to: "news")
            let query = FeedQuery(stream: english, limit: 2_000, now: 0)
            while try await store.window(query).entries.count > 2 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await store.window(query).texts == ["3", "2"])
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
}
