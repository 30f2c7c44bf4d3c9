import Backlot
import BacklotTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import Floki

/// Items' pages and web pages, with and without the code of the language behind them.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    @Test func `The page of an item is served in its language`() async throws {
        let site = try TestSite()
        try await site.save([7]) { $0.page("<p>Seven & more</p>") }
        try await site.news.save([item(7, "Sie<te>").page("<p>Siete</p>")], language: "es")
        let url = try #require(try await site.json("/floki/news/en")["items"]?[0]?["url"]?.string)
        #expect(url.hasPrefix("http://localhost/floki/news/items/en/7/?r="))
        for suffix in ["", "&d=2", "?d=2"] {
            let page = try await site.response(url + suffix)
            #expect(page.mediaType == "text/html")
            #expect(page.text.contains("<h1>Item 7</h1>\n<p>Seven & more</p>"))
        }
        for (path, text) in [
            ("en/7/", "Seven"), ("en/7", "Seven"), ("en/7/en", "Seven"), ("en/7/es", "Siete"), ("es/7/", "Siete"),
            ("es/7/es&d=1", "Siete"), ("%65n/7", "Seven"), ("en/7&d=1", "Seven"),
        ] {
            #expect(try await site.response("/floki/news/items/\(path)").text.contains(text), "\(path)")
        }
        #expect(try await site.response("/floki/news/items/es/7").text.contains("<h1>Sie&lt;te&gt;</h1>"))
        for path in ["en/8/", "en/x/", "fr/7/", "en/7/fr", "en/-7/", "en/99999999999999999999/"] {
            #expect(try await site.status("/floki/news/items/\(path)") == 404, "\(path)")
        }
    }

    @Test func `Another content has another URL`() async throws {
        let site = try TestSite()
        var urls: Set<String> = []
        for content in ["a", "b"] {
            try await site.save([1]) { $0.page(content) }
            urls.insert(try #require(try await site.json("/floki/news/en")["items"]?[0]?["url"]?.string))
        }
        #expect(urls.count == 2)
    }

    /// A template with a foot.
    private struct Footed: ItemTemplate {
        let foot: String
        func html(_ page: ItemPage) -> String { "\(page.title) \(page.content) \(foot)" }
    }

    /// A template that names the device.
    private struct ForDevice: ItemTemplate {
        func html(_ page: ItemPage) -> String { "\(page.device)" }
    }

    @Test func `The parameters of a page may stand anywhere`() async throws {
        var configuration = FlokiConfiguration()
        configuration.template = ForDevice()
        let site = try TestSite(configuration: configuration)
        try await site.save([7]) { $0.page("content") }
        let plain = try await site.response("/floki/news/items/en/7").text
        let expected = try await site.response("/floki/news/items/en/7?d=1").text
        #expect(plain != expected)
        for path in ["7&d=1", "7/?d=1", "7/&d=1", "7/en?d=1", "7/en&d=1"] {
            #expect(try await site.response("/floki/news/items/en/\(path)").text == expected, "\(path)")
        }
    }

    /// A template that can't make the sample.
    private struct Choosy: ItemTemplate {
        struct Refusal: Error {}
        func html(_ page: ItemPage) throws -> String {
            guard page.feed == "news" else { throw Refusal() }
            return "fine"
        }
    }

    @Test func `Whatever changes in a page, its URL changes`() async throws {
        func url(
            _ template: any ItemTemplate = PlainItemTemplate(),
            _ change: (Item) -> Item = { $0 }
        ) async throws -> String {
            var configuration = FlokiConfiguration()
            configuration.template = template
            let site = try TestSite(configuration: configuration)
            try await site.news.save([change(item(1, "Title").page("content"))], language: "en")
            let url = try #require(try await site.json("/floki/news/en")["items"]?[0]?["url"]?.string)
            #expect(try await site.status(url) == 200)
            return url
        }
        let all = [
            try await url(), try await url { $0.page("other") }, try await url { $0.image("a.png") },
            try await url { $0.footer("a") }, try await url { $0.shareURL("http://a.b") },
            try await url { _ in item(1, "Other").page("content") },
            try await url { _ in item(1, "Title", "b").page("content") },
            try await url(Footed(foot: "1")), try await url(Footed(foot: "2")), try await url(Choosy()),
        ]
        #expect(Set(all).count == all.count)
        #expect(try await url() == all[0])
        #expect(try await url(Footed(foot: "2")) == all[8])
    }

    @Test(arguments: [
        "/floki/v1-app", "/floki/v1-appdata", "/floki/news/en", "/floki/news/older/en?l=9",
        "/floki/news/search/en?q=item",
        "/floki/news/tagged/en?tag=t", "/floki/news/video/en?video=v", "/floki/my-photos~/gallery/en?tag=t",
        "/floki/news/items/en/1/", "/floki/about/", "/floki/v1-app&d=1",
    ])
    func `Responses are revalidated by their tags`(target: String) async throws {
        let site = try TestSite()
        try await site.save([1]) { $0.page("x").tags("t") }
        let first = try await site.response(target)
        #expect(first.status == .ok)
        #expect(first.headers[.vary] == "Accept-Language")
        // The response has the address in Host, but caches don't distinguish requests by Host.
        #expect(first.headers[.cacheControl] == "private")
        let tag = try #require(first.headers[.eTag])
        #expect(try await site.response(target).headers[.eTag] == tag)
        for field in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let again = try await site.response(target, headers: [.ifNoneMatch: field])
            #expect(again.status == .notModified)
            #expect(again.body.isEmpty)
            #expect(again.headers[.eTag] == tag)
            #expect(again.headers[.vary] == "Accept-Language")
        }
        for field in ["\"x\"", tag.uppercased() + "x", "x"] {
            #expect(try await site.response(target, headers: [.ifNoneMatch: field]).status == .ok)
        }
    }

    @Test func `Shared caches may keep responses of an app with a fixed address`() async throws {
        var configuration = FlokiConfiguration()
        configuration.address = .fixed("https://example.com")
        let site = try TestSite(configuration: configuration)
        try await site.save([1])
        for target in ["/floki/v1-app", "/floki/v1-appdata", "/floki/news/en"] {
            #expect(try await site.response(target).headers[.cacheControl] == nil)
        }
    }

    @Test func `Another response has another tag`() async throws {
        let site = try TestSite()
        try await site.save([1])
        let tag = try #require(try await site.response("/floki/news/en").headers[.eTag])
        try await site.save([2])
        let after = try await site.response("/floki/news/en", headers: [.ifNoneMatch: tag])
        #expect(after.status == .ok)
        #expect(after.headers[.eTag] != tag)
    }

    @Test(arguments: ["v1-app", "v1-appdata"])
    func `The first documents ignore parameters behind their paths`(name: String) async throws {
        let site = try TestSite()
        let plain = try await site.response("/floki/\(name)").text
        for tail in ["&d=1", "&", "&d=1&l=2?x=1", "&%25FF", "&=", "&&"] {
            #expect(try await site.response("/floki/\(name)\(tail)").text == plain, "\(tail)")
        }
        for path in ["\(name)x&d=1", "&d=1", "nothing", "nothing&d=1", "\(name);d=1", "\(name)/&d=1"] {
            #expect(try await site.status("/floki/\(path)") == 404, "\(path)")
        }
    }

    @Test func `What has ended or was removed has no page`() async throws {
        let site = try TestSite()
        try await site.save([1, 2]) { $0.page("x").expires(at: Date(timeIntervalSince1970: 1_000)) }
        #expect(try await site.status("/floki/news/items/en/1/") == 200)
        site.clock.now.store(1_001, ordering: .relaxed)
        #expect(try await site.status("/floki/news/items/en/1/") == 404)
        site.clock.now.store(1_000, ordering: .relaxed)
        try await site.news.remove([2])
        #expect(try await site.status("/floki/news/items/en/2/") == 404)
    }

    @Test(arguments: [
        ("/floki/about/es", "", "es other"), ("/floki/about/", "", "en other"), ("/floki/about", "", "en other"),
        ("/floki/about/", "es-MX, en;q=0.5", "es other"), ("/floki/about/", "fr, es;q=0.1", "es other"),
        ("/floki/about/", "es;q=0", "en other"), ("/floki/about/", "en;q=0.5, es;q=0.6", "es other"),
        ("/floki/about/en?d=1", "es", "en iPad"), ("/floki/about/en&d=2", "", "en iPhone4"),
        ("/floki/%61bout/en", "", "en other"),
    ])
    func `A web page is in the language of its path, or of the browser`(
        target: String,
        accepted: String,
        text: String
    ) async throws {
        let site = try TestSite()
        let headers: HTTPFields = accepted.isEmpty ? [:] : [.acceptLanguage: accepted]
        let response = try await site.response(target, headers: headers)
        #expect(response.text == "<p>\(text)</p>")
        #expect(response.mediaType == "text/html")
    }

    @Test func `An unknown language is 404`() async throws {
        #expect(try await TestSite().status("/floki/about/fr") == 404)
    }
}
