import Backlot
import BacklotJSON
import BacklotTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import Floki

/// Items' pages and web pages, with and without the code of the language behind them.
struct PageTests {
    @Test func `The page of an item`() async throws {
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
    func `Web pages`(target: String, accepted: String, text: String) async throws {
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
