import Backlot
import Foundation
import TestSupport
import Testing

@testable import Floki

/// Stored entries are read back, and stored again with the same bytes.
@Suite(.timeLimit(.minutes(5))) struct EntryReadingTests {
    /// Random entries, of all kinds.
    private struct Entries {
        var generator: SeededGenerator
        let photos = GalleryFeed("photos", in: MemoryFeedStore()).cacheSize(7)
        let news = NewsFeed("news", in: MemoryFeedStore())

        mutating func chance(_ part: Int = 2) -> Bool { Int.random(in: 0..<part, using: &generator) == 0 }

        mutating func text() -> String {
            let texts = [
                "", "a", "Ferry", "\"quoted\" \\ \u{8}\n", "é", "e\u{301}", "日本", "\u{301}x", "👩‍👩‍👧", "<b>&amp;</b>",
                "tag:video:", "\(TemplateMark.base)mark\(TemplateMark.close)", "\u{2028}",
            ]
            return texts.randomElement(using: &generator) ?? ""
        }

        mutating func link() -> Link {
            let links: [Link] = [
                "http://a.b/c?d=e&f", "/images/a.png", "b.png", "//c.d/e", "",
                .byDevice(iPad: "a", iPhone4: "/b", other: "http://c.d"),
                "a%20b.png", "/",
            ]
            return links.randomElement(using: &generator) ?? ""
        }

        mutating func controller() -> any ViewController {
            let news: [NewsViewController] = [
                newsViewController(news).searchBar().moreItems().tags().videos().titleColor(Color(1, 2, 3)),
                newsViewController(news).imageSize(3, 4).footerAlignment(.left).ttl(.seconds(9)).imageAtRight(),
            ]
            let galleries = [
                galleryViewController(photos), galleryViewController(photos).cellHighlightColor(.blue).galleries(),
            ]
            let movie = movieViewController(link()).title(text()).text(text()).preview(link()).progressiveFile(link())
                .previewSize(30, 40).autoload(false)
            let all: [any ViewController] = [
                news[0], news[1], galleries[0], galleries[1], movie, movieViewController("m.m3u8"),
                webViewController(link()).scalesPageToFit(), webViewController("/about/"), OwnController(),
            ]
            return all.randomElement(using: &generator) ?? movie
        }

        mutating func change<Entry: FeedEntry>(_ entry: Entry) -> Entry {
            var entry = entry
            if chance() { entry = entry.sortID(Int.random(in: 1...Int(EntryTraits.highestSortID), using: &generator)) }
            if chance() { entry = chance() ? entry.sections(3, 1) : entry.sections(2, 2) }
            if chance() { entry = entry.expires(at: Date(timeIntervalSince1970: 12_345.9)) }
            if chance() { entry = entry.shareURL("http://a.b/\(Int.random(in: 0..<9, using: &generator))") }
            if chance() { entry = entry.online() }
            if chance() { entry = entry.tags([text(), text(), "b"]) }
            if chance() { entry = entry.opens(controller()) }
            if chance(4) { entry = entry.draft() }
            if chance(4) { entry = entry.publish(at: Date(timeIntervalSince1970: 99_999)) }
            return entry
        }

        mutating func item(_ id: Int) -> Item {
            var item = change(Floki.item(id, text(), text()))
            if chance() { item = item.url(link()) }
            if chance() { item = item.image(link()) }
            if chance() { item = item.footer(text()) }
            if chance() { item = item.page("<p>\(text())</p>") }
            if item.controller != nil, chance() { item = item.video(text()) }
            return item
        }

        mutating func thumb(_ id: Int) -> Thumb {
            var thumb = change(Floki.thumb(id, url: link(), image: link(), width: id, height: 3))
            if chance() { thumb = thumb.title(text()) }
            if chance() { thumb = thumb.captionText(text()) }
            if chance() { thumb = thumb.maxZoom([1, 2, 2.5, 1e300, 0.1 + 0.7].randomElement(using: &generator) ?? 1) }
            return thumb
        }
    }

    /// A controller of the program, with numbers and values that this library never writes.
    private struct OwnController: ViewController {
        var className: StaticString { "Web_view_controller" }
        var mainURL: Link { .byDevice(iPad: "1", iPhone4: "2", other: "3") }
        func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
            writer.field("preview_url", "/not/a/link")
            writer.field("scales_page_to_fit", true)
            writer.key("own")
            writer.array {
                $0.null()
                $0.value(0.1)
                $0.value(1e300)
                $0.object { $0.field("x", "y") }
            }
        }
    }

    private func check<Entry: FeedEntry>(_ entry: Entry, _ feed: String) throws {
        let feed = Feed<Entry>(feed, in: MemoryFeedStore())
        let (stored, _) = try feed.judged(entry)
        let read = try Entry(stored: stored, of: feed.name)
        let again = try feed.judged(read).0
        #expect(again == stored, "\(String(decoding: stored.wire, as: UTF8.self)) \(entry)")
        #expect(read.publication == entry.publication)
        #expect(read.expirationDate == entry.expirationDate)
    }

    @Test func `Saving what was read stores the same bytes`() throws {
        var entries = Entries(generator: SeededGenerator(seed: 26))
        for id in 1...300 {
            try check(entries.item(id), "news")
            try check(entries.thumb(id), "photos")
        }
    }

    @Test func `All properties of an item read back`() throws {
        let movie = movieViewController("/m.m3u8")
        let made = item(7, "Title", "Body").footer("Foot").image("/a.png").sections(1, 2).tags("a", "b").shareURL(
            "http://a.b/"
        )
        .online().expires(at: Date(timeIntervalSince1970: 5_000)).sortID(9).opens(movie).video("v").page("<p>")
        .publish(at: Date(timeIntervalSince1970: 77))
        let feed = NewsFeed("news", in: MemoryFeedStore())
        let read = try Item(stored: feed.judged(made).0, of: "news")
        #expect(read.id == 7)
        #expect([read.title, read.body, read.footer, read.page, read.video] == ["Title", "Body", "Foot", "<p>", "v"])
        #expect(read.image?.text == "/a.png")
        #expect(read.url == nil)
        #expect(read.sectionIDs == [1, 2])
        #expect(read.tags == ["a", "b"])
        #expect(read.shareURL == "http://a.b/")
        #expect(read.isOnline)
        #expect(read.expirationDate == Date(timeIntervalSince1970: 5_000))
        #expect(read.sortID == 9)
        #expect(read.controller?.mainURL == "/m.m3u8")
        #expect(read.publication == .scheduled(at: 77))
        var changed = read
        changed.controller = nil
        changed.video = nil
        let page = try feed.judged(changed).0
        #expect(String(decoding: page.wire, as: UTF8.self).contains("/news/items/"), "its page is what a tap opens now")
    }

    @Test func `An item that is copied to another feed opens its page there`() throws {
        let feed = NewsFeed("a", in: MemoryFeedStore())
        let stored = try feed.judged(item(1, "x").page("y")).0
        let read = try Item(stored: stored, of: "a")
        let other = try NewsFeed("b", in: MemoryFeedStore()).judged(read).0
        #expect(String(decoding: other.wire, as: UTF8.self).contains("/b/items/"))
    }

    @Test(arguments: [
        "http://a.b/c", "/a/b", "a.png", "//a.b/c", "", "/", "mailto:a@b.c", "é",
    ])
    func `The text of a link`(text: String) { #expect(Link(text).text == text) }

    @Test func `Links without a text`() {
        #expect(Link.byDevice(iPad: "a", iPhone4: "b", other: "c").text == nil)
        #expect(Link(wire: FeedPath.page("news", 1, item: [], content: "")).text == nil)
        #expect(Link(wire: FeedPath.main("news")).text == "/news/")
    }

    @Test(arguments: [
        "", "{", "[]", "7", "{}", #"{"id":8}"#, #"{"id":"7"}"#, #"{"id":7,"class_type":"Web_view_controller"}"#,
        #"{"id":7,"class_type":"Own_view_controller","data":{"main_url":"a"}}"#,
        #"{"id":7,"class_type":"Web_view_controller","data":{}}"#, #"{"id":7,"class_type":7,"data":{"main_url":"a"}}"#,
    ])
    func `What can't be read`(json: String) {
        let stored = StoredEntry(id: 7, sortID: 7, wire: Array(json.utf8))
        let error = #expect(throws: FeedError.self) { try Item(stored: stored, of: "news") }
        #expect(error?.description.hasPrefix("the stored entry 7 of the feed 'news'") == true)
        #expect(throws: FeedError.self) { try Thumb(stored: stored, of: "news") }
    }

    @Test(arguments: [6.4e10, .infinity, .nan, 0, -6.2e10, 3e9])
    func `Dates at which no entry can end`(seconds: Double) async throws {
        let feed = NewsFeed("news", in: MemoryFeedStore())
        let error = await #expect(throws: FeedError.self) {
            try await feed.save([item(1, "a").expires(at: Date(timeIntervalSince1970: seconds))], language: "en")
        }
        #expect(error?.description.contains("expiration_date") == true)
    }

    @Test(arguments: [.infinity, .nan, -6.2e10, 1e12])
    func `Dates at which no entry can be published`(seconds: Double) async throws {
        let feed = NewsFeed("news", in: MemoryFeedStore())
        let error = await #expect(throws: FeedError.self) {
            try await feed.save([item(1, "a").publish(at: Date(timeIntervalSince1970: seconds))], language: "en")
        }
        #expect(error?.description.contains("to be published before 1970 or after the year 9999") == true)
    }
}
