import Backlot
import Floki

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
        newsViewController(news).rowHeight(60).imageSize(54, 54).titleColor(Color(20, 40, 90)).ttl(60)
            .allowManualReload().searchBar().moreItems().tags().videos()
    }

    private var photosView: GalleryViewController {
        galleryViewController(photos).allowManualReload().moreItems().galleries()
    }
}
