import Backlot
import BacklotHTTP
import BacklotJSON
import Floki

extension FuzzTarget {
    /// What clients ask a Floki app for, below its path: each answer is one that clients understand, in the feed's order, and sends
    /// and removes no entry at once.
    static let floki = FuzzTarget(name: "floki") { input async throws(Violation) in
        guard let request = RequestWith.target(Array("/floki/".utf8) + input) else { return false }
        let response: Response
        do {
            let handler = try await FlokiSample.shared.value
            response = try await handler.respond(to: request).response()
        } catch let error as any HTTPError {
            try require([400, 404].contains(error.status.code), "\(error) for \(request.path)")
            return false
        } catch {
            throw Violation(description: "\(error) for \(request.path)")
        }
        try require(response.status == .ok, "\(response.status) for \(request.path)")
        try require(response.headers[.eTag] != nil && response.headers[.vary] == "Accept-Language", "no tag")
        guard case .bytes(let bytes) = response.body else { throw Violation(description: "a body without bytes") }
        guard response.headers[.contentType] == "application/json" else { return true }
        guard let document = try? JSONValue(parsing: bytes) else {
            throw Violation(description: "\(request.path) is not JSON: \(String(decoding: bytes, as: UTF8.self))")
        }
        let errors = FlokiRules.findings(in: document, name: "d").filter { $0.severity == .error }
        try require(errors.isEmpty, "\(request.path): \(errors)")
        guard let entries = (document["items"] ?? document["thumbs"])?.array else { return true }
        let ids = entries.compactMap { $0["id"]?.number?.int64 }
        try require(ids == ids.sorted(by: >) && Set(ids).count == ids.count, "\(ids) for \(request.path)")
        let isWhole = request.path.contains("gallery")
        try require(ids.count <= 3 || isWhole, "\(ids.count) entries for \(request.path)")
        return true
    }
}

/// A small app.
private enum FlokiSample {
    static let shared = Task { () throws -> any Handler in
        let store = MemoryFeedStore()
        let news = NewsFeed("news", in: store).cacheSize(3).sections(section(1, "news"))
        let photos = GalleryFeed("photos", in: store, languages: .shared).cacheSize(3)
        let movie = movieViewController("http://a.b/ts/x.m3u8")
        try await news.save(
            (1...20).map { item($0, "Word \($0) rojo").sections(1).tags("fútbol", "a b").page("<p>") }
                + [item(21, "Movie").sections(1).opens(movie).video("gól")],
            language: "en"
        )
        try await news.remove([2, 19])
        try await photos.save((1...9).map { thumb($0, url: "b.png", image: "s.png", width: 9, height: 9).tags("sea") })
        var configuration = FlokiConfiguration()
        configuration.address = .fixed("http://localhost")
        let router = Router()
        router.floki("/floki", configuration: configuration) { app in
            app.language("en", ["news": "News"])
            app.language("es", ["news": "Noticias"])
            app.feed(news)
            app.feed(photos)
            app.tab(1, "news", newsViewController(news).searchBar().tags().videos().moreItems())
            app.tab(2, "news", galleryViewController(photos).galleries())
        }
        return router.handler()
    }
}
