import Backlot
import Foundation
import TestSupport
import Testing

@testable import Floki

/// Apps that are declared anew while they are served.
@Suite(.timeLimit(.minutes(5))) struct LiveAppTests {
    private let store = MemoryFeedStore()
    private var news: NewsFeed { NewsFeed("news", in: store) }

    private struct Served {
        let handler: any Handler
        let app: LiveFlokiApp

        func json(_ target: String) async throws -> JSONValue {
            let response = try await handler.respond(to: try Request(.get, target)).response()
            #expect(response.status == .ok)
            return try JSONValue(parsing: response.bodyBytes)
        }

        var version: Int { get async throws { try await json("/floki/v1-app")["v"]?.int ?? 0 } }

        func status(_ target: String) async throws -> Int {
            do {
                return try await handler.respond(to: try Request(.get, target)).response().status.code
            } catch let error as any HTTPError {
                return error.status.code
            }
        }
    }

    private func served(
        _ configuration: FlokiConfiguration = FlokiConfiguration(),
        _ register: (FlokiApp) -> Void
    ) -> Served {
        let router = Router()
        let app = router.floki("/floki", configuration: configuration) { register($0) }
        return Served(handler: router.handler(), app: app)
    }

    private func declare(_ app: FlokiApp, _ feed: NewsFeed, title: String = "News", spanish: Bool = true) {
        app.language("en", ["news": title, "a": "A", "b": "B"])
        if spanish { app.language("es", ["news": "Noticias"]) }
        app.feed(feed)
        app.tab(1, "news", newsViewController(feed))
        app.page("about") { _ in title }
    }

    @Test func `The version rises once when the content differs, and stays when it doesn't`() async throws {
        let sectioned = news.sections(section(1, "a"))
        let site = served { declare($0, sectioned) }
        #expect(try await site.version == 1)
        try await site.app.update { declare($0, sectioned) }
        #expect(try await site.version == 1)
        try await site.app.update { declare($0, sectioned, title: "Newer") }
        #expect(try await site.version == 2)
        #expect(try await site.json("/floki/v1-appdata")["langs"]?[0]?["en"]?["3"] == "Newer")
        try await site.app.update { declare($0, sectioned, title: "Newer") }
        #expect(try await site.version == 2)
        // Another section, with a text that was there before.
        try await site.app.update { declare($0, sectioned.sections(section(1, "a"), section(2, "b")), title: "Newer") }
        #expect(try await site.version == 3)
        try await site.app.update { app in
            declare(app, sectioned, title: "Newer")
            app.tab(2, "a", webViewController("/about/"))
        }
        #expect(try await site.version == 4)
        #expect(try await site.json("/floki/v1-appdata")["tabs"]?.array?.count == 2)
    }

    @Test func `Sections, languages and pages change with it`() async throws {
        let site = served { declare($0, news.sections(section(1, "a")), spanish: false) }
        #expect(try await site.json("/floki/news/en")["sections"]?[0]?["name"] == "A")
        #expect(try await site.status("/floki/news/es") == 404)
        try await site.app.update { declare($0, news.sections(section(2, "b")), title: "T") }
        #expect(try await site.json("/floki/news/en")["sections"]?.array?.compactMap { $0["id"]?.int } == [2])
        #expect(try await site.status("/floki/news/es") == 200)
        let page = try await site.handler.respond(to: try Request(.get, "/floki/about/es")).response()
        #expect(page.bodyBytes == Array("T".utf8))
        try await site.app.update { app in
            app.language("en", ["a": "A"])
            app.tab(1, "a", webViewController("http://a.b/"))
        }
        for path in ["/floki/news/en", "/floki/about/", "/floki/news/items/en/1", "/floki/news/search/en?q=a"] {
            #expect(try await site.status(path) == 404)
        }
        try await site.app.update { declare($0, news) }
        #expect(try await site.status("/floki/news/en") == 200)
    }

    @Test func `A feed saves by the sections that its app has now`() async throws {
        let feed = news
        let site = served { declare($0, feed.sections(section(1, "a"))) }
        try await feed.save([item(1, "x").sections(1)], language: "en")
        await #expect(throws: FeedError.self) { try await feed.save([item(2, "x").sections(2)], language: "en") }
        try await site.app.update { declare($0, feed.sections(section(2, "b")), spanish: false) }
        try await feed.save([item(2, "x").sections(2)], language: "en")
        await #expect(throws: FeedError.self) { try await feed.save([item(1, "x").sections(1)], language: "en") }
        await #expect(throws: FeedError.self) { try await feed.save([item(1, "x").sections(2)], language: "es") }
    }

    @Test func `Stored entries outside of the sections are reported`() async throws {
        let feed = news.sections(section(1, "a"), section(2, "b"))
        let site = served { declare($0, feed) }
        let items = (1...9).map { item($0, "x").sections($0 < 8 ? 1 : 2) } + [item(10, "x").sections(1, 2)]
        try await feed.save(items, language: "en")
        try await feed.save([item(1, "x").sections(1)], language: "es")
        let findings = try await site.app.update { declare($0, feed.sections(section(2, "b"))) }
        #expect(findings.map(\.rule) == ["stored-outside-sections", "stored-outside-sections"])
        #expect(
            findings.map(\.message) == [
                "7 stored entries in 'en' are in none of the feed's sections, so clients don't show them: 7, 6, 5, 4, 3 and more.",
                "1 stored entry in 'es' is in none of the feed's sections, so clients don't show it: 1.",
            ]
        )
        #expect(findings[0].fix == "Save them with one of the sections 2, or remove them.")
        #expect(findings[0].path.page == "/floki/news")
        #expect(try await site.app.update { declare($0, feed) } == [])
        #expect(try await site.app.update { declare($0, news.sections([])) } == [])
        // The feed had no sections before, so the update checks all of its entries.
        #expect(try await site.app.update { declare($0, feed.sections(section(2, "b"))) }.count == 2)
    }

    @Test func `The app changes also while its stored entries can't be read`() async throws {
        let store = WatchedStore()
        let feed = NewsFeed("news", in: store)
        let site = served { declare($0, feed) }
        store.isAway = true
        let findings = try await site.app.update { declare($0, feed.sections(section(1, "a"))) }
        #expect(findings.map(\.rule) == ["stored-outside-sections"])
        #expect(findings[0].message.hasPrefix("The store can't be searched"))
        #expect(try await site.version == 2)
    }

    @Test func `What a mounted feed has stored outside of its sections`() async throws {
        try await news.save((1...2_500).map { item($0, "x").sections($0.isMultiple(of: 500) ? 9 : 1) }, language: "en")
        let texts = try TextTable([Language(code: "en", texts: ["a": "A"])])
        let outside = OutsideEntries(
            feed: MountedFeed(news.sections(section(1, "a")), texts: texts),
            codes: ["en"],
            page: "/floki/news",
            now: 0
        )
        let findings = try await outside.findings(former: nil)
        #expect(findings.count == 1)
        #expect(findings[0].message.hasPrefix("5 stored entries in 'en' are in none"))
        // Those that are published later, too.
        let time = Date(timeIntervalSince1970: 9_000_000_000)
        try await news.save([item(5_000, "x").sections(9).publish(at: time)], language: "en")
        for former in [nil, [1, 9]] as [Set<Int>?] {
            let findings = try await outside.findings(former: former)
            #expect(findings.map { String($0.message.prefix(16)) } == ["6 stored entries"])
        }
    }

    @Test func `Mistakes leave the app as it was`() async throws {
        let site = served { declare($0, news) }
        let others = NewsFeed("others", in: store)
        let error = try #require(
            await #expect(throws: FlokiAppError.self) {
                try await site.app.update { app in
                    declare(app, news)
                    app.feed(others)
                    app.feed(GalleryFeed("a b", in: store))
                    app.page("imprint") { _ in "" }
                    app.tab(1, "nobody's", newsViewController(others))
                }
            }
        )
        #expect(
            error.description.hasPrefix(
                "the app wasn't changed, because of 6 mistakes:\n  FlokiTests/LiveAppTests.swift:"
            )
        )
        for part in [
            "feed 'others' is new: mount it with router.floki(…), since a running server gets no new addresses",
            "page 'imprint' is new: mount it", "the feed's name 'a b' must consist of letters",
            "tab 1 shows the text 'nobody's', which no language has", "[duplicate-unique-id]",
        ] {
            #expect(error.description.contains(part), "\(part) in \(error)")
        }
        await #expect(throws: FlokiAppError.self) { try await site.app.update { _ in } }
        await #expect(throws: FlokiAppError.self) {
            try await site.app.update { app in
                app.language("en", ["news": "N"])
                app.feed(GalleryFeed("news", in: store))
                app.tab(1, "news", webViewController("/about/"))
            }
        }
        #expect(try await site.version == 1)
        #expect(try await site.status("/floki/news/es") == 200)
    }

    @Test func `An app with mistakes has nothing to change`() async throws {
        let site = served { $0.language("eng", [:]) }
        let error = await #expect(throws: FlokiAppError.self) { try await site.app.update { declare($0, news) } }
        #expect(error?.description.contains("it was not mounted") == true)
    }

    @Test func `A record file keeps what a running app has become`() async throws {
        try await withTemporaryFolder { folder in
            var configuration = FlokiConfiguration()
            configuration.record = RecordFile("\(folder.path)/record.json")
            let site = served(configuration) { declare($0, news) }
            try await site.app.update { declare($0, news, title: "Newer") }
            #expect(try await site.version == 2)
            #expect(try await served(configuration) { declare($0, news, title: "Newer") }.version == 2)
            #expect(try await served(configuration) { declare($0, news) }.version == 3)
        }
    }

    @Test func `A record that can't be written leaves the app as it was`() async throws {
        try await withTemporaryFolder { folder in
            var configuration = FlokiConfiguration()
            configuration.record = RecordFile(try folder.write("", to: "sub/record.json") + "x")
            let site = served(configuration) { declare($0, news) }
            try folder.remove("sub")
            await #expect(throws: RecordError.self) { try await site.app.update { declare($0, news, title: "Newer") } }
            #expect(try await site.version == 1)
            #expect(try await site.json("/floki/v1-appdata")["langs"]?[0]?["en"]?["3"] == "News")
        }
    }

    @Test func `Windows in memory end with the sections that they show`() async throws {
        let site = served { declare($0, news.sections(section(1, "a"))) }
        for _ in 0..<3 { _ = try await site.json("/floki/news/en") }
        try await site.app.update { declare($0, news.sections(section(1, "b"))) }
        #expect(try await site.json("/floki/news/en")["sections"]?[0]?["name"] == "B")
    }

    @Test func `Many changes at once raise the version for each content`() async throws {
        let site = served { declare($0, news) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await site.app.update { declare($0, news, title: "Title \(number)") } }
            }
            try await group.waitForAll()
        }
        #expect(try await site.version == 21)
    }
}
