/// A request to a store for a window of a feed.
public struct FeedQuery: Sendable, Equatable {
    /// Where the window begins.
    public enum Start: Sendable, Equatable {
        /// At the newest entry.
        case newest
        /// After an entry. A removed entry keeps its place; an unknown one counts as one whose `sortID` is its id.
        case after(id: Int)
        /// At the highest ids below this one, whatever their place in the feed. They are returned in the feed's order.
        case below(id: Int)
    }

    /// How many removed ids a store remembers for each stream: the ones that were removed last.
    public static let mostRemoved = 10_000

    /// The feed.
    public var stream: FeedStream
    /// Where the window begins.
    public var start: Start
    /// How many entries the window has at most.
    public var limit: Int
    /// The time, in seconds since 1970: ended entries are left out.
    public var now: Int
    /// The lowest id that the client has; nil if it doesn't say.
    public var lowest: Int?
    /// The highest id that the client has; nil if it doesn't say. When entries between it and the newest window would be missing, the
    /// client's ids from `lowest` to this one are returned as removed, so that the client's list has no hole. They remain reachable
    /// after the window.
    public var highest: Int?
    /// How many removed ids are returned at most without a `lowest`: the ones that were removed last.
    public var removedLimit: Int
    /// How many removed ids are returned at most with a `lowest`: of those from `lowest` on, the ones that were removed last.
    public var longestRemovedLimit: Int

    /// A window.
    public init(
        stream: FeedStream,
        start: Start = .newest,
        limit: Int,
        now: Int,
        lowest: Int? = nil,
        highest: Int? = nil,
        removedLimit: Int? = nil,
        longestRemovedLimit: Int = FeedQuery.mostRemoved
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
