import Backlot
import BacklotTesting
import Synchronization
import Testing

@testable import Floki

/// A small app in this process. Tests read its responses as plain JSON.
struct TestSite {
    /// A clock that is set by hand.
    final class Clock: Sendable {
        let now = Atomic(1_000)
        var session: SessionClock { SessionClock { self.now.load(ordering: .relaxed) } }
    }

    let transport: any ClientTransport
    let handler: any Handler
    let live: LiveFlokiApp
    let store: any FeedStore
    let news: NewsFeed
    let photos: GalleryFeed
    let clock = Clock()

    init(
        cacheSize: Int = 3,
        sections: [Section] = [],
        store: any FeedStore = MemoryFeedStore(),
        path: String = "/floki",
        configuration: FlokiConfiguration = FlokiConfiguration()
    ) throws {
        self.store = store
        var news = NewsFeed("news", in: store).cacheSize(cacheSize)
        for section in sections { news = news.sections(section) }
        self.news = news
        let photos = GalleryFeed("my-photos~", in: store, languages: .shared).cacheSize(cacheSize)
        self.photos = photos
        var configuration = configuration
        configuration.clock = clock.session
        let router = Router()
        live = router.floki(path, configuration: configuration) { app in
            app.language("en", ["news": "News", "photos": "Photos", "politics": "Politics"])
            app.language("es", ["news": "Noticias", "politics": "Política"])
            app.feed(news)
            app.feed(photos)
            app.tab(1, "news", newsViewController(news).searchBar().tags().videos().moreItems())
            app.tab(2, "photos", galleryViewController(photos).galleries())
            app.page("about") { "<p>\($0.language) \($0.device)</p>" }
        }
        handler = router.handler()
        transport = try InProcessTransport(handler)
    }

    /// Saves items without more than ids, in English.
    func save(_ ids: some Sequence<Int>, _ change: (Item) -> Item = { $0 }) async throws {
        try await news.save(ids.map { change(item($0, "Item \($0)")) }, language: "en")
    }

    func response(_ target: String, headers: HTTPFields = [:]) async throws -> ClientResponse {
        let url = try HTTPURL("http://localhost").resolving(target)
        return try await transport.response(to: ClientRequest(.get, url, headers: headers), limits: ClientLimits())
    }

    /// A document; it must be there.
    func json(_ target: String) async throws -> JSONValue {
        let response = try await response(target)
        #expect(response.status == .ok, "\(target): \(response.text)")
        #expect(response.mediaType == "application/json")
        return try JSONValue(parsing: response.body)
    }

    /// The ids of a feed's entries.
    func ids(_ target: String) async throws -> [Int] { try await json(target).ids }

    func status(_ target: String) async throws -> Int { try await response(target).status.code }
}

extension JSONValue {
    /// The ids of the entries, in their order.
    var ids: [Int] {
        (self["items"]?.array ?? self["thumbs"]?.array ?? []).compactMap { $0["id"]?.number?.int64.map { Int($0) } }
    }

    /// The numbers under a key.
    func numbers(_ key: String) -> [Int]? { self[key]?.array?.compactMap { $0.number?.int64.map { Int($0) } } }
}
