import Backlot
import BacklotTesting
import Synchronization
import TestSupport
import Testing

@testable import Floki

/// The version indicator and the app data.
@Suite(.timeLimit(.minutes(5))) struct AppTests {
    /// The indicator and the app data of an app.
    private func documents(
        _ configuration: FlokiConfiguration = FlokiConfiguration(),
        requests: Int = 1,
        _ register: (FlokiApp) -> Void
    ) async throws -> (indicator: JSONValue, data: JSONValue) {
        let router = Router()
        router.floki("/floki", configuration: configuration) { register($0) }
        let transport = try InProcessTransport(router.handler())
        func get(_ path: String) async throws -> JSONValue {
            let request = ClientRequest(.get, try HTTPURL("http://localhost\(path)"))
            let response = try await transport.response(to: request, limits: ClientLimits())
            #expect(response.status == .ok)
            #expect(response.mediaType == "application/json")
            return try JSONValue(parsing: response.body)
        }
        var data: JSONValue = nil
        for _ in 0..<requests { data = try await get("/floki/v1-appdata") }
        return (try await get("/floki/v1-app"), data)
    }

    /// The error that keeps an app from starting; empty if it starts.
    private func problems(
        _ configuration: FlokiConfiguration = FlokiConfiguration(),
        _ register: (FlokiApp) -> Void
    ) -> String {
        let router = Router()
        router.floki("/floki", configuration: configuration) { register($0) }
        do {
            _ = try InProcessTransport(router.handler())
            return ""
        } catch {
            return "\(error)"
        }
    }

    private let news = NewsFeed("news", in: MemoryFeedStore())

    @Test func `A small app has its two documents`() async throws {
        let (indicator, data) = try await documents { app in
            app.language("en", ["news": "News", "about": "About us", .cancel: "Never mind"])
            app.language("es", ["news": "Noticias", .twitter: "Trino"])
            app.feed(news)
            app.tab(7, "news", short: "about", newsViewController(news).titleColor(Color(1, 2, 3)).imageSize(40, 50))
            app.tab(9, "about", webViewController("/about/").scalesPageToFit())
            app.deleteDiskCache("simulator")
        }
        #expect(indicator == ["v": 1, "url": "http://localhost/floki/v1-appdata", "ttl": 43200])
        let en: JSONValue = ["1": "About us", "2": "News", "10004": "Never mind", "10013": "Twitter"]
        let es: JSONValue = ["1": "About us", "2": "Noticias", "10004": "Never mind", "10013": "Trino"]
        let newsData: JSONValue = [
            "main_url": "http://localhost/floki/news/", "title_color": [1, 2, 3], "image_size": [40, 50],
        ]
        let aboutData: JSONValue = ["main_url": "http://localhost/floki/about/", "scales_page_to_fit": true]
        let tabs: JSONValue = [
            [
                "long_title": 2, "short_title": 1, "unique_id": 7, "class_type": "News_view_controller",
                "data": newsData,
            ],
            ["long_title": 1, "unique_id": 9, "class_type": "Web_view_controller", "data": aboutData],
        ]
        let misc: JSONValue = ["delete_disk_cache": ["simulator"]]
        #expect(data == ["tabs": tabs, "langs": [["en": en], ["es": es]], "misc": misc])
    }

    @Test func `Every attribute is written if it isn't the default`() async throws {
        let photos = GalleryFeed("photos", in: MemoryFeedStore()).cacheSize(5)
        let picture = try Picture(png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
        let red = Color(255, 0, 0)
        let (_, data) = try await documents { app in
            app.language("en", ["a": "A"])
            let list = newsViewController(news.cacheSize(9)).rowHeight(60).padding(4).imageAtRight().titleLines(2)
                .titleSize(17).textSize(14).textColor(red).footerSize(12).footerColor(red).footerAlignment(.left)
                .backNormalColor(red).backHighlightColor(red).ttl(.seconds(5)).downloadIfVirgin().allowManualReload()
                .itemDisclosure(picture).navigationChangesSection().sectionTitlePadding(0)
                .sectionCollapsedTextColor(red).sectionExpandedTextColor(red).sectionCollapsedBackColor(red)
                .sectionExpandedBackColor(red).searchBar().moreItems().tags().videos()
            app.feed(news)
            app.feed(photos)
            app.tab(1, "a", image: picture, list)
            let gallery = galleryViewController(photos).rowHeight(80).cellsPerRow(3).padding(5).cellNormalColor(red)
                .cellHighlightColor(red).ttl(.seconds(6)).downloadIfVirgin().allowManualReload().stretchImages(false)
                .moreItems().galleries()
            app.tab(2, "a", gallery)
            let movie = movieViewController("http://a.b/c.m3u8").progressiveFile("http://a.b/d").preview("p.png")
                .previewSize(30, 31).padding(5).titleID("a").titleLines(1).titleSize(1).titleColor(red).textID("a")
                .textSize(1).textColor(red).playbackColor(red).backNormalColor(red).autoload(false)
            app.tab(3, "a", movie)
        }
        let base = "http://localhost/floki"
        let tone: JSONValue = [255, 0, 0]
        let png = JSONValue.string(picture.base64)
        #expect(png == "iVBORw0KGgoB")
        #expect(data["tabs"]?[0]?["tab_image"] == png)
        let list: JSONValue = [
            "main_url": .string("\(base)/news/"), "row_height": 60, "padding": 4, "image_alignment": 1,
            "title_lines": 2, "title_size": 17, "text_size": 14, "text_color": tone, "footer_size": 12,
            "footer_color": tone, "footer_alignment": -1, "back_normal_color": tone, "back_highlight_color": tone,
            "cache_size": 9, "ttl": 5, "download_if_virgin": true, "allow_manual_reload": true,
            "item_disclosure": png, "navigation_changes_section": true, "section_title_padding": 0,
            "section_collapsed_text_color": tone, "section_expanded_text_color": tone,
            "section_collapsed_back_color": tone, "section_expanded_back_color": tone,
            "search_bar": .string("\(base)/news/search/_LNG_?q=_WORDS_&page=_PAGE_"),
            "more_items_url": .string("\(base)/news/older/_LNG_"),
            "tags_regex": [".*/tags/([^/?#]+)$"],
            "tags_url": .string("\(base)/news/tagged/_LNG_?tag=_WORDS_&page=_PAGE_"),
            "videos_regex": [".*/videos/([^/?#]+)$"],
            "videos_url": .string("\(base)/news/video/_LNG_?video=_WORDS_"),
        ]
        #expect(data["tabs"]?[0]?["data"] == list)
        let gallery: JSONValue = [
            "main_url": .string("\(base)/photos/"), "row_height": 80, "cells_per_row": 3, "padding": 5,
            "cell_normal_color": tone, "cell_highlight_color": tone, "cache_size": 5, "ttl": 6,
            "download_if_virgin": true, "allow_manual_reload": true, "stretch_images": false,
            "more_items_url": .string("\(base)/photos/older/_LNG_"), "gallery_regex": [".*/galleries/([^/?#]+)$"],
            "gallery_url": .string("\(base)/photos/gallery/_LNG_?tag=_WORDS_"),
        ]
        #expect(data["tabs"]?[1]?["data"] == gallery)
        let movie: JSONValue = [
            "main_url": "http://a.b/c.m3u8", "progressive_file": "http://a.b/d", "preview_url": "p.png",
            "preview_width": 30, "preview_height": 31, "padding": 5, "title_id": 1, "title_lines": 1, "title_size": 1,
            "title_color": tone, "text_id": 1, "text_size": 1, "text_color": tone, "playback_color": tone,
            "back_normal_color": tone, "autoload": false,
        ]
        #expect(data["tabs"]?[2]?["data"] == movie)
    }

    @Test func `A gallery always says its highlight`() async throws {
        let (_, data) = try await documents { app in
            let photos = GalleryFeed("photos", in: MemoryFeedStore())
            app.language("en", ["a": "A"])
            app.feed(photos)
            app.tab(1, "a", galleryViewController(photos))
        }
        #expect(data["tabs"]?[0]?["data"]?["cell_highlight_color"] == [0, 0, 0])
    }

    @Test func `The version rises when the content changes, also across restarts`() async throws {
        try await withTemporaryFolder { try await versions(in: $0.path) }
    }

    private func versions(in folder: String) async throws {
        var configuration = FlokiConfiguration()
        configuration.record = RecordFile("\(folder)/record.json")
        func version(_ texts: KeyValuePairs<TextName, String>) async throws -> (Int64?, JSONValue?) {
            let (indicator, data) = try await documents(configuration) { app in
                app.language("en", texts)
                app.feed(news)
                app.tab(1, "m", newsViewController(news))
            }
            return (indicator["v"]?.number?.int64, data["langs"]?[0]?["en"])
        }
        func expect(_ texts: KeyValuePairs<TextName, String>, _ number: Int64, _ langs: JSONValue) async throws {
            let (version, table) = try await version(texts)
            #expect(version == number)
            #expect(table == langs)
        }
        try await expect(["m": "M", "z": "Z"], 1, ["1": "M", "2": "Z"])
        try await expect(["m": "M", "z": "Z"], 1, ["1": "M", "2": "Z"])
        // A new name comes behind, though it is before the others in the alphabet.
        try await expect(["a": "A", "m": "M", "z": "Z"], 2, ["1": "M", "2": "Z", "3": "A"])
        try await expect(["a": "A", "m": "M", "z": "Y"], 3, ["1": "M", "2": "Y", "3": "A"])
        try await expect(["a": "A", "m": "M"], 4, ["1": "M", "3": "A"])
        try await expect(["a": "A", "b": "B", "m": "M"], 5, ["1": "M", "2": "B", "3": "A"])
        // A return to earlier content raises the version too.
        try await expect(["a": "A", "m": "M"], 6, ["1": "M", "3": "A"])
        // Requests don't change it.
        configuration.ttl = .seconds(5)
        try await expect(["a": "A", "m": "M"], 6, ["1": "M", "3": "A"])
        configuration.address = .fixed("https://example.com")
        try await expect(["a": "A", "m": "M"], 7, ["1": "M", "3": "A"])
        try await expect(["a": "A", "m": "M"], 7, ["1": "M", "3": "A"])
    }

    @Test(arguments: [
        "", "{", "[]", #"{"version":0,"content":"","texts":{}}"#, #"{"version":1,"texts":{}}"#,
        #"{"version":1,"content":"x"}"#, #"{"version":1,"content":"x","texts":{"a":0}}"#,
        #"{"version":1,"content":"x","texts":{"a":10000}}"#, #"{"version":"1","content":"x","texts":{}}"#,
    ])
    func `A damaged record keeps the app from starting`(text: String) async throws {
        try await withTemporaryFolder { folder in
            var configuration = FlokiConfiguration()
            let path = try folder.write(text, to: "record.json")
            configuration.record = RecordFile(path)
            let problem = problems(configuration) { $0.language("en", [:]) }
            #expect(problem.contains("the record '\(path)' is damaged"))
        }
    }

    @Test func `A record that can't be written keeps the app from starting`() throws {
        var configuration = FlokiConfiguration()
        configuration.record = RecordFile("/nowhere/at/all/record.json")
        let problem = problems(configuration) { app in
            app.language("en", ["a": "A"])
            app.feed(news)
            app.tab(1, "a", newsViewController(news))
        }
        #expect(problem.contains("can't be written"))
    }

    @Test func `There is no version after the last`() async throws {
        try await withTemporaryFolder { folder in
            var configuration = FlokiConfiguration()
            let text = #"{"version":2147483647,"content":"x","texts":{}}"#
            configuration.record = RecordFile(try folder.write(text, to: "record.json"))
            #expect(
                problems(configuration) { $0.language("en", [:]) }.contains(
                    "version 2147483647 of the app data is the highest"
                )
            )
        }
    }

    @Test func `A check judges all documents`() async throws {
        let router = Router()
        router.floki("/floki") { app in
            app.language("en", ["a": "A"])
            app.language("es", [:])
            app.feed(news)
            for id in 1...6 { app.tab(id, "a", newsViewController(news)) }
        }
        let report = await router.check()
        #expect(report.pages.map(\.path) == ["v1-app", "v1-appdata", "news/en", "news/es"].map { "/floki/\($0)" })
        #expect(report.pages.flatMap { $0.findings.map(\.rule) } == ["many-tabs"])
    }

    @Test func `What an item can't say is refused`() async throws {
        let movie = item(1, "a").opens(movieViewController("http://a.b/c").titleID("news"))
        await #expect(throws: FeedError.self) { try await news.save([movie], language: "en") }
        await #expect(throws: FeedError.self) { try await news.save([item(0, "a")], language: "en") }
        await #expect(throws: FeedError.self) { try await news.save([item(1, "a").shareURL("/a")], language: "en") }
        let narrow = galleryViewController(GalleryFeed("g", in: MemoryFeedStore())).padding(40)
        await #expect(throws: FeedError.self) { try await news.save([item(1, "a").opens(narrow)], language: "en") }
        await #expect(throws: FeedError.self) { try await news.save([item(1, "a").video("v")], language: "en") }
        let odd = NewsFeed("a/b", in: MemoryFeedStore())
        await #expect(throws: FeedError.self) { try await odd.save([item(1, "a")], language: "en") }
    }

    /// Counts how often it is encoded.
    private final class Counted: ViewController {
        let count = Atomic(0)
        var className: StaticString { "Web_view_controller" }
        var mainURL: Link { "/x/" }
        func encode(into writer: inout JSONWriter, _ texts: TextLookup) { count.add(1, ordering: .relaxed) }
    }

    @Test func `The app data is encoded once`() async throws {
        let counted = Counted()
        _ = try await documents(requests: 50) { app in
            app.language("en", ["a": "A"])
            app.tab(1, "a", counted)
        }
        #expect(counted.count.load(ordering: .relaxed) == 1)
    }

    @Test func `An entry is encoded once`() async throws {
        let counted = Counted()
        try await news.save([item(1, "a").opens(counted)], language: "en")
        #expect(counted.count.load(ordering: .relaxed) == 1)
    }

    @Test func `A mistake is listed once for all devices`() async throws {
        let image = Link.byDevice(iPad: "a.png", iPhone4: "b.png", other: "c.png")
        let broken = item(1, "a").image(image).shareURL("c")
        let error = await #expect(throws: FeedError.self) { try await news.save([broken], language: "en") }
        #expect(error?.description.ranges(of: "[relative-share-url]").count == 1)
    }

    @Test func `An app needs a tab`() {
        #expect(problems { $0.language("en", ["a": "A"]) }.contains("[wrong-count]"))
    }

    @Test(arguments: [0, -1, 2_147_483_649])
    func `A ttl that clients can't keep`(ttl: Int) {
        var configuration = FlokiConfiguration()
        configuration.ttl = .seconds(ttl)
        #expect(problems(configuration) { $0.language("en", [:]) }.contains("the ttl is \(ttl)"))
    }

    @Test func `The reference's longest ttl goes out as clients can keep it`() async throws {
        var configuration = FlokiConfiguration()
        configuration.ttl = .seconds(2_147_483_648)
        let site = try TestSite(configuration: configuration)
        #expect(try await site.json("/floki/v1-app")["ttl"] == 2_147_483_647)
    }

    @Test func `An app may have a language of three letters, a page and sections`() async throws {
        let (town, sports) = (section(1, "town"), section(2, "sports"))
        let news = NewsFeed("n", in: MemoryFeedStore()).sections(town, sports)
        let router = Router()
        router.floki("/floki") { app in
            app.language("eus", [.cancel: "Utzi", "a": "A", "town": "T", "sports": "S"])
            app.feed(news)
            app.tab(1, "a", newsViewController(news))
            let about = app.page("about") { "<p>\($0.language)</p>" }
            app.tab(2, "a", webViewController(about))
        }
        try await news.save([item(1, "One").sections(town), item(2, "Two").sections(town, sports)], language: "eus")
        let transport = try InProcessTransport(router.handler())
        func get(_ path: String) async throws -> ClientResponse {
            let request = ClientRequest(.get, try HTTPURL("http://localhost\(path)"))
            return try await transport.response(to: request, limits: ClientLimits())
        }
        let items = try JSONValue(parsing: try await get("/floki/n/eus").body)["items"]
        #expect(items?[0]?["section_ids"] == [1, 2])
        #expect(items?[1]?["section_ids"] == [1])
        let data = try JSONValue(parsing: try await get("/floki/v1-appdata").body)
        #expect(data["tabs"]?[1]?["data"]?["main_url"] == "http://localhost/floki/about/")
        #expect(try await get("/floki/about/eus").text == "<p>eus</p>")
    }

    @Test(arguments: ["example.com", "http://a.b/", "ftp://a.b", "http://a b", "http://a.b?x", ""])
    func `A bad address is explained`(url: String) {
        var configuration = FlokiConfiguration()
        configuration.address = .fixed(url)
        #expect(problems(configuration) { $0.language("en", [:]) }.contains("the address '\(url)'"))
    }

    @Test func `Mistakes are listed all at once`() {
        let movie = movieViewController("http://a.b/c").titleID("nobody's")
        let text = problems { app in
            app.language("en", ["a": "A", "a": "B"])
            app.language("engl", [:])
            app.language("en", [:])
            app.feed(NewsFeed("a b", in: MemoryFeedStore()))
            app.feed(news)
            app.feed(news)
            app.feed(NewsFeed("n", in: MemoryFeedStore()).cacheSize(0))
            app.feed(NewsFeed("s", in: MemoryFeedStore()).sections(section(1, "unnamed")))
            app.tab(1, "unknown", newsViewController(news))
            app.tab(1, "a", galleryViewController(GalleryFeed("g", in: MemoryFeedStore())).padding(40))
            app.tab(0, "a", movie)
        }
        for part in [
            "language 'en' declares the text 'a' twice", "the code 'engl' of a language must be two small letters",
            "language 'en' is declared twice", "the feed's name 'a b' must consist of letters",
            "feed 'news' is declared twice", "feed 'n' has a cacheSize of 0", "tab 1 shows the text 'unknown'",
            "a section of feed 's' shows the text 'unnamed'", "[duplicate-unique-id]", "[gallery-padding]",
            "[malformed-unique-id]", "tab 0 shows the text 'nobody's', which no language has",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let sections = problems { app in
            app.language("en", ["a": "A"])
            app.feed(NewsFeed("s", in: MemoryFeedStore()).sections(section(1, "a"), section(0, "a"), section(1, "a")))
            app.feed(news)
            app.tab(1, "a", newsViewController(news))
        }
        #expect(sections.contains("clients would not accept the feed 's'"))
        #expect(sections.contains("[malformed-id]"))
        #expect(sections.contains("[duplicate-section]"))
        #expect(problems { _ in }.contains("the app has no language"))
        let strange = problems { app in
            app.language("en", [:])
            app.language("es", ["b": "B"])
        }
        #expect(strange.contains("the language 'es' has the text 'b', but the first language, 'en', lacks it"))
    }

    @Test func `A tab whose feed the app lacks is explained`() {
        let text = problems { app in
            app.language("en", ["a": "A"])
            app.tab(1, "a", newsViewController(news))
            app.tab(2, "a", galleryViewController(GalleryFeed("g", in: MemoryFeedStore())))
            app.tab(3, "a", webViewController("/about/"))
        }
        #expect(text.contains("tab 1 shows the feed 'news', which the app lacks: add it with app.feed(…)"))
        #expect(text.contains("tab 2 shows the feed 'g', which the app lacks"))
        #expect(!text.contains("tab 3"))
    }

    @Test(arguments: [(79, 2, 60), (79, 2, 400), (90, 40, 4), (80, 40, 4), (4, 2, 1)])
    func `A gallery without room for pictures is explained`(height: Int, padding: Int, count: Int) {
        let photos = GalleryFeed("g", in: MemoryFeedStore())
        let text = problems { app in
            app.language("en", ["a": "A"])
            app.feed(photos)
            app.tab(1, "a", galleryViewController(photos).rowHeight(height).padding(padding).cellsPerRow(count))
        }
        #expect(text.contains("so clients drop the gallery"), "\(text)")
    }

    @Test(arguments: ["xx", "zz", "aq"])
    func `A language that doesn't exist is explained`(code: String) {
        let text = problems { app in
            app.language(code, ["a": "A"])
            app.tab(1, "a", webViewController("/about/"))
        }
        #expect(text.contains("'\(code)' is not the code of a language in ISO 639-1"))
    }

    @Test func `Entries in a language that no app has are refused`() async throws {
        let feed = NewsFeed("n", in: MemoryFeedStore())
        try await feed.save([item(1, "Before an app is mounted")], language: "fr")
        let router = Router()
        for (path, code) in [("/a", "es"), ("/b", "en")] {
            router.floki(path) { app in
                app.language(code, ["n": "N"])
                app.feed(feed)
                app.tab(1, "n", newsViewController(feed))
            }
        }
        for code in ["en", "es"] { try await feed.save([item(1, "a")], language: code) }
        let error = await #expect(throws: FeedError.self) { try await feed.save([item(1, "a")], language: "fr") }
        #expect(error?.description == "no app that shows the feed 'n' has the language 'fr', only en, es")
    }

    @Test(arguments: ["/bilder/grün.png", "http://a.b/日", "é.png"])
    func `Raw characters in links are refused`(url: String) async throws {
        for broken in [item(1, "a").image(Link(url)), item(1, "a").url(Link(url))] {
            let error = await #expect(throws: FeedError.self) { try await news.save([broken], language: "en") }
            #expect(error?.description.contains("[raw-character-in-url]") == true)
        }
        let text = problems { app in
            app.language("en", ["a": "A"])
            app.tab(1, "a", webViewController(Link(url)))
        }
        #expect(text.contains("[raw-character-in-url]"))
    }

    @Test func `Large pictures are warned of, and kept`() async throws {
        let photos = GalleryFeed("g", in: MemoryFeedStore())
        try await photos.save([thumb(1, url: "a", image: "b", width: 1_025, height: 1)], language: "en")
        let stream = FeedStream(feed: "g", language: "en")
        #expect(try await photos.store.window(FeedQuery(stream: stream, limit: 9, now: 0)).entries.count == 1)
    }
}
