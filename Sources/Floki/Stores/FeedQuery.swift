/// A window of a feed that is asked of a store.
public struct FeedQuery: Sendable, Equatable {
    /// Where the window begins.
    public enum Start: Sendable, Equatable {
        /// At the newest entry.
        case newest
        /// After an entry. One that was removed is where it was; one that was never there counts as one whose `sortID` is its id.
        case after(id: Int)
        /// The highest ids below one, whatever their order; in the feed's order they are returned.
        case below(id: Int)
    }

    /// The feed.
    public var stream: FeedStream
    /// Where the window begins.
    public var start: Start
    /// How many entries it has at most.
    public var limit: Int
    /// The time, in seconds since 1970: entries that have ended are left out.
    public var now: Int
    /// The lowest id that the client has; nil where it doesn't say.
    public var lowest: Int?
    /// How many removed ids are returned where `lowest` is nil: those that were removed last.
    public var removedLimit: Int
    /// How many removed ids are returned at most: of those that are at least `lowest`, the ones that were removed last.
    public var longestRemovedLimit: Int

    /// A window.
    public init(
        stream: FeedStream,
        start: Start = .newest,
        limit: Int,
        now: Int,
        lowest: Int? = nil,
        removedLimit: Int? = nil,
        longestRemovedLimit: Int = 10_000
    ) {
        self.stream = stream
        self.start = start
        self.limit = limit
        self.now = now
        self.lowest = lowest
        self.removedLimit = removedLimit ?? limit
        self.longestRemovedLimit = longestRemovedLimit
    }
}

/// What a store has found. All of it is from one instant.
public struct FeedWindow: Sendable, Equatable {
    /// The entries as JSON, in the order of the feed: by `sortID`, then by id, both descending.
    public var entries: [[UInt8]]
    /// The ids that were removed, the last one first.
    public var removed: [Int]
    /// Whether there is more, which has not ended: beyond the window; below the window's lowest id where it began with
    /// `below`; and where it began at the newest and `lowest` is given, any lower id than that.
    public var hasOlder: Bool

    /// What a store has found.
    public init(entries: [[UInt8]] = [], removed: [Int] = [], hasOlder: Bool = false) {
        self.entries = entries
        self.removed = removed
        self.hasOlder = hasOlder
    }
}
