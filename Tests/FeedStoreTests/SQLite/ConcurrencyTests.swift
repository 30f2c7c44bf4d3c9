import Backlot
import BacklotTesting
import Floki
import FlokiSQLite
import Synchronization
import TestSupport
import Testing

/// Writers and clients at the same time.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyTests {
    /// Tells writers to stop.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    private func router(_ news: NewsFeed) -> Router {
        let router = Router()
        router.floki("/floki") { app in
            app.language("en", ["news": "News"])
            app.feed(news)
            app.tab(1, "news", newsViewController(news).moreItems())
        }
        return router
    }

    @Test(arguments: FlokiClientConfiguration.Platform.allCases, [false, true])
    func `No item is lost or shown twice while others are written`(
        platform: FlokiClientConfiguration.Platform,
        isInMemory: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let store: any FeedStore =
                isInMemory ? MemoryFeedStore() : try SQLiteFeedStore("\(folder.path)/feeds.sqlite")
            let news = NewsFeed("news", in: store).cacheSize(7)
            // Multiples of ten stay; what is between them comes and goes.
            try await news.save((1...60).map { item($0 * 10, "Stays") }, language: "en")
            let transport = try InProcessTransport(router(news).handler())
            let end = End()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...3 {
                    group.addTask {
                        var round = 0
                        while !end.isReached.load(ordering: .relaxed), round < 150 {
                            round += 1
                            let ids = (0..<5).map { (round * 7 + $0 * 13) % 60 * 10 + writer }
                            try await news.save(ids.filter { $0 > 10 }.map { item($0, "Goes") }, language: "en")
                            try await news.save([item(1_000 + round * 3 + writer, "New")], language: "en")
                            try await news.remove(ids.filter { $0 % 20 > 9 })
                        }
                    }
                }
                group.addTask {
                    defer { end.isReached.store(true, ordering: .relaxed) }
                    for _ in 0..<5 {
                        var configuration = FlokiClientConfiguration()
                        configuration.platform = platform
                        let url = "http://localhost/floki/v1-app"
                        let app = try FlokiClient(url: url, transport: transport, configuration: configuration)
                        try await app.launch()
                        try await app.show("News")
                        var seen: [Int] = []
                        while app.hasOlder, seen.count < 5_000 {
                            try await app.loadOlder()
                            seen = app.ids
                        }
                        #expect(Set(app.ids).count == app.ids.count)
                        #expect(app.ids == app.ids.sorted(by: >))
                        let stays = app.ids.filter { $0 % 10 == 0 && $0 <= 600 }
                        // Android sees the newest only.
                        if platform == .iOS { #expect(stays == (1...60).map { $0 * 10 }.reversed()) }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `Many writers lose nothing`() async throws {
        try await withFeedsFile { path in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    // Each has a separate connection, as other processes have.
                    let news = NewsFeed("news", in: try patientStore(path))
                    group.addTask {
                        for number in 1...25 {
                            try await news.save([item(writer * 100 + number, "Item")], language: "en")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let store = try SQLiteFeedStore(path)
            let query = FeedQuery(stream: FeedStream(feed: "news", language: "en"), limit: 1_000, now: 0)
            #expect(try await store.window(query).entries.count == 100)
        }
    }

    @Test func `An event loop isn't blocked by a writer that holds the file`() async throws {
        try await withFeedsFile { path in
            let news = NewsFeed("news", in: try patientStore(path))
            try await news.save([item(1, "One")], language: "en")
            let router = router(news)
            router.get("/write") { _ in
                try await news.save([item(2, "Two")], language: "en")
                return .text("written")
            }
            // Another process in the middle of a transaction.
            let held = try HeldFile(path)
            var configuration = ServerConfiguration()
            configuration.eventLoops = 1
            try await withServer(router.handler(), configuration: configuration) { address in
                try await withThrowingTaskGroup(of: String.self) { group in
                    let url = "http://\(address)"
                    group.addTask { try await Self.get("\(url)/write") }
                    // The only loop responds while the write waits.
                    for _ in 0..<20 { #expect(try await Self.get("\(url)/floki/news/en").contains(#""id":1"#)) }
                    try held.release()
                    for try await text in group { #expect(text == "written") }
                    #expect(try await Self.get("\(url)/floki/news/en").contains(#""id":2"#))
                }
            }
        }
    }

    private static func get(_ url: String) async throws -> String {
        let request = ClientRequest(.get, try HTTPURL(url))
        return try await SocketTransport().response(to: request, limits: ClientLimits()).text
    }
}
