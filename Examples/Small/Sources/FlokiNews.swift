// Floki: an app of two tabs, a feed with a story, and a page of HTML.
// Run it with `swift run --package-path Examples/Small floki-news`. Clients start at http://127.0.0.1:8080/floki/v1-app.
import Backlot
import Floki

extension TextName {  // a misspelt text doesn't compile
    static let news: TextName = "news", about: TextName = "about", town: TextName = "town"
}

func makeRouter() async throws -> Router {
    let town = section(1, .town)
    let news = NewsFeed("news", in: MemoryFeedStore()).sections(town)
    let router = Router()
    router.floki("/floki") { app in
        app.language("en", [.news: "News", .about: "About", .town: "Town"])
        app.language("es", [.news: "Noticias", .about: "Acerca de", .town: "Ciudad"])
        app.feed(news)
        app.tab(1, .news, newsViewController(news).searchBar().allowManualReload())
        let about = app.page("about") { page in "<h1>\(page.language == "es" ? "Un periódico" : "A newspaper")</h1>" }
        app.tab(2, .about, webViewController(about))
    }
    let ferry = item(1, "Ferry", "It is here.").sections(town).page("<p>The ferry came at noon.</p>")
    try await news.save([ferry], language: "en")
    try await news.save([item(2, "El barco", "Ya está aquí.").sections(town)], language: "es")
    return router
}

await Server(try await makeRouter(), port: 8080).runOrExit()
