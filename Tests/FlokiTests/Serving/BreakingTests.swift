import Backlot
import Logging
import TestSupport
import Testing

@testable import Floki

/// Calls for entries with a tag: once for each, however many servers wait.
@Suite(.timeLimit(.minutes(5))) struct BreakingTests {
    /// The calls of all servers, in their order.
    private final class Calls: Sendable {
        private struct State {
            var all: [BreakingNews<Item>] = []
            var taken = 0
            var waiting: CheckedContinuation<BreakingNews<Item>, Never>?
        }

        private let state = Locked(State())

        func add(_ news: BreakingNews<Item>) {
            let waiting = state.withLock { state in
                state.all.append(news)
                defer { state.waiting = nil }
                if state.waiting != nil { state.taken += 1 }
                return state.waiting
            }
            waiting?.resume(returning: news)
        }

        /// Waits for the next call. One task may wait at a time.
        func next() async -> BreakingNews<Item> {
            await withCheckedContinuation { continuation in
                let news: BreakingNews<Item>? = state.withLock { state in
                    guard state.taken < state.all.count else {
                        state.waiting = continuation
                        return nil
                    }
                    state.taken += 1
                    return state.all[state.taken - 1]
                }
                if let news { continuation.resume(returning: news) }
            }
        }

        var ids: [Int] { state.withLock { $0.all.map(\.id) } }
    }

    /// Runs servers that share a store, and calls a test's body when all of them wait.
    private func withServers(
        _ count: Int,
        _ body: (NewsFeed, Calls) async throws -> Void
    ) async throws {
        let store = MemoryFeedStore()
        let feeds = (0..<count).map { _ in NewsFeed("news", in: store) }
        for feed in feeds {
            feed.served.declare(by: "/", codes: ["en", "es"], sections: [], clock: .system)
        }
        let calls = Calls()
        let waiting = feeds.map { feed in
            let events = feed.store.changes()
            return Task {
                await feed.onBreaking(events, tag: "breaking", logger: Logger(label: "test")) { calls.add($0) }
            }
        }
        do {
            try await body(feeds[0], calls)
        } catch {
            for task in waiting { task.cancel() }
            throw error
        }
        for task in waiting {
            task.cancel()
            await task.value
        }
    }

    /// Saves an entry that is called for, and waits for the call: those before it have been made then, or never will be.
    private func settle(_ id: Int, _ feed: NewsFeed, _ calls: Calls) async throws {
        try await feed.save([item(id, "Last").tags("breaking")], language: "en")
        while await calls.next().id != id {}
    }

    @Test(arguments: [1, 3]) func `One server calls, once, with all languages`(servers: Int) async throws {
        try await withServers(servers) { feed, calls in
            let story = item(7, "").tags("harbour", "breaking")
            try await feed.save(story, texts: ["en": ItemText("Ferry sinks"), "es": ItemText("Se hunde el ferry")])
            let news = await calls.next()
            #expect(news.feed == "news" && news.id == 7)
            #expect(news.entries.mapValues(\.title) == ["en": "Ferry sinks", "es": "Se hunde el ferry"])
            // An edit makes no call, and neither does an entry without the tag.
            try await feed.update(7, language: "en") { $0.title = "Ferry sunk" }
            try await feed.save([item(8, "Quiet").tags("harbour")], language: "en")
            try await settle(9, feed, calls)
            #expect(calls.ids == [7, 9])
        }
    }

    @Test func `A draft counts when it is published, and a removed entry never`() async throws {
        try await withServers(2) { feed, calls in
            try await feed.save([item(7, "Later").tags("breaking").draft()], language: "en")
            try await settle(8, feed, calls)
            #expect(calls.ids == [8])
            try await feed.publish([7], language: "en")
            #expect(await calls.next().id == 7)
            try await feed.remove([7])
            try await settle(9, feed, calls)
            #expect(calls.ids == [8, 7, 9])
        }
    }

    @Test func `What was published before is not called for`() async throws {
        let store = MemoryFeedStore()
        try await NewsFeed("news", in: store).save([item(1, "Old").tags("breaking")], language: "en")
        let feed = NewsFeed("news", in: store)
        let calls = Calls()
        let events = store.changes()
        let task = Task {
            await feed.onBreaking(events, tag: "breaking", logger: Logger(label: "test")) { calls.add($0) }
        }
        try await settle(2, feed, calls)
        task.cancel()
        await task.value
        #expect(calls.ids == [2])
    }

    @Test func `Each feed and tag counts for itself, with points in their names`() async throws {
        let store = MemoryFeedStore()
        for (name, tag, ids) in [("uk.news", "breaking", [7]), ("news", "breaking.uk", [7, 8])] {
            let feed = NewsFeed(name, in: store)
            let calls = Calls()
            let events = store.changes()
            let task = Task {
                await feed.onBreaking(events, tag: tag, logger: Logger(label: "test")) { calls.add($0) }
            }
            for id in ids { try await feed.save([item(id, "Story").tags(tag)], language: "en") }
            while await calls.next().id != ids.last {}
            task.cancel()
            await task.value
            #expect(calls.ids.sorted() == ids)
        }
    }

    @Test func `A call that fails is logged, harms nothing, and is not repeated`() async throws {
        struct Away: Error {}
        let store = MemoryFeedStore()
        let feed = NewsFeed("news", in: store)
        let calls = Calls()
        let log = LogRecorder()
        let events = store.changes()
        let task = Task {
            await feed.onBreaking(events, tag: "breaking", logger: log.logger) { news in
                calls.add(news)
                if news.id == 1 { throw Away() }
            }
        }
        try await feed.save([item(1, "One").tags("breaking")], language: "en")
        #expect(await calls.next().id == 1)
        try await settle(2, feed, calls)
        task.cancel()
        await task.value
        #expect(calls.ids == [1, 2])
        #expect(
            log.lines.contains {
                $0.contains("the call for the breaking news 1 of the feed 'news' failed: Away()")
            }
        )
    }

    @Test func `A call that the store kept from being made is made when it answers again`() async throws {
        let memory = MemoryFeedStore()
        let store = WatchedStore(memory)
        let (feed, writer) = (NewsFeed("news", in: store), NewsFeed("news", in: memory))
        feed.served.declare(by: "/", codes: ["en"], sections: [], clock: .system)
        let calls = Calls()
        let log = LogRecorder()
        let events = store.changes()
        let task = Task {
            await feed.onBreaking(events, tag: "breaking", logger: log.logger, pause: .zero) { calls.add($0) }
        }
        store.fail(3)
        try await writer.save([item(1, "One").tags("breaking")], language: "en")
        #expect(await calls.next().id == 1)
        #expect(log.lines.count { $0.hasSuffix("trying again: Away()") } == 3)
        // The mark is stored, but the store fails after that.
        store.failAfterNextApply()
        try await writer.save([item(2, "Two").tags("breaking")], language: "en")
        #expect(await calls.next().id == 2)
        // Events are lost, and the store fails when the feed searches it for them.
        store.fail(2)
        let many = (100..<11_000).map { item($0, "Story") } + [item(20_000, "Lost").tags("breaking")]
        try await writer.save(many, language: "en")
        #expect(await calls.next().id == 20_000)
        task.cancel()
        await task.value
        #expect(calls.ids == [1, 2, 20_000])
    }

    @Test func `What a server has missed is made up for`() async throws {
        try await withServers(1) { feed, calls in
            try await settle(1, feed, calls)
            // More at once than a server remembers.
            let many = (100..<11_000).map { item($0, "Story") } + [item(20_000, "Lost").tags("breaking")]
            try await feed.save(many, language: "en")
            #expect(await calls.next().id == 20_000)
            try await settle(20_001, feed, calls)
            #expect(calls.ids == [1, 20_000, 20_001])
        }
    }

    @Test func `What a server has missed is found behind many entries with the tag`() async throws {
        let store = MemoryFeedStore()
        let feed = NewsFeed("news", in: store)
        feed.served.declare(by: "/", codes: ["en"], sections: [], clock: .system)
        try await feed.save((1...1_001).map { item($0, "Story").tags("breaking") }, language: "en")
        let calls = Calls()
        let line = EventLine()
        let task = Task {
            await feed.onBreaking(FeedEvents(line), tag: "breaking", logger: Logger(label: "test")) { calls.add($0) }
        }
        line.add([FeedEvent(feed: "news", revision: 1, kind: .saved, id: 1, language: "en")])
        #expect(await calls.next().id == 1)
        try await feed.save([item(2_000, "Lost").tags("breaking").sortID(1)], language: "en")
        line.add([
            FeedEvent(feed: "news", revision: 2, kind: .missed),
            FeedEvent(feed: "news", revision: 2, kind: .saved, id: 2, language: "en"),
        ])
        while await calls.next().id != 2 {}
        task.cancel()
        await task.value
        #expect(calls.ids.sorted() == [1, 2, 2_000])
    }
}
