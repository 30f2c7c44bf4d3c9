import Backlot
import Foundation
import Synchronization
import Testing

@testable import Floki

/// Entries that are published at a time.
@Suite(.timeLimit(.minutes(5))) struct DueDraftTests {
    private let store = WatchedStore()

    private func scheduled(_ id: Int, at time: Int) -> Item {
        item(id, "Item \(id)").publish(at: Date(timeIntervalSince1970: Double(time))).tags("t").page("p")
    }

    @Test func `They appear when their time comes, and the store is asked only then`() async throws {
        let site = try TestSite(store: store)
        try await site.save(1...2)
        try await site.news.save([scheduled(3, at: 1_010), scheduled(4, at: 1_020)], language: "en")
        #expect(try await site.ids("/floki/news/en") == [2, 1])
        _ = store.takeCalls()
        for _ in 0..<3 { _ = try await site.ids("/floki/news/en") }
        _ = try await site.ids("/floki/news/search/en?q=item")
        #expect(store.takeCalls() == ["search": 1])
        site.clock.now.store(1_010, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        site.clock.now.store(1_019, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        site.clock.now.store(1_025, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [4, 3, 2])
    }

    @Test(arguments: ["/floki/news/search/en?q=item", "/floki/news/tagged/en?tag=t", "/floki/news/older/en?l=9"])
    func `Searches find them`(target: String) async throws {
        let site = try TestSite(store: store)
        try await site.news.save([scheduled(3, at: 1_010)], language: "en")
        #expect(try await site.ids(target) == [])
        site.clock.now.store(1_010, ordering: .relaxed)
        #expect(try await site.ids(target) == [3])
    }

    @Test func `Their pages are there when they are`() async throws {
        let site = try TestSite(store: store)
        try await site.news.save([scheduled(3, at: 1_010)], language: "en")
        #expect(try await site.status("/floki/news/items/en/3") == 404)
        site.clock.now.store(1_010, ordering: .relaxed)
        #expect(try await site.status("/floki/news/items/en/3") == 200)
    }

    @Test func `One that is scheduled for the past is there at once`() async throws {
        let site = try TestSite(store: store)
        _ = try await site.ids("/floki/news/en")
        try await site.news.save([scheduled(3, at: 5)], language: "en")
        #expect(try await site.ids("/floki/news/en") == [3])
    }

    @Test func `Windows are answered while nothing can be published`() async throws {
        let due = DueDrafts()
        store.isAway = true
        await due.publish(in: store, of: "news", now: 100)
        #expect(due.areNone(at: 104, revision: 0), "the store is asked again later")
        #expect(!due.areNone(at: 105, revision: 0))
        store.isAway = false
        await due.publish(in: store, of: "news", now: 105)
        #expect(due.areNone(at: .max - 1, revision: 0))
    }

    @Test func `After the clock was set back, the store is asked again`() async throws {
        let due = DueDrafts()
        store.isAway = true
        await due.publish(in: store, of: "news", now: 864_100)
        store.isAway = false
        #expect(!due.areNone(at: 100, revision: 0))
        await due.publish(in: store, of: "news", now: 100)
        #expect(due.areNone(at: 101, revision: 0))
    }

    @Test func `Whoever waits for changes hears of them, although nobody reads the feed`() async throws {
        let site = try TestSite(store: store)
        try await site.news.save([scheduled(3, at: 1_010)], language: "en")
        var changes = site.news.changes(checkingEvery: .milliseconds(1)).makeAsyncIterator()
        try await site.news.save([scheduled(4, at: 1_020)], language: "en")
        #expect(await changes.next()?.kind == .drafted)
        for (time, id) in [(1_010, 3), (1_020, 4)] {
            site.clock.now.store(time, ordering: .relaxed)
            let event = try #require(await changes.next())
            #expect(event.kind == .saved && event.id == id)
        }
    }

    @Test func `Nothing is published for those who don't wait any more`() async throws {
        let ended = AsyncStream.makeStream(of: Void.self)
        do {
            let events = store.changes().running {
                try? await Task.sleep(for: .seconds(600))
                ended.continuation.finish()
            }
            #expect(events.count == 0)
        }
        for await _ in ended.stream {}
    }

    @Test func `Without news of other servers, the store is asked once a second`() async throws {
        let due = DueDrafts()
        store.isCurrent = false
        for _ in 0..<5 { await due.publish(in: store, of: "news", now: 100) }
        #expect(store.takeCalls() == ["publishDrafts": 1])
        await due.publish(in: store, of: "news", now: 101)
        #expect(store.takeCalls() == ["publishDrafts": 1])
    }
}
