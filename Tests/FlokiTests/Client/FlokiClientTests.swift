import Backlot
import BacklotTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import Floki

/// The two public clients, against a server that changes between their steps.
@Suite(.timeLimit(.minutes(5))) struct FlokiClientTests {
    typealias Platform = FlokiClientConfiguration.Platform

    private func client(
        _ site: TestSite,
        _ platform: Platform = .iOS,
        through transport: (any ClientTransport)? = nil,
        _ change: (inout FlokiClientConfiguration) -> Void = { _ in }
    ) async throws -> FlokiClient {
        var configuration = FlokiClientConfiguration()
        configuration.platform = platform
        change(&configuration)
        let app = try FlokiClient(
            url: "http://localhost/floki/v1-app",
            transport: transport ?? site.transport,
            configuration: configuration,
            now: site.clock.now.load(ordering: .relaxed)
        )
        try await app.launch()
        return app
    }

    @Test func `The indicator is believed for its ttl, and the app data kept for its version`() async throws {
        let app = try await client(try TestSite())
        #expect(app.version == 1)
        #expect(app.tabTitles == ["News", "Photos"])
        #expect(app.sent == ["http://localhost/floki/v1-app", "http://localhost/floki/v1-appdata"])
        try await app.launch()
        #expect(app.sent.count == 2)
        app.wait(.seconds(43_200))
        try await app.launch()
        #expect(app.sent.dropFirst(2) == ["http://localhost/floki/v1-app"])
    }

    @Test(arguments: Platform.allCases)
    func `A tab says what it has, and asks again after its ttl`(platform: Platform) async throws {
        let site = try TestSite(cacheSize: 50)
        try await site.save(1...3)
        let app = try await client(site, platform)
        try await app.show("News")
        #expect(app.ids == [3, 2, 1])
        #expect(app.sent.last == "http://localhost/floki/news/en?d=2")
        try await site.save([4])
        try await app.show("Photos")
        try await app.show("News")
        #expect(app.ids == [3, 2, 1])
        app.wait(.seconds(300))
        try await app.show("News")
        #expect(app.sent.last == "http://localhost/floki/news/en?d=2&l=1&h=3")
        #expect(app.ids == [4, 3, 2, 1])
        try await site.news.remove([2])
        try await app.refresh()
        #expect(app.ids == [4, 3, 1])
    }

    @Test func `iOS merges, Android replaces`() async throws {
        for platform in Platform.allCases {
            let site = try TestSite(cacheSize: 1)
            try await site.save(1...3)
            let app = try await client(site, platform)
            try await app.show("News")
            #expect(app.ids == [3])
            // It falls behind another one, and out of the window: nothing tells iOS.
            try await site.save([3]) { $0.sortID(1) }
            try await app.refresh()
            #expect(app.ids == (platform == .iOS ? [3] : [2]))
            // No more than cache_size are kept.
            try await site.save(4...9)
            try await app.refresh()
            #expect(app.ids == [9])
        }
    }

    @Test func `Older entries, to the last`() async throws {
        let site = try TestSite(cacheSize: 3)
        try await site.save(1...8)
        let app = try await client(site)
        try await app.show("News")
        #expect(app.hasOlder)
        try await app.loadOlder()
        let url = "http://localhost/floki/news/"
        #expect(app.sent.last == url + "en?d=2&l=6&h=8&o=6")
        #expect(app.ids == [8, 7, 6, 5, 4, 3])
        try await app.loadOlder()
        #expect(app.ids == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(!app.hasOlder)
        await #expect(throws: StepError.self) { try await app.loadOlder() }
    }

    @Test func `Parameters without a question mark are understood`() async throws {
        let site = try TestSite(cacheSize: 3)
        try await site.save(1...5)
        let app = try await client(site) { $0.omitsQuestionMark = true }
        try await app.show("News")
        try await app.loadOlder()
        #expect(app.sent.last == "http://localhost/floki/news/en&d=2&l=3&h=5&o=3")
        #expect(app.ids == [5, 4, 3, 2, 1])
    }

    @Test(arguments: Platform.allCases)
    func `What has ended goes by the client's clock`(platform: Platform) async throws {
        let site = try TestSite()
        try await site.save([1])
        try await site.save([2]) { $0.expires(at: Date(timeIntervalSince1970: 1_010)) }
        let app = try await client(site, platform)
        try await app.show("News")
        app.wait(.seconds(10))
        #expect(app.ids == [2, 1])
        app.wait(.seconds(1))
        #expect(app.ids == [1])
    }

    @Test func `In a feed with sections iOS offers no older entries`() async throws {
        for platform in Platform.allCases {
            let site = try TestSite(cacheSize: 2, sections: [section(4, "politics")])
            try await site.save(1...5) { $0.sections(4) }
            let app = try await client(site, platform)
            try await app.show("News")
            #expect(app.ids == [5, 4])
            #expect(app.current?.list?.sections?.first?["name"] == "Politics")
            #expect(!app.hasOlder)
        }
    }

    @Test func `Android offers no older entries`() async throws {
        let site = try TestSite(cacheSize: 3)
        try await site.save(1...8)
        let app = try await client(site, .android)
        try await app.show("News")
        #expect(app.ids == [8, 7, 6])
        #expect(!app.hasOlder)
        await #expect(throws: StepError.self) { try await app.loadOlder() }
    }

    @Test(arguments: Platform.allCases)
    func `What Android ignores`(platform: Platform) async throws {
        let site = try TestSite(cacheSize: 9)
        let isAndroid = platform == .android
        let movie = movieViewController("http://a.b/c.m3u8")
        try await site.save([1]) { $0.opens(galleryViewController(site.photos)) }
        try await site.save([2]) { $0.opens(newsViewController(site.news)) }
        try await site.save([3]) { $0.opens(webViewController("/about/")) }
        try await site.save([4]) { $0.opens(movie) }
        try await site.save([5]) { $0.opens(movie.preview("/p.png")) }
        try await site.save([6]) { $0.page("x") }
        let app = try await client(site, platform)
        try await app.show("News")
        for id in 1...4 {
            try await app.open(id)
            #expect(app.stack.count == (isAndroid ? 1 : 2), "\(id)")
            #expect(
                app.note?.hasPrefix("Android 1.1 ignores taps on an entry that opens a") == (isAndroid ? true : nil)
            )
            if !isAndroid { try app.back() }
        }
        for id in 5...6 {
            try await app.open(id)
            #expect(app.stack.count == 2)
            #expect(app.note == nil)
            try app.back()
        }
        // A tab of iOS catches this link. Android opens it in the system's browser, which gets no page.
        if isAndroid {
            await #expect(throws: FlokiClientError.self) { try await app.follow("http://localhost/tags/t") }
            #expect(app.note == "Android 1.1 opens links in the system's browser.")
            #expect(app.stack.count == 1)
        } else {
            try await app.follow("http://localhost/tags/t")
            #expect(app.note == nil)
        }
    }

    @Test(arguments: Platform.allCases)
    func `Android leaves out the tabs that it lacks`(platform: Platform) async throws {
        let router = Router()
        let news = NewsFeed("news", in: MemoryFeedStore())
        router.floki("/floki") { app in
            app.language("en", ["news": "News", "movie": "Movie", "about": "About"])
            app.feed(news)
            app.tab(1, "movie", movieViewController("http://a.b/c"))
            app.tab(2, "news", newsViewController(news))
            app.tab(3, "about", webViewController("/about/"))
        }
        var configuration = FlokiClientConfiguration()
        configuration.platform = platform
        let app = try FlokiClient(router, configuration: configuration)
        try await app.launch()
        #expect(app.tabTitles == (platform == .iOS ? ["Movie", "News", "About"] : ["News"]))
    }

    @Test func `iOS can't reach the second page of results with sections`() async throws {
        let router = Router()
        let data =
            #"{"tabs":[{"long_title":1,"unique_id":1,"class_type":"News_view_controller","data":{"main_url":"#
            + #""http://localhost/n/","search_bar":"http://localhost/s?q=_WORDS_&p=_PAGE_"}}],"langs":[{"en":{"1":"N"}}]}"#
        router.get("/app") { _ in .text(#"{"v":3,"url":"http://localhost/data","ttl":1}"#) }
        router.get("/data") { _ in .text(data) }
        router.get("/n/en") { _ in .text(#"{"items":[]}"#) }
        router.get("/s") { request in
            let sections = request.rawQuery?.hasPrefix("q=filed") == true ? #","sections":[{"id":1,"name":"S"}]"# : ""
            return .text(#"{"items":[{"id":5,"title":"","body":"","section_ids":[1]}]\#(sections)}"#)
        }
        let app = try FlokiClient(router, at: "/app")
        try await app.launch()
        try await app.show("N")
        try await app.search("flat")
        #expect(app.hasMoreResults)
        try await app.search("filed")
        #expect(!app.hasMoreResults)
    }

    @Test func `A search continues to its empty page`() async throws {
        let site = try TestSite(cacheSize: 2)
        try await site.save(1...5)
        let app = try await client(site)
        try await app.show("News")
        try await app.search("item")
        #expect(app.sent.last == "http://localhost/floki/news/search/en?q=item&page=1&d=2")
        #expect(app.results.compactMap { $0["id"]?.number?.int64 } == [5, 4])
        while app.hasMoreResults { try await app.moreResults() }
        #expect(app.results.compactMap { $0["id"]?.number?.int64 } == [5, 4, 3, 2, 1])
        #expect(app.sent.last == "http://localhost/floki/news/search/en?q=item&page=4&d=2")
        await #expect(throws: StepError.self) { try await app.moreResults() }
        try await app.search("Ítem 3&x")
        #expect(app.sent.last == "http://localhost/floki/news/search/en?q=%C3%8Dtem+3%26x&page=1&d=2")
        try await app.show("Photos")
        await #expect(throws: StepError.self) { try await app.search("x") }
    }

    @Test func `Pages are kept by id and URL, unless they are online`() async throws {
        let site = try TestSite()
        try await site.save([1]) { $0.page("one") }
        try await site.save([2]) { $0.page("two").online() }
        let app = try await client(site)
        try await app.show("News")
        for id in [1, 1, 2, 2] {
            try await app.open(id)
            #expect(app.page?.contains(id == 1 ? "one" : "two") == true)
            try app.back()
        }
        #expect(app.sent.count { $0.contains("/items/en/1/") } == 1)
        #expect(app.sent.count { $0.contains("/items/en/2/") } == 2)
        try await site.save([1]) { $0.page("another") }
        try await app.refresh()
        try await app.open(1)
        #expect(app.page?.contains("another") == true)
        await #expect(throws: StepError.self) { try await app.open(99) }
    }

    @Test func `Nested feeds get the language appended, web pages and movies don't`() async throws {
        let site = try TestSite()
        try await site.photos.save([thumb(5, url: "b.png", image: "s.png", width: 9, height: 9).tags("sea")])
        try await site.save([1]) { $0.opens(galleryViewController(site.photos)) }
        try await site.save([2]) { $0.opens(webViewController("/about/")) }
        let movie = movieViewController("http://a.b/c.m3u8")
        try await site.save([3]) { $0.opens(movie).video("roly-poly").tags("a b") }
        let app = try await client(site)
        try await app.show("News")
        try await app.open(1)
        #expect(app.sent.last == "http://localhost/floki/my-photos~/en?d=2")
        #expect(app.ids == [5])
        try app.back()
        try await app.open(2)
        #expect(app.sent.last == "http://localhost/floki/about/")
        #expect(app.page == "<p>en other</p>")
        try app.back()
        try await app.open(3)
        #expect(app.current?.url == "http://a.b/c.m3u8")
        try app.back()
        #expect(throws: StepError.self) { try app.back() }

        try await app.follow("http://x.y/videos/roly-poly")
        #expect(app.current?.className == "Movie_view_controller")
        try await app.follow("http://x.y/galleries/sea")
        #expect(app.ids == [5])
        try await app.follow("http://x.y/tags/a b")
        #expect(app.results.compactMap { $0["id"]?.number?.int64 } == [3])
        try await app.follow("http://localhost/floki/about/es")
        #expect(app.page == "<p>es iPhone4</p>" || app.page == "<p>es other</p>")
    }

    @Test func `Relative pictures are resolved up to the last slash`() async throws {
        let site = try TestSite()
        try await site.save([1]) { $0.image("i/1.png") }
        let app = try await client(site)
        try await app.show("News")
        #expect(try app.picture(of: 1) == "http://localhost/floki/news/i/1.png")
    }

    @Test(arguments: ["", "feed"])
    func `Relative pictures stand alone if the feed's URL has no slash`(main: String) async throws {
        let router = Router()
        let tab =
            #"{"long_title":1,"unique_id":1,"class_type":"News_view_controller","#
            + #""data":{"main_url":"http://localhost/n/"}}"#
        let entry =
            #"{"id":5,"title":"","body":"","class_type":"News_view_controller","url":"http://localhost/m/","#
            + #""data":{"main_url":"\#(main)"}}"#
        router.get("/app") { _ in .text(#"{"v":3,"url":"http://localhost/data","ttl":1}"#) }
        router.get("/data") { _ in .text(#"{"tabs":[\#(tab)],"langs":[{"en":{"1":"N"}}]}"#) }
        router.get("/n/en") { _ in .text(#"{"items":[\#(entry)]}"#) }
        router.get("/m/en") { _ in .text(#"{"items":[{"id":6,"title":"","body":"","image":"i.png"}]}"#) }
        let app = try FlokiClient(router, at: "/app")
        try await app.launch()
        try await app.show("N")
        try await app.open(5)
        #expect(try app.picture(of: 6) == "i.png")
    }

    @Test(arguments: [("es", "Noticias"), ("fr", "News"), ("en", "News")])
    func `The app has the language of the device, or the first`(language: String, title: String) async throws {
        let site = try TestSite()
        try await site.save([1])
        try await site.news.save([item(1, "Uno")], language: "es")
        let app = try await client(site) { $0.language = language }
        #expect(app.tabTitles.first == title)
        try await app.show(title)
        #expect(app.titles == [language == "es" ? "Uno" : "Item 1"])
    }

    @Test func `Another status than 2xx keeps what is there`() async throws {
        let site = try TestSite()
        try await site.save([1])
        let gate = Gate(site.transport)
        let app = try await client(site, through: gate)
        gate.isShut.store(true, ordering: .relaxed)
        await #expect(throws: FlokiClientError.self) { try await app.show("News") }
        gate.isShut.store(false, ordering: .relaxed)
        try await app.show("News")
        gate.isShut.store(true, ordering: .relaxed)
        try await app.refresh()
        #expect(app.ids == [1])
        #expect(app.current?.isCached == true)
        app.wait(.seconds(50_000))
        try await app.launch()
        #expect(app.tabTitles == ["News", "Photos"])
        gate.isShut.store(false, ordering: .relaxed)
        try await app.show("News")
        #expect(app.current?.isCached == false)
    }

    /// A way to a server that can be made to fail.
    private final class Gate: ClientTransport {
        let isShut = Atomic(false)
        private let transport: any ClientTransport

        init(_ transport: any ClientTransport) { self.transport = transport }

        func response(
            to request: ClientRequest,
            limits: ClientLimits
        ) async throws(ClientError) -> ClientResponse {
            if isShut.load(ordering: .relaxed) { return ClientResponse(status: .serviceUnavailable) }
            return try await transport.response(to: request, limits: limits)
        }
    }

    @Test(arguments: [("/news", "/newseu"), ("/news/", "/news/eu"), ("/news.html", "/news.htmleu")])
    func `The language is appended to any address`(main: String, asked: String) async throws {
        let router = Router()
        let data =
            #"{"tabs":[{"long_title":1,"unique_id":1,"class_type":"News_view_controller","data":{"main_url":"MAIN"}}],"#
            + #""langs":[{"eu":{"1":"Berriak"}}]}"#
        router.get("/app") { _ in .text(#"{"v":3,"url":"http://localhost/data","ttl":1}"#) }
        router.get("/data") { _ in .text(data.replacing("MAIN", with: "http://localhost\(main)")) }
        router.get(asked) { _ in .text(#"{"items":[{"id":5,"title":"","body":""}]}"#) }
        let app = try FlokiClient(router, at: "/app")
        try await app.launch()
        try await app.show("Berriak")
        #expect(app.ids == [5])
        #expect(app.sent.last == "http://localhost\(asked)?d=2")
    }

    @Test func `A host with a hyphen can't be reached, by either platform`() async throws {
        let router = Router()
        let tab =
            #"{"long_title":1,"unique_id":1,"class_type":"News_view_controller","#
            + #""data":{"main_url":"http://localhost/my-news/"}}"#
        router.get("/app") { _ in .text(#"{"v":3,"url":"http://localhost/data","ttl":1}"#) }
        router.get("/data") { _ in .text(#"{"tabs":[\#(tab)],"langs":[{"en":{"1":"N"}}]}"#) }
        router.get("/my-news/en") { _ in
            .text(#"{"items":[{"id":5,"title":"","body":"","url":"http://news-app.example/5"}]}"#)
        }
        let app = try FlokiClient(router, at: "/app")
        try await app.launch()
        try await app.show("N")
        #expect(app.sent.suffix(2) == ["http://localhost/data", "http://localhost/my-news/en?d=2"])
        await #expect(throws: FlokiClientError.self) { try await app.open(5) }
        #expect(app.sent.last == "http://news%2dapp.example/5")
    }

    @Test func `Emails are filled in`() async throws {
        let site = try TestSite()
        try await site.save([1]) { $0.shareURL("http://a.b/1") }
        try await site.save([2])
        let movie = movieViewController("http://a.b/c")
        try await site.save([3]) { $0.shareURL("http://a.b/3").opens(movie) }
        let picture = thumb(1, url: "b", image: "s", width: 9, height: 9).shareURL("http://a.b/p")
        try await site.photos.save([
            picture,
            thumb(2, url: "b", image: "s", width: 9, height: 9).title("T")
                .shareURL("http://a.b/q").captionText("At sea"),
        ])
        let app = try await client(site)
        try await app.show("News")
        #expect(app.email(sharing: 1)?.subject == "Item 1")
        #expect(app.email(sharing: 1)?.body == #"<A HREF="http://a.b/1">http://a.b/1</A>"#)
        #expect(app.email(sharing: 2) == nil)
        #expect(app.choices(sharing: 1) == ["Copy address", "Send email", "Twitter", "Facebook"])
        #expect(app.choices(sharing: 2) == [])
        #expect(app.email(sharing: 3)?.body == #"<A HREF="http://a.b/3">http://a.b/3</A>"#)
        try await app.show("Photos")
        #expect(app.email(sharing: 1)?.body == #"<A HREF="http://a.b/p">http://a.b/p</A>"#)
        #expect(app.email(sharing: 2)?.subject == "T")
        #expect(app.email(sharing: 2)?.body == #"<A HREF="http://a.b/q">At sea</A>"#)
    }

    @Test func `A backend's mistakes are told`() async throws {
        let router = Router()
        router.get("/app") { _ in .text(#"{"v":1,"url":"http://localhost/data","ttl":1}"#) }
        router.get("/data") { _ in .text(#"{"tabs":[{"unique_id":0}],"langs":[{"en":{}}]}"#) }
        let app = try FlokiClient(router, at: "/app")
        let failure = await #expect(throws: BackendError.self) { try await app.launch() }
        #expect(failure?.findings.contains { $0.rule == "malformed-unique-id" } == true)
    }

    @Test(arguments: ClientReach.allCases)
    func `A client works in process and over a socket`(reach: ClientReach) async throws {
        let news = NewsFeed("news", in: MemoryFeedStore())
        try await news.save([item(1, "Hello").page("It is here")], language: "en")
        let router = Router()
        router.floki("/floki") { app in
            app.language("en", ["news": "News"])
            app.feed(news)
            app.tab(1, "news", newsViewController(news))
        }
        try await withFlokiClient(router, over: reach) { app in
            try await app.launch()
            try await app.show("News")
            try await app.open(1)
            #expect(app.page?.contains("It is here") == true)
        }
    }
}
