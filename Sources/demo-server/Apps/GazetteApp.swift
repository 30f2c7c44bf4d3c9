import Backlot
import Floki
import Mustache

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A Floki app as a whole: a small newspaper in English and Spanish, with sections and search, pictures, a movie and a web page.
struct GazetteApp: Sendable {
    /// Where it is mounted.
    static let path = "/floki"
    /// Where its clients begin.
    static let indicatorPath = "\(path)/v1-app"

    let news: NewsFeed
    let photos: GalleryFeed

    init(store: any FeedStore) {
        news = NewsFeed("news", in: store).cacheSize(30).sections(
            section(1, "culture").showCount(),
            section(2, "sports").showCount(),
            section(3, "town").startsCollapsed(false).showCount()
        )
        photos = GalleryFeed("photos", in: store, languages: .shared).cacheSize(12)
    }

    /// Adds the app's routes.
    ///
    /// - Parameter record: where the version is kept; nil forgets it when the process ends.
    func register(on router: Router, record: RecordFile?) {
        var configuration = FlokiConfiguration()
        configuration.record = record
        configuration.template = GazetteTemplate()
        router.floki(Self.path, configuration: configuration) { app in
            app.language("en", GazetteTexts.english)
            app.language("es", GazetteTexts.spanish)
            app.feed(news)
            app.feed(photos)
            app.tab(1, "news", image: TabPictures.news, newsView)
            app.tab(2, "photos", image: TabPictures.photos, photosView)
            app.tab(3, "movie", short: "movieShort", image: TabPictures.movie, GazetteMovie.view)
            app.tab(4, "about", image: TabPictures.about, webViewController("/about/").scalesPageToFit())
            app.page("about") { AboutGazette(language: $0.language).html }
        }
    }

    private var newsView: NewsViewController {
        newsViewController(news).rowHeight(60).imageSize(54, 54).titleColor(Color(20, 40, 90)).ttl(.seconds(60))
            .allowManualReload().searchBar().moreItems().tags().videos()
    }

    private var photosView: GalleryViewController {
        galleryViewController(photos).allowManualReload().moreItems().galleries()
    }
}

/// The pages of stories, by a template of swift-mustache.
struct GazetteTemplate: ItemTemplate {
    private static let text = """
        <!DOCTYPE html>
        <html lang="{{language}}">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{title}}</title>
        <style>body { font-family: sans-serif; margin: 1em } img { max-width: 100% } .tags { color: gray }</style></head>
        <body><h1>{{title}}</h1>
        {{#image}}<img src="{{image}}" alt="" width="320" height="320">{{/image}}
        {{{content}}}
        {{#share}}<p><a href="{{share}}">{{share}}</a></p>{{/share}}
        </body>
        </html>

        """

    func html(_ page: ItemPage) throws -> String {
        let template = try Self.template.get()
        var values = ["language": page.language, "title": page.title, "content": page.content]
        values["image"] = page.image
        values["share"] = page.shareURL
        return template.render(values)
    }

    private static let template = Result { try MustacheTemplate(string: text) }
}

/// The movie of the newspaper app.
enum GazetteMovie {
    static let url: Link = "/ts/harbour.m3u8"

    /// The view that its tab shows.
    static var view: MovieViewController {
        movieViewController(url).titleID("movie").textID("movieText").preview("/pictures/harbour-large.png")
            .previewSize(285, 160).autoload(false)
    }
}

/// The web page about the newspaper.
struct AboutGazette {
    let language: String

    var html: String {
        let isSpanish = language == "es"
        let title = isSpanish ? "Acerca de la Gaceta" : "About the Gazette"
        let text =
            isSpanish
            ? "La Gaceta es un periódico de prueba, servido por Backlot."
            : "The Gazette is a sample newspaper, served by Backlot."
        let link = isSpanish ? "Vea el puerto" : "See the harbour"
        return """
            <!DOCTYPE html>
            <html lang="\(language)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title></head>
            <body><h1>\(title)</h1>
            <p>\(text)</p>
            <p><a href="\(GazetteApp.path)/videos/harbour">\(link)</a></p>
            </body>
            </html>

            """
    }
}

/// The texts of the newspaper app.
enum GazetteTexts {
    static let english: KeyValuePairs<TextName, String> = [
        "news": "News", "photos": "Photos", "movie": "Movie of the week", "movieShort": "Movie", "about": "About",
        "town": "Town", "sports": "Sports", "culture": "Culture", "movieText": "The harbour in the morning.",
        .shareNews: "Share this story", .sectionsButton: "",
    ]

    static let spanish: KeyValuePairs<TextName, String> = [
        "news": "Noticias", "photos": "Fotos", "movie": "Película de la semana", "movieShort": "Película",
        "about": "Acerca de", "town": "Ciudad", "sports": "Deportes", "culture": "Cultura",
        "movieText": "El puerto por la mañana.", .shareNews: "Compartir esta noticia", .copyAddress: "Copiar dirección",
        .sendEmail: "Enviar correo", .cancel: "Cancelar",
    ]
}

/// The pictures of the tabs: 30 × 30 pixels, of which only the opacity counts.
enum TabPictures {
    static let news = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAIklEQVR42mNgGNngP5FwVDOKZsJBOurnUT+P+nmY+3mkAABzSHCe\
        ZTXwrAAAAABJRU5ErkJggg==
        """
    )
    static let photos = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAUElEQVR42mNgGAVUAP+xQAq0EqX9PwFIK83/iYBEaSVOBqsSUuSw\
        SBPi49CMyy6iNWMLpiGgmWw/kxHaFMUzhSmMorQ9kFmSwpKE4jJsuAMAFSg80mIebesAAAAASUVORK5CYII=
        """
    )
    static let movie = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAR0lEQVR42u2UORIAIAjE+P+nY2vheGWUQtk6KRjYiD84mH0BBqeK\
        gpcFGJxmFDwpwOAMouCu4CicsbD7R5LxGBllkFGAL0wBIHXNM26lrCwAAAAASUVORK5CYII=
        """
    )
    static let about = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAUElEQVR42mNgGGbgPxIkUxuJRvzHA8lwLJHa/xPU/J9YBxMSJ9Kv\
        BLUPlGZ8SghqH9VMomYGkjQzDB7NFGUMCrMkMSmcdsUQhQUghUXvEAAA9AeGiAjrobUAAAAASUVORK5CYII=
        """
    )

    private static func picture(_ base64: String) -> Picture? {
        Data(base64Encoded: base64).flatMap { try? Picture(png: Array($0)) }
    }
}
