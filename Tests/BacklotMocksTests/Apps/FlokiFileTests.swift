import Backlot
import BacklotChecks
import BacklotClients
import Floki
import TestSupport
import Testing

@testable import BacklotMocks

/// Floki apps as files: texts, tabs, and feeds whose windows are computed.
@Suite(.timeLimit(.minutes(5))) struct FlokiFileTests {
    private static func file(_ items: String, more: String = "") -> String {
        """
        languages: {en: {news: News, photos: Photos, old: Old}, es: {news: Noticias}}
        tabs:
          - {unique_id: 1, long_title: news, class_type: News_view_controller, feed: news, search: true,
             data: {row_height: 60}}
          - {unique_id: 2, long_title: photos, class_type: Gallery_view_controller, feed: photos}
        feeds:
          photos:
            thumbs: [{id: 1, url: /a.png, image: /b.png, width: 10, height: 10}]
          news:
            cache_size: 2
            items:
        \(items)
        \(more)
        """
    }

    private static let items = """
              en: [{id: 1, title: One}, {id: 2, title: Two, page: "<p>2</p>"}, {id: 3, title: Three}]
              es: [{id: 1, title: Uno}]
        """

    private func withApp<Result>(
        _ text: String = file(items),
        _ body: (Mocks) async throws -> Result
    ) async throws -> Result {
        try await withMocks(["app/a.floki.yaml": text], configure: { $0.formats = [.floki()] }, body)
    }

    private func json(_ mocks: Mocks, _ path: String) async throws -> JSONValue {
        try JSONValue(parsing: try await mocks.ask(.get, path).text)
    }

    private func ids(_ response: JSONValue) -> [Int64?] {
        response["items"]?.array?.map { $0["id"]?.number?.int64 } ?? []
    }

    @Test func `Files become the indicator, the app data and a feed's windows`() async throws {
        try await withApp { mocks in
            let indicator = try await json(mocks, "/app/v1-app")
            #expect(indicator["url"] == "http://localhost/app/v1-appdata")
            #expect(indicator["ttl"] == 60)
            let data = try await json(mocks, "/app/v1-appdata")
            #expect(data["tabs"]?[0]?["data"]?["row_height"] == 60)
            #expect(data["tabs"]?[0]?["data"]?["main_url"] == "http://localhost/app/news/")
            #expect(data["tabs"]?[0]?["data"]?["cache_size"] == 2)
            // Without a text of its own, Spanish has that of English.
            let spanish = "\(data["langs"]?[1] ?? .null)"
            #expect(spanish.contains("Photos"))

            let newest = try await json(mocks, "/app/news/en")
            #expect(ids(newest) == [3, 2])
            #expect(newest["has_older"] == true)
            #expect(ids(try await json(mocks, "/app/news/en?o=2")) == [1])
            #expect(ids(try await json(mocks, "/app/news/es")) == [1])
            #expect(ids(try await json(mocks, "/app/news/search/en?q=two&page=1")) == [2])
            let photos = try await json(mocks, "/app/photos/es")
            #expect(photos["thumbs"]?[0]?["url"] == "http://localhost/app/a.png")
        }
    }

    @Test func `A change raises the version, and clients drop what is gone`() async throws {
        try await withApp { mocks in
            let before = try #require(try await json(mocks, "/app/v1-app")["v"]?.number?.int64)
            let items = Self.items.replacing(", {id: 3, title: Three}", with: "")
            try mocks.folder.write(Self.file(items), to: "app/a.floki.yaml")
            #expect(mocks.files.scan().changed == ["app/a.floki.yaml"])
            let after = try #require(try await json(mocks, "/app/v1-app")["v"]?.number?.int64)
            #expect(after > before)
            let news = try await json(mocks, "/app/news/en")
            #expect(ids(news) == [2, 1])
            #expect(news["to_delete"] == [3])
        }
    }

    @Test func `A crawl goes through the app`() async throws {
        try await withApp { mocks in
            let router = Router()
            router.mocks(mocks.backend)
            let report = try await Crawl(router, at: "/app/v1-app", as: .floki).report()
            #expect(report.findings.filter { $0.severity == .error } == [], "\(report)")
            #expect(report.visited > 5)
        }
    }

    @Test func `Entries expire by the mocks' clock, in the app and in a client that takes its time from it`()
        async throws
    {
        // 2026-12-24T18:00:00Z.
        let items = Self.items.replacing("title: Two,", with: "title: Two, expiration_date: 1798135200,")
        try await withApp(Self.file(items)) { mocks in
            mocks.backend.clocks.set(MockClock("2026-12-24T17:59:00Z", speed: 0))
            let router = Router()
            router.mocks(mocks.backend)
            let client = try FlokiClient(router, at: "/app/v1-app", now: mocks.backend.clocks.secondsSince1970())
            try await client.launch()
            try await client.show("News")
            #expect(client.titles == ["Three", "Two"])
            client.wait(.seconds(61))
            #expect(client.titles == ["Three"])
            mocks.backend.clocks.set(MockClock("2026-12-24T18:00:01Z", speed: 0))
            let later = try FlokiClient(router, at: "/app/v1-app", now: mocks.backend.clocks.secondsSince1970())
            try await later.launch()
            try await later.show("News")
            #expect(later.titles == ["Three", "One"])
        }
    }

    @Test(arguments: [
        (
            items.replacing("title: Two", with: "titel: Two"),
            [
                #"app/a.floki.yaml:12:33: feed #2 › item 2: An item needs "title"; without it, clients can't use it. Add "title" with a string. [missing-key]"#,
                #"app/a.floki.yaml:12:41: feed #2 › item 2: An item has no key "titel", so clients ignore it. Write "title", if that is what you mean, or remove it. [unknown-key]"#,
            ]
        ),
        (
            items.replacing("id: 2,", with: "id: 1,"),
            ["app/a.floki.yaml:12:1: the id 1 occurs twice in this feed; give one entry another id"]
        ),
        (
            items.replacing("es:", with: "fr:"),
            ["app/a.floki.yaml:13:1: the app has no language 'fr'; declare it"]
        ),
    ])
    func `Mistakes in entries are named at their lines`(items: String, expected: [String]) async throws {
        let found = try await found(Self.file(items))
        #expect(found == expected)
    }

    @Test(
        arguments: triples(
            """
            feed: news, → feed: newz, → app/a.floki.yaml:3:1: there is no feed 'newz'; did you mean 'news'?; declare it
            class_type: News_view_controller → class_type: Gallery_view_controller → \
            app/a.floki.yaml:3:1: the feed 'news' is shown by a News_view_controller: write that as "class_type"
            long_title: photos → long_title: fotos → app/a.floki.yaml:5:1: tab 2 shows the text 'fotos', which no language has
            row_height: 60 → row_height: high → \
            app/a.floki.yaml:4:25: tab 1 › view controller: "row_height" is the string "high", but must be a whole number from 1 to 2147483647: clients can't use it. Make "row_height" a whole number from 1 to 2147483647. [wrong-type]
            """
        )
    )
    func `Mistakes in tabs are named at their lines`(text: String, other: String, expected: String) async throws {
        let found = try await found(Self.file(Self.items).replacing(text, with: other))
        #expect(found.contains(expected), "\(found)")
    }

    @Test func `An entry with a class and a URL keeps its class and data`() async throws {
        let items = """
                  en:
                    - {id: 1, title: Film, class_type: Movie_view_controller, url: "http://a.b/ts/x.m3u8",
                       data: {preview_url: p.png, autoload: false}}
                    - {id: 2, title: Web, class_type: Web_view_controller, url: /about/, data: {}}
            """
        try await withApp(Self.file(items)) { mocks in
            let news = try await json(mocks, "/app/news/en")["items"]
            #expect(news?[0]?["class_type"] == "Web_view_controller")
            #expect(news?[0]?["url"] == "http://localhost/app/about/")
            #expect(news?[1]?["class_type"] == "Movie_view_controller")
            #expect(news?[1]?["data"]?["preview_url"] == "p.png")
            #expect(news?[1]?["data"]?["autoload"] == false)
            let found = try await json(mocks, "/app/news/search/en?q=film&page=1")["items"]
            #expect(found?[0]?["data"]?["preview_url"] == "p.png")
        }
    }

    @Test(arguments: [
        ("class_type: Movie_view_controller, data: {}", "a Movie_view_controller needs an address: write \"url\""),
        ("parent_id: 1", "Remove it: no client implements it. [unknown-key]"),
        ("follow_content: true", "An item has no key \"follow_content\""),
    ])
    func `What would be lost in silence is refused by name`(members: String, problem: String) async throws {
        let found = try await found(Self.file("          en: [{id: 1, title: A, \(members)}]"))
        #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    }

    @Test func `A tab of preferences is refused by name`() async throws {
        let tab = "{unique_id: 2, long_title: photos, class_type: Preferences_view_controller, data: {}}"
        let usual = "{unique_id: 2, long_title: photos, class_type: Gallery_view_controller, feed: photos}"
        let found = try await found(Self.file(Self.items).replacing(usual, with: tab))
        let problem = "no client implements Preferences_view_controller: remove the tab"
        #expect(found.contains { $0.hasSuffix(problem) }, "\(found)")
    }

    @Test func `A folder holds one app`() async throws {
        try await withApp { mocks in
            try mocks.folder.write(Self.file(Self.items), to: "app/b.floki.yaml")
            let expected =
                "app/b.floki.yaml:1:1: the folder has an app already, in app/a.floki.yaml: a folder holds one, so put this into another"
            #expect(mocks.files.scan().problems.map(\.description) == [expected])
            #expect(try await mocks.ask(.get, "/app/v1-app").status == .ok)
        }
    }

    private func found(_ text: String) async throws -> [String] {
        try await problems("app/a.floki.yaml", text, formats: [.floki()])
    }
}
