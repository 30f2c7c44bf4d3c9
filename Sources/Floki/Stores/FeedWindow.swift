/// A window of a feed at one instant.
public struct FeedWindow: Sendable, Equatable {
    /// The entries as JSON, in the order of the feed: by `sortID`, then by id, both descending.
    public var entries: [[UInt8]]
    /// The removed ids, most recent first.
    public var removed: [Int]
    /// Whether older entries exist that have not ended: after the window; for `below`, under the window's lowest id; for `newest`
    /// with a `lowest`, under that id.
    public var hasOlder: Bool
    /// The first second, since 1970, at which the window may differ without a change of the feed, since an entry has ended; nil for
    /// never.
    public var unchangedUntil: Int?

    /// Creates a window.
    public init(
        entries: [[UInt8]] = [],
        removed: [Int] = [],
        hasOlder: Bool = false,
        unchangedUntil: Int? = nil
    ) {
        self.entries = entries
        self.removed = removed
        self.hasOlder = hasOlder
        self.unchangedUntil = unchangedUntil
    }
}

/// The windows for requests.
///
/// Source: Floki server protocols, Communication of parameters to the server, has_older, to_delete and more_items_url.
extension FeedQuery {
    /// The window for a request to `main_url`: after the entry `o`; without `o`, the newest window. It is always full, because some
    /// clients merge it with their entries, and others replace theirs.
    static func main(_ parameters: ClientParameters, _ stream: FeedStream, cacheSize: Int, now: Int) -> FeedQuery {
        FeedQuery(
            stream: stream,
            start: parameters.older.map { .after(id: $0) } ?? .newest,
            limit: cacheSize,
            now: now,
            lowest: parameters.lowest,
            highest: parameters.highest
        )
    }

    /// The window for a request to `more_items_url`: below the entry `l`; nil for an empty window.
    static func older(_ parameters: ClientParameters, _ stream: FeedStream, cacheSize: Int, now: Int) -> FeedQuery? {
        parameters.lowest.map { lowest in
            FeedQuery(stream: stream, start: .below(id: lowest), limit: cacheSize, now: now, lowest: lowest)
        }
    }
}
