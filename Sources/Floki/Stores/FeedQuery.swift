/// A request to a store for a window of a feed.
public struct FeedQuery: Sendable, Equatable {
    /// The start of a window.
    public enum Start: Sendable, Equatable {
        /// At the newest entry.
        case newest
        /// After an entry. A removed entry keeps its place; an unknown id counts as its own `sortID`.
        case after(id: Int)
        /// At the highest ids below this one, regardless of their places. They are returned in the feed's order.
        case below(id: Int)
    }

    /// The number of removed ids that a store remembers for each stream: the most recent ones.
    public static let maximumRemoved = 10_000

    /// The feed.
    public var stream: FeedStream
    /// The start of the window.
    public var start: Start
    /// The maximum number of entries in the window.
    public var limit: Int
    /// The time, in seconds since 1970: ended entries are left out.
    public var now: Int
    /// The lowest id that the client has; nil if the client doesn't send it.
    public var lowest: Int?
    /// The highest id that the client has; nil if the client doesn't send it. If entries between this id and the newest window
    /// would be missing, the client's ids from `lowest` to this one are returned as removed, so that the client's list has no hole.
    /// Clients can still request them after the window.
    public var highest: Int?
    /// The maximum number of removed ids to return without a `lowest`: the most recent ones.
    public var removedLimit: Int
    /// The maximum number of removed ids to return with a `lowest`: the most recent ones among those from `lowest` on.
    public var longestRemovedLimit: Int

    /// Creates a window.
    public init(
        stream: FeedStream,
        start: Start = .newest,
        limit: Int,
        now: Int,
        lowest: Int? = nil,
        highest: Int? = nil,
        removedLimit: Int? = nil,
        longestRemovedLimit: Int = FeedQuery.maximumRemoved
    ) {
        self.stream = stream
        self.start = start
        self.limit = limit
        self.now = now
        self.lowest = lowest
        self.highest = highest
        self.removedLimit = removedLimit ?? limit
        self.longestRemovedLimit = longestRemovedLimit
    }
}
