public import BacklotJSON

/// A view of the app: a tab, or what an entry or a link has opened.
public struct FlokiScreen: Sendable, Equatable {
    /// The class, such as `News_view_controller`.
    public let className: String
    /// The address that it shows, with the code of the language where clients append it.
    public let url: String
    /// The data of the class.
    public let data: JSONObject
    /// The title above it.
    public let title: String
    /// The part of its feed that it has; nil for a screen without a feed.
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

/// The part of a feed that a client keeps: entries, sections, and the time of the last request.
public struct FlokiList: Sendable, Equatable {
    /// The most entries that are kept and shown, but for older ones that were asked for.
    public let cacheSize: Int
    /// The kept entries, in their order.
    public private(set) var entries: [JSONObject] = []
    /// The entries that were asked for beyond them, in their order. They are not kept.
    public private(set) var older: [JSONObject] = []
    /// The sections; nil for a feed without.
    public private(set) var sections: [JSONObject]?
    /// Whether there is more.
    public private(set) var hasOlder = false
    /// When the feed was fetched last, in seconds; nil before.
    public private(set) var fetched: Int?

    init(cacheSize: Int) { self.cacheSize = cacheSize }

    /// All entries that there are, in their order.
    public var all: [JSONObject] { Self.sorted(entries + older) }

    /// The entries that are seen: in a feed with sections only those that are in one.
    public var shown: [JSONObject] {
        guard let sections else { return all }
        let ids = Set(sections.compactMap { $0["id"]?.number })
        return all.filter { $0["section_ids"]?.array?.contains { $0.number.map(ids.contains) ?? false } ?? false }
    }

    /// Takes an answer to a request for the newest entries.
    ///
    /// - Parameter merges: whether entries that are there stay, as on iOS.
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

    /// Takes an answer to a request for older entries.
    mutating func extend(with response: JSONObject, now: Int) {
        let there = Set((entries + older).compactMap(\.flokiID))
        older += Self.entries(of: response).filter { !($0.flokiID.map(there.contains) ?? true) }
        drop(response, now: now)
        take(response)
    }

    /// Drops what has ended.
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
    /// Where an entry stands.
    var flokiSortID: Int { self["sort_id"]?.number?.int64.map { Int($0) } ?? flokiID ?? 0 }
}
