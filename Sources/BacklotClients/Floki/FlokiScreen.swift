public import BacklotJSON

/// A screen of the app: a tab, or the target of an entry or a link.
public struct FlokiScreen: Sendable, Equatable {
    /// The class, such as `News_view_controller`.
    public let className: String
    /// The address of the content, with the language code if clients append it.
    public let url: String
    /// The data of the class.
    public let data: JSONObject
    /// The title of the screen.
    public let title: String
    /// The loaded part of its feed; nil for a screen without a feed.
    public var list: FlokiList?
    /// The text of its web page; nil for a screen without one.
    public var page: String?
    /// Whether the content is stored data, because no response arrived.
    public var isCached = false

    init(className: String, url: String, data: JSONObject, title: String) {
        self.className = className
        self.url = url
        self.data = data
        self.title = title
        let size = data["cache_size"]?.number?.int64.map { Int($0) } ?? 50
        if className.hasPrefix("News_") || className.hasPrefix("Gallery_") { list = FlokiList(cacheSize: size) }
    }

    /// Whether the feed is old enough to be requested now.
    func isDue(now: Int, isFirst: Bool) -> Bool {
        guard let fetched = list?.fetched else { return true }
        let ttl = data["ttl"]?.number?.int64.map { Int($0) } ?? 300
        return now - fetched >= ttl || isFirst && data["download_if_virgin"]?.bool == true
    }
}

/// The part of a feed that a client stores: entries, sections, and the time of the last request.
public struct FlokiList: Sendable, Equatable {
    /// The maximum number of entries to keep and show, without the older entries that were requested.
    public let cacheSize: Int
    /// The stored entries, in order.
    public private(set) var entries: [JSONObject] = []
    /// The requested older entries, in order. They aren't stored.
    public private(set) var older: [JSONObject] = []
    /// The sections; nil for a feed without sections.
    public private(set) var sections: [JSONObject]?
    /// Whether the server has older entries.
    public private(set) var hasOlder = false
    /// The time of the last request, in seconds; nil before the first.
    public private(set) var fetched: Int?

    init(cacheSize: Int) { self.cacheSize = cacheSize }

    /// All entries, in order.
    public var all: [JSONObject] { Self.sorted(entries + older) }

    /// The visible entries: in a feed with sections, only those in a section.
    public var shown: [JSONObject] {
        guard let sections else { return all }
        let ids = Set(sections.compactMap { $0["id"]?.number })
        return all.filter { $0["section_ids"]?.array?.contains { $0.number.map(ids.contains) ?? false } ?? false }
    }

    /// Takes in the response to a request for the newest entries.
    ///
    /// - Parameter merges: whether existing entries stay, as on iOS.
    mutating func refresh(with response: JSONObject, merges: Bool, now: Int) {
        let new = Self.entries(of: response)
        let ids = Set(new.compactMap(\.flokiID))
        let kept = merges ? entries.filter { !($0.flokiID.map(ids.contains) ?? true) } : []
        entries = new + kept
        older = []
        drop(response, now: now)
        entries = Array(Self.sorted(entries).prefix(cacheSize))
        take(response)
        fetched = now
    }

    /// Takes in the response to a request for older entries.
    mutating func extend(with response: JSONObject, now: Int) {
        let there = Set((entries + older).compactMap(\.flokiID))
        older += Self.entries(of: response).filter { !($0.flokiID.map(there.contains) ?? true) }
        drop(response, now: now)
        take(response)
    }

    /// Removes expired entries.
    mutating func expire(now: Int) {
        func isLive(_ entry: JSONObject) -> Bool {
            guard let end = entry["expiration_date"]?.number?.int64, end > 0 else { return true }
            return now <= end
        }
        entries = entries.filter(isLive)
        older = older.filter(isLive)
    }

    private mutating func drop(_ response: JSONObject, now: Int) {
        let removed = Set((response["to_delete"]?.array ?? []).compactMap { $0.number?.int64.map { Int($0) } })
        entries.removeAll { $0.flokiID.map(removed.contains) ?? true }
        older.removeAll { $0.flokiID.map(removed.contains) ?? true }
        expire(now: now)
    }

    private mutating func take(_ response: JSONObject) {
        sections = response["sections"]?.array?.compactMap(\.object)
        hasOlder = response["has_older"]?.bool ?? false
    }

    package static func entries(of response: JSONObject) -> [JSONObject] {
        (response["items"]?.array ?? response["thumbs"]?.array ?? []).compactMap(\.object)
    }

    private static func sorted(_ entries: [JSONObject]) -> [JSONObject] {
        entries.sorted { left, right in
            (left.flokiSortID, left.flokiID ?? 0) > (right.flokiSortID, right.flokiID ?? 0)
        }
    }
}

extension JSONObject {
    /// The id of an entry.
    var flokiID: Int? { self["id"]?.number?.int64.map { Int($0) } }
    /// The sort key of an entry.
    var flokiSortID: Int { self["sort_id"]?.number?.int64.map { Int($0) } ?? flokiID ?? 0 }
}
