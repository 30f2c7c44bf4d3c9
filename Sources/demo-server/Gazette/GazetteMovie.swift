import Floki

/// The movie of the newspaper app.
enum GazetteMovie {
    static let url: Link = "/ts/harbour.m3u8"

    /// What its tab shows.
    static var view: MovieViewController {
        movieViewController(url).titleID("movie").textID("movieText").preview("/pictures/harbour-large.png")
            .previewSize(285, 160).autoload(false)
    }
}
