import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import DynamicViews
import Floki
import Testing

@testable import BacklotClients

/// Crawls of Floki apps and of Dynamic Views.
@Suite(.timeLimit(.minutes(5))) struct FlokiAndViewsCrawlTests {
    /// Crawls a backend that responds to some paths with texts, and to others with 404.
    private func crawl(_ path: String, as wire: AppProtocol, _ responses: [String: String]) async throws -> CrawlReport
    {
        let router = Router()
        for (path, response) in responses {
            router.get(path) { _ in
                let type = path.hasSuffix(".png") ? "image/png" : "application/json"
                return Response(headers: [.contentType: type], body: .bytes(Array(response.utf8)))
            }
        }
        var options = CrawlOptions()
        options.slow = .seconds(60)
        return try await Crawl(router, at: path, as: wire, options: options).report()
    }

    private func rules(_ report: CrawlReport) -> [String] {
        report.findings.map { "\($0.path.page) \($0.path.pointer) \($0.rule)" }
    }

    // MARK: Floki

    private static let indicator = #"{"v":1,"url":"http://localhost/f/data","ttl":60}"#

    /// App data with one tab.
    private static func appData(_ url: String, _ className: String = "News_view_controller") -> String {
        #"""
        {"langs":[{"en":{"1":"News"}},{"es":{"1":"Noticias"}}],"tabs":[{"unique_id":1,"long_title":1,"image":"http://localhost/t.png",
        "class_type":"\#(className)","data":{"main_url":"http://localhost/f/\#(url)/","ttl":60}}]}
        """#
    }

    private func crawlFloki(_ responses: [String: String]) async throws -> CrawlReport {
        try await crawl("/f/v1", as: .floki, responses)
    }

    @Test func `Feeds of all languages, nested feeds, pages and pictures are asked for once each`() async throws {
        let feed = #"{"items":[{"id":1,"title":"A","url":"../page","image":"../a.png"}]}"#
        let nested = #"""
            {"items":[{"id":1,"title":"A","url":"../page","image":"../a.png"},
            {"id":2,"title":"B","url":"../inner/","class_type":"News_view_controller","data":{"main_url":"x"}}]}
            """#
        let report = try await crawlFloki([
            "/f/v1": Self.indicator, "/f/data": Self.appData("news"), "/f/news/en": nested, "/f/news/es": feed,
            "/f/page": "text", "/f/a.png": "x", "/f/inner/en": feed,
        ])
        #expect(!report.findings.contains { $0.rule.hasPrefix("dead") }, "\(report)")
        #expect(report.visited == 7)
        #expect(report.json["protocol"] == "floki")
    }

    @Test func `Dead links of the indicator, of tabs and of entries`() async throws {
        let feed =
            #"{"items":[{"id":1,"title":"A","url":"../page","image":"../a.png"},{"id":2,"title":"B","url":"http://other/x"}]}"#
        var report = try await crawlFloki(["/f/v1": Self.indicator])
        #expect(rules(report) == ["/f/v1 /url dead-link"])
        report = try await crawlFloki(["/f/v1": Self.indicator, "/f/data": Self.appData("news"), "/f/news/en": feed])
        let dead = rules(report).filter { $0.contains(" dead-") }
        #expect(
            dead == [
                "http://localhost/f/data /tabs/0/data/main_url dead-link",
                "http://localhost/f/news/en /items/0/url dead-link",
                "http://localhost/f/news/en /items/0/image dead-image",
            ]
        )
        report = try await crawlFloki(["/f/v1": "nonsense"])
        #expect(report.findings.map(\.rule) == ["not-json"])
        report = try await crawlFloki([:])
        #expect(report.findings.map(\.rule) == ["app-error"])
        #expect(report.findings.map(\.fix) == ["Correct the URL: nothing is there."])
    }

    @Test func `A crawl follows at most 100 tabs in 100 languages, and says so`() async throws {
        func list(_ element: String, _ count: Int) -> String {
            "[\(Array(repeating: element, count: count).joined(separator: ","))]"
        }
        let tab = #"{"class_type":"News_v","data":{"main_url":"http://localhost/f/x"}}"#
        for (count, expected) in [
            (100, []),
            (
                1000,
                [
                    "/langs The crawl follows only the first 100 of 1000 langs.",
                    "/tabs The crawl follows only the first 100 of 1000 tabs.",
                ]
            ),
        ] {
            let data = #"{"langs":\#(list(#"{"a":{}}"#, count)),"tabs":\#(list(tab, count))}"#
            let url = try HTTPURL("http://localhost/f/data")
            var guide = FlokiCrawlGuide(url)
            let response = ClientResponse(status: .ok, headers: [:], body: Array(data.utf8))
            let result = guide.take(response, of: CrawlStop("/f/data", url, "appData"))
            #expect(result.links.count == 10_000)
            let bounds = result.findings.filter { $0.rule == "crawl-bound" }
            #expect(bounds.map { "\($0.path.pointer) \($0.message)" }.sorted() == expected)
        }
    }

    @Test(arguments: [10_000, 10_001]) func `A crawl follows at most 10,000 entries, and says so`(count: Int) throws {
        let entry = #"{"url":"http://localhost/f/x"}"#
        let feed = #"{"items":[\#(Array(repeating: entry, count: count).joined(separator: ","))]}"#
        let url = try HTTPURL("http://localhost/f/news")
        var guide = FlokiCrawlGuide(url)
        let response = ClientResponse(status: .ok, headers: [:], body: Array(feed.utf8))
        let result = guide.take(response, of: CrawlStop("/f/news", url, "news"))
        #expect(result.links.count == 10_000)
        let bounds = result.findings.filter { $0.rule == "crawl-bound" }.map(\.message)
        #expect(bounds == (count > 10_000 ? ["The crawl follows only the first 10000 of 10001 items."] : []))
    }

    @Test(arguments: [(7900, "dead-link"), (8100, "bad-link")])
    func `A URL has at most 8000 bytes`(count: Int, rule: String) async throws {
        let data = Self.appData(String(repeating: "x", count: count))
        let report = try await crawlFloki(["/f/v1": Self.indicator, "/f/data": data])
        let found = rules(report).filter { $0.hasSuffix("-link") }
        #expect(Set(found) == ["http://localhost/f/data /tabs/0/data/main_url \(rule)"])
    }

    @Test func `A real app is clean`() async throws {
        let feed = NewsFeed("news", in: MemoryFeedStore())
        let router = Router()
        router.floki("/floki") { app in
            app.language("en", ["news": "News"])
            app.feed(feed)
            app.tab(1, "news", newsViewController(feed))
        }
        try await feed.save([item(7, "Ferry", "It is here").page("<p>x</p>")], language: "en")
        let report = try await Crawl(router, at: "/floki/v1-app", as: .floki).report()
        #expect(report.findings.filter { $0.severity == .error } == [], "\(report)")
        #expect(report.visited == 4)
    }

    // MARK: Dynamic Views

    private func crawlViews(_ responses: [String: String]) async throws -> CrawlReport {
        try await crawl("/views/", as: .dynamicViews, responses)
    }

    @Test func `A crawl loads each view and its navigation in both dialects`() async throws {
        let home =
            #"{"configuration":{},"widgets":[{"type":"navigation","id":"1","text":"a","resource":"inner.json"}]}"#
        let inner = #"{"configuration":{},"widgets":[{"type":"navigation","id":"1","text":"a","resource":"gone"}]}"#
        let report = try await crawlViews([
            "/views/": #"{"views":["home"]}"#, "/views/home.json": home, "/views/inner.json": inner,
        ])
        let dead = report.findings.filter { $0.rule == "dead-link" }
        #expect(dead.map(\.path.pointer) == ["/widgets/0", "/widgets/0"])
        #expect(dead.first?.path.page == "inner.json?dialect=ios")
        #expect(report.json["protocol"] == "dynamic-views")
    }

    @Test(
        arguments: [
            (["/views/": "[]"], ["not-an-index"]), (["/views/": #"{"views":{}}"#], ["not-an-index"]),
            ([:], ["app-error"]),
            (["/views/": #"{"views":["a",7,""]}"#], ["dead-link", "dead-link"]),
            (["/views/": #"{"views":["//other"]}"#], ["bad-link", "bad-link"]),
            (["/views/": #"{"views":["a"]}"#, "/views/a.json": "{"], ["not-json", "not-json"]),
            (
                ["/views/": #"{"views":["a"]}"#, "/views/a.json": "[]"],
                ["not-an-object", "not-an-object"]
            ),
        ] as [([String: String], [String])]
    )
    func `What is wrong with views`(responses: [String: String], rules: [String]) async throws {
        let found = try await crawlViews(responses).findings.map(\.rule)
        #expect(found == rules)
    }

    @Test(arguments: [[Dialect.ios], [.android], [.ios, .android], [.android, .ios]])
    func `A server's views are judged in its dialects`(dialects: [Dialect]) async throws {
        let router = Router()
        var configuration = DynamicViewsConfiguration()
        configuration.dialects = dialects
        router.dynamicViews("/views/", configuration: configuration) { views in
            views.view("home") { _ in document { DynamicViews.text("hello", id: "1") } }
        }
        let report = try await Crawl(router, at: "/views/", as: .dynamicViews).report()
        #expect(report.findings.filter { $0.severity == .error } == [], "\(report)")
        let pages = dialects.map { "home.json?dialect=\($0.platform.rawValue)" }
        #expect(report.pages.map(\.path).filter { $0 != "/" }.sorted() == pages.sorted(), "\(report)")
    }
}
