import Backlot

/// Feeds in the memory of the process, which end with it.
public actor MemoryFeedStore: FeedStore {
    private var streams: [FeedStream: StreamTable] = [:]

    /// An empty store.
    public init() {}

    /// Makes changes.
    public func apply(_ changes: [FeedChange], to feed: String) {
        for change in changes {
            switch change {
            case .save(let entry, let language):
                streams[FeedStream(feed: feed, language: language), default: StreamTable()].save(entry)
            case .remove(let id, let language?):
                streams[FeedStream(feed: feed, language: language)]?.remove(id)
            case .remove(let id, nil):
                for stream in streams.keys where stream.feed == feed { streams[stream]?.remove(id) }
            }
        }
    }

    /// A window of a feed.
    public func window(_ query: FeedQuery) -> FeedWindow { streams[query.stream]?.window(query) ?? FeedWindow() }

    /// An entry that has not ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) -> StoredEntry? {
        streams[stream]?.entries[id].flatMap { $0.hasExpired(at: now) ? nil : $0 }
    }

    /// The entries that a search finds.
    public func search(_ search: FeedSearch) -> [[UInt8]] { streams[search.stream]?.search(search) ?? [] }
}

/// The entries of a feed in one language, in their order.
struct StreamTable: Sendable {
    /// The place of an entry in the feed.
    struct Place: Sendable, Comparable {
        let sortID: Int
        let id: Int

        static func < (left: Place, right: Place) -> Bool { (left.sortID, left.id) < (right.sortID, right.id) }
    }

    private(set) var entries: [Int: StoredEntry] = [:]
    /// The last one in the feed first.
    private var order: [Place] = []
    /// The ids, ascending.
    private var ids: [Int] = []
    /// The places of removed entries, by their ids.
    private var tombstones: [Int: Place] = [:]
    /// Their ids, the last one at the end.
    private var removed: [Int] = []

    mutating func save(_ entry: StoredEntry) {
        if let old = entries.updateValue(entry, forKey: entry.id) {
            guard old.sortID != entry.sortID else { return }
            drop(old)
        } else if tombstones.removeValue(forKey: entry.id) != nil {
            removed.removeAll { $0 == entry.id }
        }
        let place = Place(sortID: entry.sortID, id: entry.id)
        order.insert(place, at: order.lowerBound(of: place))
        ids.insert(entry.id, at: ids.lowerBound(of: entry.id))
    }

    mutating func remove(_ id: Int) {
        guard let old = entries.removeValue(forKey: id) else { return }
        drop(old)
        tombstones[id] = Place(sortID: old.sortID, id: id)
        removed.append(id)
    }

    private mutating func drop(_ entry: StoredEntry) {
        order.remove(at: order.lowerBound(of: Place(sortID: entry.sortID, id: entry.id)))
        ids.remove(at: ids.lowerBound(of: entry.id))
    }

    func window(_ query: FeedQuery) -> FeedWindow {
        func live(_ id: Int) -> StoredEntry? { entries[id].flatMap { $0.hasExpired(at: query.now) ? nil : $0 } }
        let candidates: any Sequence<Int>
        switch query.start {
        case .newest: candidates = order.reversed().lazy.map(\.id)
        case .after(let id):
            let own = entries[id].map { Place(sortID: $0.sortID, id: id) }
            let place = own ?? tombstones[id] ?? Place(sortID: id, id: id)
            candidates = order[..<order.lowerBound(of: place)].reversed().lazy.map(\.id)
        case .below(let id): candidates = ids[..<ids.lowerBound(of: id)].reversed()
        }
        var found: [StoredEntry] = []
        for id in candidates {
            guard let entry = live(id) else { continue }
            found.append(entry)
            if found.count > query.limit { break }
        }
        var hasOlder = found.count > query.limit
        if hasOlder { found.removeLast() }
        if query.start == .newest, let lowest = query.lowest {
            hasOlder = ids[..<ids.lowerBound(of: lowest)].contains { live($0) != nil }
        }
        if case .below = query.start { found.sort { ($0.sortID, $0.id) > ($1.sortID, $1.id) } }
        return FeedWindow(entries: found.map(\.wire), removed: removed(query), hasOlder: hasOlder)
    }

    private func removed(_ query: FeedQuery) -> [Int] {
        guard let lowest = query.lowest else { return Array(removed.reversed().prefix(query.removedLimit)) }
        return Array(removed.reversed().lazy.filter { $0 >= lowest }.prefix(query.longestRemovedLimit))
    }

    func search(_ search: FeedSearch) -> [[UInt8]] {
        let found = order.reversed().lazy.compactMap { entries[$0.id] }.filter { entry in
            guard !entry.hasExpired(at: search.now) else { return false }
            switch search.criterion {
            case .tag(let tag): return entry.tags.contains(tag)
            case .words(let words):
                return words.allSatisfy { word in entry.words.contains { $0.hasPrefix(word) } }
            }
        }
        let rest = found.dropFirst(search.offset)
        return search.limit.map { rest.prefix($0).map(\.wire) } ?? rest.map(\.wire)
    }
}

extension Array where Element: Comparable {
    /// The first index of an ascending array whose element isn't below another, by halving.
    fileprivate func lowerBound(of element: Element) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle] < element ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
