import Floki
import FlokiSQLite
import TestSupport
import Testing

/// A file after its writing process was killed.
@Suite(.timeLimit(.minutes(5))) struct CrashTests {
    /// The number of acknowledged writes before the process is killed.
    @Test(arguments: [1, 7, 60])
    func `kill -9 loses nothing that was acknowledged`(count: Int) async throws {
        try await withFeedsFile { path in
            let writer = try ServerProcess("feed-writer", [path])
            var acknowledged = 0
            while acknowledged < count, let line = writer.firstLine().flatMap({ Int($0) }) { acknowledged = line }
            #expect(acknowledged == count)
            writer.signal(9)
            let outcome = writer.outcome()
            #expect(outcome.status == -9)
            // The rest of its output from before the kill.
            let last = outcome.output.split(separator: "\n").compactMap { Int($0) }.last ?? acknowledged

            let store = try SQLiteFeedStore(path, patience: .seconds(60))
            let stream = FeedStream(feed: "news", language: "en")
            let window = try await store.window(FeedQuery(stream: stream, limit: 1_000_000, now: 0))
            #expect(window.entries.count >= 2 * last)
            // Each write is there as a whole or not at all.
            #expect(window.entries.count % 2 == 0)
            let saved = window.entries.count / 2
            for tag in ["even", "odd"] {
                let search = FeedSearch(stream: stream, criterion: .tag("tag:\(tag)"), limit: nil, now: 0)
                #expect(try await store.search(search).count == saved)
            }
            // And the file can be written to again.
            try await NewsFeed("news", in: store).save([item(1, "After")], language: "en")
            #expect(try await store.entry(1, of: stream, now: 0) != nil)
        }
    }
}
