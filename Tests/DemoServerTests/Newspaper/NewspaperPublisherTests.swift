import Backlot
import Floki
import FlokiSQLite
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// The newspaper publishes by itself, and its store has the stock once.
@Suite(.timeLimit(.minutes(5))) struct NewspaperPublisherTests {
    private static let minute = 29_900_000

    private func wire(_ store: any FeedStore, at clock: SessionClock = .system) -> NewspaperPublisher {
        NewspaperPublisher(app: NewspaperApp(store: store), clock: clock)
    }

    private func titles(_ store: any FeedStore, _ language: String) async throws -> [String] {
        let news = NewspaperApp(store: store).news
        var titles: [String] = []
        for try await item in news.entries(language: language, including: .ended) { titles.append(item.title) }
        return titles
    }

    @Test func `There are reports for an hour, in two languages, with tags that make addresses`() {
        let reports = NewspaperPublisher.reports
        #expect(reports.count == 60)
        #expect(reports.prefix(3).map(\.section) == [3, 2, 1])
        #expect(Set(reports.flatMap { $0.words.values.map(\.title) }).count == 120)
        for report in reports {
            #expect(NewspaperStock.pictures.contains(report.picture), "\(report)")
            #expect(report.words.keys.sorted() == ["en", "es"])
            for words in report.words.values {
                #expect((10...80).contains(words.title.count) && (10...120).contains(words.text.count), "\(words)")
            }
            #expect(!report.tags.isEmpty)
            for tag in report.tags { #expect(tag.wholeMatch(of: /[a-z]+/) != nil, "\(tag)") }
        }
    }

    @Test(arguments: [
        "", "town harbour", "town harbour a\nb\nc\nd", "town harbour a\nb\nc\nd\ne\nf", "port harbour a\nb\nc\nd\ne",
    ])
    func `What is no report is left out`(text: String) {
        #expect(NewspaperReport(text) == nil)
    }

    @Test func `A clock before 1970 has reports too`() async throws {
        for minute in [-21, -59, -60, -61, -31_557_600] {
            #expect(try await wire(NewspaperStock.memoryStore()).publish(minute: minute) != nil)
        }
    }

    @Test func `A minute's report appears in both languages at once, and ends`() async throws {
        let store = NewspaperStock.memoryStore()
        let id = try #require(try await wire(store).publish(minute: Self.minute))
        let (english, spanish) = (
            try await NewspaperApp(store: store).news.entry(id, language: "en"),
            try await NewspaperApp(store: store).news.entry(id, language: "es")
        )
        #expect(id == 11)
        let words = NewspaperPublisher.reports[Self.minute % 60].words
        #expect(english?.title == words["en"]?.title)
        #expect(spanish?.title == words["es"]?.title)
        #expect(english?.revision == spanish?.revision)
        #expect(spanish?.page?.contains(words["es"]?.text ?? "-") == true)
        let end = Double(Self.minute * 60 + NewspaperPublisher.lifetime)
        #expect(english?.expirationDate == Date(timeIntervalSince1970: end))
        let stream = FeedStream(feed: "news", language: "en")
        #expect(await store.entry(id, of: stream, now: Int(end)) != nil)
        #expect(await store.entry(id, of: stream, now: Int(end) + 1) == nil)
    }

    @Test func `Several servers publish a minute once, and none that has passed`() async throws {
        let store = MemoryFeedStore()
        for minute in Self.minute..<Self.minute + 5 {
            let ids = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await wire(store).publish(minute: minute) } }
                return try await group.reduce(into: [Int]()) { ids, id in ids += id.map { [$0] } ?? [] }
            }
            #expect(ids.count == 1)
        }
        #expect(try await wire(store).publish(minute: Self.minute + 4) == nil)
        #expect(try await wire(store).publish(minute: Self.minute) == nil)
        #expect(try await titles(store, "en").count == 5)
        #expect(try await titles(store, "es").count == 5)
    }

    /// Runs the wire until the clock has gone on for so many seconds.
    private func run(_ wire: NewspaperPublisher, _ time: Locked<Int>, seconds: Int) async {
        let end = time.withLock { $0 + seconds }
        await wire.run { pause in
            guard
                time.withLock({ time in
                    time += pause
                    return time < end
                })
            else { throw CancellationError() }
        }
    }

    @Test func `It fills a new store, publishes each minute, and what is due`() async throws {
        let store = MemoryFeedStore()
        let time = Locked(Self.minute * 60 + 58)
        let clock = SessionClock { time.withLock(\.self) }
        let news = NewspaperApp(store: store).news
        let due = item(90, "Scheduled").sections(1).publish(
            at: Date(timeIntervalSince1970: Double(Self.minute * 60 + 70))
        )
        try await news.save([due], language: "en")
        // The store isn't new any more: it gets no stock.
        await run(wire(store, at: clock), time, seconds: 63)
        #expect(try await titles(store, "en").count == 2 + 1)
        #expect(try await news.entry(90, language: "en")?.title == "Scheduled")
        let other = MemoryFeedStore()
        await run(wire(other, at: clock), time, seconds: 5)
        #expect(try await titles(other, "es").count == 10)
    }

    @Test(arguments: [3600, 10 * 86_400])
    func `Reports go on when the clock was ahead and is set right`(ahead: Int) async throws {
        let store = NewspaperStock.memoryStore()
        let time = Locked(Self.minute * 60)
        let wire = wire(store, at: SessionClock { time.withLock(\.self) })
        await run(wire, time, seconds: 125)
        time.withLock { $0 += ahead }
        await run(wire, time, seconds: 125)
        #expect(try await titles(store, "en").count == 10 + 4)
        // While it runs, and after a start.
        var hasJumped = false
        await wire.run { pause in
            time.withLock { $0 += pause }
            if !hasJumped { time.withLock { $0 -= ahead } }
            hasJumped = true
            if time.withLock({ $0 > Self.minute * 60 + 390 }) { throw CancellationError() }
        }
        #expect(try await titles(store, "en").count == 10 + 4 + 3)
        await run(wire, time, seconds: 125)
        #expect(try await titles(store, "en").count == 10 + 4 + 3 + 2)
    }

    @Test func `It can be turned off, and publishes what is due even so`() async throws {
        let store = NewspaperStock.memoryStore()
        let time = Locked(Self.minute * 60)
        var wire = wire(store, at: SessionClock { time.withLock(\.self) })
        wire.hasReports = false
        await run(wire, time, seconds: 200)
        #expect(try await titles(store, "en").count == 10)
    }

    // MARK: The stock

    @Test func `Servers that start at once fill a new store once, and no other`() async throws {
        try await checkFilling(MemoryFeedStore())
        try await withTemporaryFolder { try await checkFilling(SQLiteFeedStore("\($0.path)/feeds.sqlite")) }
    }

    private func checkFilling(_ store: any FeedStore) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await NewspaperStock.fill(NewspaperApp(store: store)) } }
            try await group.waitForAll()
        }
        #expect(try await titles(store, "en").count == 10)
        #expect(try await titles(store, "es").count == 10)
        let revision = store.revision(of: "news")
        #expect(revision == 1)
        // What somebody has removed isn't there again after the next start.
        try await NewspaperApp(store: store).news.remove(Array(1...10))
        try await NewspaperStock.fill(NewspaperApp(store: store))
        #expect(try await titles(store, "en").isEmpty)
    }

    @Test func `A feed that was left empty halfway is filled later, and one that was emptied isn't`() async throws {
        let store = MemoryFeedStore()
        let app = NewspaperApp(store: store)
        _ = try await store.allocateIDs(10, in: "news")
        try await app.photos.save([thumb(1, url: "/a.png", image: "/a.png", width: 1, height: 1)])
        try await app.photos.remove([1])
        try await NewspaperStock.fill(app)
        #expect(try await titles(store, "en").count == 10)
        #expect(try await app.photos.entry(1) == nil)
        let other = MemoryFeedStore()
        try await NewspaperApp(store: other).news.save([item(1, "Mine").sections(1)], language: "es")
        try await NewspaperStock.fill(NewspaperApp(store: other))
        #expect(try await NewspaperApp(store: other).photos.entry(40) != nil)
        #expect(try await titles(other, "en").isEmpty)
    }

    @Test func `A store that somebody has filled stays as it is`() async throws {
        let store = MemoryFeedStore()
        try await NewspaperApp(store: store).news.save([item(1, "Mine").sections(1)], language: "es")
        try await NewspaperStock.fill(NewspaperApp(store: store))
        #expect(try await titles(store, "es") == ["Mine"])
        #expect(try await titles(store, "en").isEmpty)
    }
}
