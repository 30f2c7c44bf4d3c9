import Backlot
import Foundation
import Testing

@testable import Floki

/// Reading and changing entries by way of their feed.
@Suite(.timeLimit(.minutes(5))) struct FeedEditingTests {
    private let store = WatchedStore()
    private var news: NewsFeed { NewsFeed("news", in: store) }
    private var photos: GalleryFeed { GalleryFeed("photos", in: store, languages: .shared) }

    /// An app with the feed `news` in English and Spanish.
    private func mounted(_ now: Int = 1_000) throws -> NewsFeed {
        let news = news
        var configuration = FlokiConfiguration()
        configuration.clock = SessionClock { now }
        let router = Router()
        router.floki("/floki", configuration: configuration) { app in
            app.language("es", ["n": "N"])
            app.language("en", ["n": "N"])
            app.feed(news)
            app.tab(1, "n", newsViewController(news))
        }
        _ = try router.handler().prepare()
        return news
    }

    private func ids<Entry>(_ entries: FeedEntries<Entry>) async throws -> [Int] {
        var ids: [Int] = []
        for try await entry in entries { ids.append(entry.id) }
        return ids
    }

    @Test func `Ids that nobody has had`() async throws {
        #expect(try await news.allocateID() == 1)
        try await news.save([item(9, "a")], language: "en")
        #expect(try await news.allocateID() == 10)
        try await news.remove([9])
        #expect(try await news.allocateID() == 11)
        try await news.save([item(2_147_483_647, "a")], language: "en")
        let error = await #expect(throws: FeedError.self) { try await news.allocateID() }
        #expect(error?.description.contains("has only 0 ids left") == true)
        await #expect(throws: FeedError.self) { try await NewsFeed("a/b", in: store).allocateID() }
    }

    @Test func `All languages of an entry are saved at once`() async throws {
        let texts = [
            "en": ItemText("Ferry", "Late", footer: "f", page: "<p>en</p>"), "es": ItemText("Barco", "Tarde"),
        ]
        try await news.save(item(1, "", "").footer("both").page("<p>both</p>").sections(1), texts: texts)
        #expect(store.takeCalls() == ["apply": 1])
        let english = try #require(try await news.entry(1, language: "en"))
        let spanish = try #require(try await news.entry(1, language: "es"))
        #expect([english.title, english.body, english.footer, english.page] == ["Ferry", "Late", "f", "<p>en</p>"])
        #expect(
            [spanish.title, spanish.body, spanish.footer, spanish.page] == ["Barco", "Tarde", "both", "<p>both</p>"]
        )
        #expect(english.revision == 1)
        #expect(spanish.revision == 1)
        let pictures = GalleryFeed("pictures", in: store)
        let picture = thumb(1, url: "a", image: "b", width: 1, height: 2).captionText("c")
        try await pictures.save(picture, texts: ["en": ThumbText("T"), "es": ThumbText("U", caption: "d")])
        #expect(try await pictures.entry(1, language: "en")?.captionText == "c")
        #expect(try await pictures.entry(1, language: "es")?.captionText == "d")
    }

    @Test func `Nothing is stored when one language is wrong`() async throws {
        let news = try mounted()
        for texts in [["en": ItemText("a"), "fr": ItemText("b")], ["en": ItemText("a"), "EN": ItemText("b")], [:]] {
            await #expect(throws: FeedError.self) { try await news.save(item(1, "a"), texts: texts) }
        }
        await #expect(throws: FeedError.self) {
            try await photos.save(thumb(1, url: "a", image: "b", width: 1, height: 1), texts: ["en": ThumbText("a")])
        }
        #expect(store.memory.revision(of: "news") == 0)
    }

    @Test func `Entries are read page by page, with filters`() async throws {
        for start in stride(from: 1, through: 450, by: 50) {
            let items = (start..<start + 50).map { id in
                item(id, id.isMultiple(of: 2) ? "Even ferry \(id)" : "Odd bus").sections(id % 3 + 1).tags(
                    id > 440 ? "late" : "early"
                )
                .expires(at: id == 449 ? Date(timeIntervalSince1970: 10) : nil)
            }
            try await news.save(items, language: "en")
        }
        try await news.save([item(500, "Draft ferry").draft(), item(440, "Changed").draft()], language: "en")
        #expect(try await ids(news.entries(language: "en")) == (1...450).reversed().filter { $0 != 449 })
        #expect(try await ids(news.entries(language: "en", including: .ended)) == (1...450).reversed())
        #expect(try await ids(news.entries(language: "en", section: 2, tag: "late")) == [448, 445, 442])
        #expect(try await ids(news.entries(language: "en", words: "ferr EVEN 44")) == [448, 446, 444, 442, 440, 44])
        #expect(try await ids(news.entries(language: "en", words: "ferry nobody")) == [])
        #expect(try await ids(news.drafts(language: "en")) == [500, 440])
        #expect(try await ids(news.drafts(language: "en", words: "ferry")) == [500])
        let all = try await ids(news.entries(language: "en", including: [.drafts, .ended]))
        #expect(all.prefix(3) == [500, 450, 449])
        #expect(all.count(where: { $0 == 440 }) == 2)
        #expect(all.count == 452)
        #expect(try await ids(news.entries(language: "es")) == [])
        #expect(try await ids(photos.entries()) == [])
        _ = store.takeCalls()
        var iterator = news.entries(language: "en").makeAsyncIterator()
        for _ in 0..<200 { _ = try await iterator.next() }
        #expect(store.takeCalls() == ["entries": 1], "a page is read when it is needed")
    }

    @Test func `Reading in a language that the feed lacks is an error`() async throws {
        let news = try mounted()
        for language in ["fr", "EN", ""] {
            await #expect(throws: FeedError.self) { try await ids(news.entries(language: language)) }
            await #expect(throws: FeedError.self) { try await news.entry(1, language: language) }
        }
        await #expect(throws: FeedError.self) { try await news.entry(1) }
        await #expect(throws: FeedError.self) { try await photos.entry(1, language: "en") }
        #expect(try await news.entry(1, language: "en") == nil)
    }

    @Test func `A change is made to what is there`() async throws {
        try await news.save([item(7, "Old", "Body").tags("a")], language: "en")
        let changed = try await news.update(7, language: "en") { $0.title = "New" }
        #expect(changed.revision == 2)
        let read = try await news.entry(7, language: "en")
        #expect(read?.title == "New")
        #expect(read?.tags == ["a"])
        #expect(read?.revision == 2)
        let error = await #expect(throws: FeedError.self) { try await news.update(8, language: "en") { _ in } }
        #expect(error?.description == "the feed 'news' has no entry 8 in 'en': save it first")
        await #expect(throws: FeedError.self) { try await news.update(7, language: "en") { $0.shareURL = "relative" } }
        #expect(try await news.entry(7, language: "en")?.title == "New")
    }

    @Test func `A change is repeated when somebody else was faster`() async throws {
        try await news.save([item(7, "a", "b")], language: "en")
        let other = NewsFeed("news", in: store.memory)
        store.interrupt { _ in try await other.save([item(7, "a", "theirs")], language: "en") }
        try await news.update(7, language: "en") { $0.title = "mine" }
        let read = try await news.entry(7, language: "en")
        #expect([read?.title, read?.body] == ["mine", "theirs"])

        for _ in 0..<5 { store.interrupt { _ in try await other.save([item(7, "again")], language: "en") } }
        let conflict = await #expect(throws: EntryConflict<Item>.self) {
            try await news.update(7, language: "en") { $0.title = "mine" }
        }
        #expect(conflict?.theirs?.title == "again")
        store.interrupt { _ in try await other.remove([7]) }
        let error = await #expect(throws: FeedError.self) {
            try await news.update(7, language: "en") { $0.title = "x" }
        }
        #expect(error?.description.contains("has no entry 7") == true)
    }

    @Test func `An editor who saves over another's change gets both versions`() async throws {
        try await news.save([item(7, "first")], language: "en")
        var mine = try #require(try await news.entry(7, language: "en"))
        var theirs = mine
        theirs.title = "theirs"
        let revision = try await news.save(theirs, language: "en", replacing: theirs.revision)
        mine.title = "mine"
        let conflict = try #require(
            await #expect(throws: EntryConflict<Item>.self) {
                try await news.save(mine, language: "en", replacing: mine.revision)
            }
        )
        #expect(conflict.yours.title == "mine")
        #expect(conflict.theirs?.title == "theirs")
        #expect(conflict.theirs?.revision == revision)
        #expect(conflict.description.hasPrefix("entry 7 in 'en' has been changed since it was read"))
        try await news.save(mine, language: "en", replacing: revision)
        try await news.remove([7])
        let removed = await #expect(throws: EntryConflict<Item>.self) {
            try await news.save(mine, language: "en", replacing: revision)
        }
        #expect(removed?.theirs == nil)
        try await news.save(item(8, "new"), language: "en", replacing: 0)
        await #expect(throws: EntryConflict<Item>.self) {
            try await news.save(item(8, "new"), language: "en", replacing: 0)
        }
    }

    @Test func `Drafts are published, or discarded`() async throws {
        let news = try mounted()
        for language in ["en", "es"] {
            try await news.save([item(1, "old"), item(2, "old")], language: language)
            try await news.save([item(1, "new").draft(), item(3, "new").draft()], language: language)
        }
        #expect(try await news.entry(1, language: "en")?.title == "old")
        #expect(try await news.entry(1, language: "en", draft: true)?.title == "new")
        #expect(try await news.entry(3, language: "en") == nil)
        try await news.update(1, language: "en") { $0.body = "changed" }
        #expect(try await news.entry(1, language: "en")?.body == "", "the draft is what is edited")

        try await news.publish([1, 2])
        for language in ["en", "es"] {
            #expect(try await news.entry(1, language: language)?.title == "new")
            #expect(try await ids(news.drafts(language: language)) == [3])
        }
        #expect(try await news.entry(1, language: "en")?.body == "changed")
        try await news.publish([3], language: "es")
        #expect(try await news.entry(3, language: "es")?.title == "new")
        #expect(try await news.entry(3, language: "en") == nil)
        try await news.discardDrafts([3])
        #expect(try await ids(news.drafts(language: "en")) == [])

        let error = await #expect(throws: FeedError.self) { try await news.publish([1, 99, 98]) }
        #expect(error?.description == "the feed 'news' has no entry 98, 99: save it first")
        await #expect(throws: FeedError.self) { try await news.publish(Array(1...10_001)) }
        await #expect(throws: FeedError.self) { try await news.publish([1], language: "fr") }
    }

    @Test func `Without an app, the languages of a draft aren't known`() async throws {
        try await news.save([item(1, "a").draft()], language: "en")
        let error = await #expect(throws: FeedError.self) { try await news.publish([1]) }
        #expect(error?.description.contains("no app shows the feed 'news' yet") == true)
        try await news.publish([1], language: "en")
        #expect(try await news.entry(1, language: "en") != nil)
    }

    @Test func `Publishing goes on when a draft changes meanwhile`() async throws {
        try await news.save([item(1, "a").draft()], language: "en")
        let other = NewsFeed("news", in: store.memory)
        store.interrupt { _ in try await other.save([item(1, "b").draft()], language: "en") }
        try await news.publish([1], language: "en")
        #expect(try await news.entry(1, language: "en")?.title == "b")
    }

    @Test func `A draft whose section was removed isn't published`() async throws {
        let sectioned = NewsFeed("news", in: store).sections(section(1, "n"))
        try await NewsFeed("news", in: store).save([item(1, "a").sections(2).draft()], language: "en")
        let error = await #expect(throws: FeedError.self) { try await sectioned.publish([1], language: "en") }
        #expect(error?.description.contains("[outside-sections]") == true)
    }

    @Test func `The changes of a feed, and of no other`() async throws {
        let changes = news.changes()
        try await photos.save([thumb(1, url: "a", image: "b", width: 1, height: 1)])
        try await news.save([item(1, "a"), item(2, "b").draft()], language: "en")
        try await news.remove([1])
        var events: [FeedEvent] = []
        for await event in changes {
            events.append(event)
            if events.count == 3 { break }
        }
        #expect(
            events == [
                FeedEvent(feed: "news", revision: 1, kind: .saved, id: 1, language: "en"),
                FeedEvent(feed: "news", revision: 1, kind: .drafted, id: 2, language: "en"),
                FeedEvent(feed: "news", revision: 2, kind: .removed, id: 1, language: "en"),
            ]
        )
    }

    @Test func `The errors of the store come through`() async throws {
        store.isAway = true
        await #expect(throws: WatchedStore.Away.self) { try await news.allocateID() }
        await #expect(throws: WatchedStore.Away.self) { try await news.entry(1, language: "en") }
        await #expect(throws: WatchedStore.Away.self) { try await ids(news.entries(language: "en")) }
        await #expect(throws: WatchedStore.Away.self) { try await news.publish([1], language: "en") }
        await #expect(throws: WatchedStore.Away.self) { try await news.update(1, language: "en") { _ in } }
    }
}
