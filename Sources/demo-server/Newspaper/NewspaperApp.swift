import Backlot
import Floki

/// A Floki app as a whole: a small newspaper in English and Spanish, with sections and search, pictures, a movie and a web page.
struct NewspaperApp: Sendable {
    /// The app's base path.
    static let path = "/floki"
    /// The path that the app's clients request first.
    static let indicatorPath = "\(path)/v1-app"
    static let newsName = "news"
    static let photosName = "photos"
    /// The codes of the app's languages, the master language first.
    static let languages = ["en", "es"]
    static let cultureSection = 1
    static let sportsSection = 2
    static let townSection = 3
    /// The sections, with their names for editors.
    static let sections: [(id: Int, name: String)] = [
        (townSection, "Town"), (sportsSection, "Sports"), (cultureSection, "Culture"),
    ]
    /// The tag of stories that are pushed to phones.
    static let breakingTag = "breaking"

    let news: NewsFeed
    let photos: GalleryFeed

    init(store: any FeedStore) {
        news = NewsFeed(Self.newsName, in: store).cacheSize(30).sections(
            section(Self.cultureSection, .culture).showCount(),
            section(Self.sportsSection, .sports).showCount(),
            section(Self.townSection, .town).startsCollapsed(false).showCount()
        )
        photos = GalleryFeed(Self.photosName, in: store, languages: .shared).cacheSize(12)
    }

    /// The name of a language for editors.
    static func name(ofLanguage code: String) -> String { code == "es" ? "Spanish" : "English" }

    /// Adds the app's routes.
    ///
    /// - Parameter record: the file that keeps the version; nil for the store of the feeds, which servers can share.
    func register(on router: Router, record: RecordFile?) {
        var configuration = FlokiConfiguration()
        configuration.record = record ?? news.store
        configuration.template = NewspaperTemplate()
        router.floki(Self.path, configuration: configuration) { app in
            app.language("en", NewspaperTexts.english)
            app.language("es", NewspaperTexts.spanish)
            app.feed(news)
            app.feed(photos)
            app.tab(1, .news, image: TabPictures.named("news"), newsView)
            app.tab(2, .photos, image: TabPictures.named("photos"), photosView)
            app.tab(3, .movie, short: .movieShort, image: TabPictures.named("movie"), NewspaperMovie.view)
            let about = app.page("about") { NewspaperPages.about($0.language) }
            app.tab(4, .about, image: TabPictures.named("about"), webViewController(about).scalesPageToFit())
        }
        // Links that no tab matches, as on Android, open in the system's browser.
        router.get("\(Self.path)/tags/{tag}") { request in
            let tag = request.parameters["tag"] ?? ""
            let language = NewspaperPages.language(of: request)
            let query = EntryQuery(
                stream: FeedStream(feed: Self.newsName, language: language),
                tags: ["tag:\(tag)"],
                now: SessionClock.system.secondsSince1970
            )
            let stories = try await news.store.entries(query).map { try Item(stored: $0, of: Self.newsName) }
            guard !stories.isEmpty else { throw StatusError(.notFound, "no story has the tag '\(tag.excerpt)'") }
            return NewspaperPages.tagged(tag, stories, language)
        }
        router.get("\(Self.path)/videos/harbour") { NewspaperPages.movie(NewspaperPages.language(of: $0)) }
    }

    private var newsView: NewsViewController {
        newsViewController(news).rowHeight(60).imageSize(54, 54).titleColor(Color(20, 40, 90)).ttl(.seconds(60))
            .allowManualReload().searchBar().moreItems().tags().videos()
    }

    private var photosView: GalleryViewController {
        galleryViewController(photos).allowManualReload().moreItems().galleries()
    }
}

/// The movie of the newspaper app.
enum NewspaperMovie {
    static let url: Link = "/ts/harbour.m3u8"

    /// The view that the movie's tab shows.
    static var view: MovieViewController {
        movieViewController(url).titleID(.movie).textID(.movieText).preview("/pictures/harbour-large.png")
            .previewSize(285, 160).autoload(false)
    }
}

/// The web pages of the newspaper: for stories, about the newspaper, and for links that the app doesn't match.
enum NewspaperPages {
    /// - Parameter head: HTML after the title.
    fileprivate static func html(_ language: String, _ title: String, head: String = "", _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(language)">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title>\(head)</head>
        <body><h1>\(title)</h1>
        \(content)
        </body>
        </html>

        """
    }

    static func about(_ language: String) -> String {
        let text =
            language == "es"
            ? "La Gaceta es un periódico de prueba, servido por Backlot."
            : "The Gazette is a sample newspaper, served by Backlot."
        let link = language == "es" ? "Vea el puerto" : "See the harbour"
        return html(
            language,
            language == "es" ? "Acerca de la Gaceta" : "About the Gazette",
            "<p>\(text)</p>\n<p><a href=\"\(NewspaperApp.path)/videos/harbour\">\(link)</a></p>"
        )
    }

    /// The code of the language that a browser prefers.
    static func language(of request: Request) -> String {
        request.headers[.acceptLanguage]?.lowercased().hasPrefix("es") == true ? "es" : "en"
    }

    /// The stories with a tag.
    static func tagged(_ tag: String, _ stories: [Item], _ language: String) -> Response {
        let items = "\(NewspaperApp.path)/\(NewspaperApp.newsName)/items/\(language)"
        let entries = stories.map { "<li><a href=\"\(items)/\($0.id)/\">\($0.title.htmlEscaped)</a></li>" }
        return response(html(language, tag.htmlEscaped, "<ul>\(entries.joined())</ul>"))
    }

    /// The movie, as a file that every browser plays.
    static func movie(_ language: String) -> Response {
        let title = language == "es" ? "El puerto, filmado" : "The harbour, filmed"
        let file = "\(NewspaperApp.path)/html5/harbour.m4v"
        let video = "<video controls width=\"284\" height=\"160\" src=\"\(file)\"></video>"
        return response(html(language, title, video))
    }

    private static func response(_ html: String) -> Response {
        let headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .vary: "Accept-Language"]
        return Response(headers: headers, body: .bytes(Array(html.utf8)))
    }
}

/// The pages of stories.
struct NewspaperTemplate: ItemTemplate {
    func html(_ page: ItemPage) throws -> String {
        let image = page.image.map { "<img src=\"\($0.htmlEscaped)\" alt=\"\" width=\"320\" height=\"320\">" } ?? ""
        let share = page.shareURL.map { "<p><a href=\"\($0.htmlEscaped)\">\($0.htmlEscaped)</a></p>" } ?? ""
        let style = "body { font-family: sans-serif; margin: 1em } img { max-width: 100% } .tags { color: gray }"
        return NewspaperPages.html(
            page.language.htmlEscaped,
            page.title.htmlEscaped,
            head: "\n<style>\(style)</style>",
            "\(image)\n\(page.content)\n\(share)"
        )
    }
}

extension TextName {
    fileprivate static let news: TextName = "news", photos: TextName = "photos", about: TextName = "about"
    fileprivate static let movie: TextName = "movie", movieShort: TextName = "movieShort"
    fileprivate static let movieText: TextName = "movieText", culture: TextName = "culture"
    fileprivate static let sports: TextName = "sports", town: TextName = "town"
}

/// The texts of the newspaper app.
enum NewspaperTexts {
    static let english: KeyValuePairs<TextName, String> = [
        .news: "News", .photos: "Photos", .movie: "Movie of the week", .movieShort: "Movie", .about: "About",
        .town: "Town", .sports: "Sports", .culture: "Culture", .movieText: "The harbour in the morning.",
        .shareNews: "Share this story", .twitter: "Post to Twitter", .facebook: "Post to Facebook", .sectionsButton: "",
    ]

    static let spanish: KeyValuePairs<TextName, String> = [
        .news: "Noticias", .photos: "Fotos", .movie: "Película de la semana", .movieShort: "Película",
        .about: "Acerca de", .town: "Ciudad", .sports: "Deportes", .culture: "Cultura",
        .movieText: "El puerto por la mañana.", .shareNews: "Compartir esta noticia", .copyAddress: "Copiar dirección",
        .sendEmail: "Enviar correo", .twitter: "Publicar en Twitter", .facebook: "Publicar en Facebook",
        .cancel: "Cancelar",
    ]
}

/// The pictures of the tabs, with 30 × 30 pixels. Only their opacity matters.
enum TabPictures {
    /// The picture of a tab, by its name.
    static func named(_ name: String) -> Picture? {
        DemoFiles.all["tabs/\(name).png"].flatMap { try? Picture(png: $0) }
    }
}
