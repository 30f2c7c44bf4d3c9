public import BacklotJSON

/// A view of the app: a tab, or what an entry or a link has opened.
public struct FlokiScreen: Sendable, Equatable {
    /// The class, such as `News_view_controller`.
    public let className: String
    /// The address that it shows, with the code of the language where clients append it.
    public let url: String
    /// The data of the class.
    public let data: JSONObject
    /// What stands above it.
    public let title: String
    /// What it has of its feed; nil where it shows none.
    public var list: FlokiList?
    /// The text of its web page; nil where it shows none.
    public var page: String?
    /// Whether what is shown was kept from before, because there was no answer.
    public var isCached = false

    init(className: String, url: String, data: JSONObject, title: String) {
        self.className = className
        self.url = url
        self.data = data
        self.title = title
        let size = data["cache_size"]?.number?.int64.map { Int($0) } ?? 50
        if className.hasPrefix("News_") || className.hasPrefix("Gallery_") { list = FlokiList(cacheSize: size) }
    }

    /// Whether the feed is asked for now, by its age.
    func isDue(now: Int, isFirst: Bool) -> Bool {
        guard let fetched = list?.fetched else { return true }
        let ttl = data["ttl"]?.number?.int64.map { Int($0) } ?? 300
        return now - fetched >= ttl || isFirst && data["download_if_virgin"]?.bool == true
    }
}
