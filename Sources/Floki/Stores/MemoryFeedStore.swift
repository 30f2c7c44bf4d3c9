/// Feeds in the memory of the process, which end with it.
public actor MemoryFeedStore: FeedStore {
    private var streams: [FeedStream: StreamTable] = [:]

    /// An empty store.
    public init() {}

    /// A store with what some changes have made.
    init(_ changes: [FeedChange], to feed: String) {
        for change in changes { Self.apply(change, to: feed, &streams) }
    }

    /// Makes changes.
    public func apply(_ changes: [FeedChange], to feed: String) {
        for change in changes { Self.apply(change, to: feed, &streams) }
    }

    private static func apply(_ change: FeedChange, to feed: String, _ streams: inout [FeedStream: StreamTable]) {
        switch change {
        case .save(let entry, let language):
            streams[FeedStream(feed: feed, language: language), default: StreamTable()].save(entry)
        case .remove(let id, let language?):
            streams[FeedStream(feed: feed, language: language)]?.remove(id)
        case .remove(let id, nil):
            for stream in streams.keys where stream.feed == feed { streams[stream]?.remove(id) }
        }
    }

    /// A window of a feed.
    public func window(_ query: FeedQuery) -> FeedWindow {
        streams[query.stream]?.removeExpired(at: query.now)
        return streams[query.stream]?.window(query) ?? FeedWindow()
    }

    /// An entry that has not ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) -> StoredEntry? {
        streams[stream]?.entries[id].flatMap { $0.hasExpired(at: now) ? nil : $0 }
    }

    /// The entries that a search finds.
    public func search(_ search: FeedSearch) -> [[UInt8]] {
        streams[search.stream]?.removeExpired(at: search.now)
        return streams[search.stream]?.search(search) ?? []
    }
}
