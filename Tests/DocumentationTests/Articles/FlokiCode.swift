import Backlot
import BacklotPostgreSQL
import BacklotService
import BacklotTesting
import Floki
import FlokiPostgreSQL
import FlokiSQLite
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TextName {  // a misspelt text doesn't compile
    static let news: TextName = "news", about: TextName = "about", town: TextName = "town", sports: TextName = "sports"
}

/// Code of the article "Floki".
enum FlokiCode {
    static func mount(on router: Router) async throws {
        let store = try SQLiteFeedStore("feeds.sqlite")  // or MemoryFeedStore()
        let (town, sports) = (section(1, .town), section(2, .sports))
        let news = NewsFeed("news", in: store).cacheSize(30).sections(town, sports)

        var configuration = FlokiConfiguration()
        configuration.address = .fixed("https://news.example.com")  // by default the request's Host
        configuration.record = RecordFile("floki.json")

        router.floki("/floki", configuration: configuration) { app in
            app.language("en", [.news: "News", .about: "About", .town: "Town", .sports: "Sports", .cancel: "No"])
            app.language("es", [.news: "Noticias", .about: "Acerca de", .town: "Ciudad", .sports: "Deportes"])
            app.feed(news)
            let list = newsViewController(news).rowHeight(60).searchBar().tags()
            app.tab(1, .news, image: try? Picture(file: "news.png"), list)
            let about = app.page("about") { page in "<h1>\(page.language)</h1>" }
            app.tab(2, .about, webViewController(about))
        }

        let ferry = item(7, "Ferry", "It is here").sections(town).tags("harbour").page("<p>Here.</p>")
        try await news.save([ferry], language: "en")
        try await news.remove([3])  // clients remove it too
    }

    static func update(_ live: LiveFlokiApp, _ news: NewsFeed) async throws {
        let findings = try await live.update { app in
            app.language("en", ["news": "News", "town": "Town"])
            app.feed(news.sections(section(1, "town")))
            app.tab(1, "news", newsViewController(news))
        }
        for finding in findings { print(finding) }
    }

    static func edit(_ news: NewsFeed, tomorrow: Date) async throws {
        let id = try await news.allocateID()
        let texts = ["en": ItemText("Ferry", "It is late"), "es": ItemText("Barco", "Llega tarde")]
        try await news.save(item(id, "").sections(1).expires(at: tomorrow), texts: texts)  // in all languages or none
        for try await item in news.entries(language: "en", section: 1, words: "ferry") { print(item.title) }
        try await news.update(id, language: "en") { $0.footer = "Updated" }  // again, if somebody else was faster
        try await news.save([item(8, "Regatta").sections(1).publish(at: tomorrow)], language: "en")
        try await news.publish([8])  // now
        for await change in news.changes() { print(change.kind, change.id) }  // by any server
    }

    /// Sends messages to phones.
    protocol PushService: Sendable {
        func send(title: String, body: String, link: String?) async throws
    }

    static func tell(_ service: AppContext, _ news: NewsFeed, _ push: any PushService, _ id: Int) async throws {
        service.whileServing {
            await news.onBreaking { breaking in
                guard let item = breaking.entries["en"] else { return }
                try await push.send(title: item.title, body: item.body, link: item.shareURL)
            }
        }
        try await news.save([item(id, "Ferry sinks", "All are safe.").tags("breaking")], language: "en")
    }

    /// The code of the article "FlokiPostgreSQL".
    static func newsInPostgreSQL() throws -> NewsFeed {
        let database = PostgreSQLDatabase(try PostgreSQLAddress("postgres://app:secret@10.0.0.5/app"))
        let store = PostgreSQLFeedStore(database, configurations: ["en": "english", "es": "spanish"])
        let news = NewsFeed("news", in: store)
        return news
    }

    static func test(_ router: Router) async throws {
        let app = try FlokiClient(router)
        try await app.launch()
        try await app.show("News")
        try await app.loadOlder()
        try await app.open(7)
        #expect(app.page?.contains("It is here") == true)
    }
}
