/// Entries that are looked for.
public struct FeedSearch: Sendable, Equatable {
    /// What they have.
    public enum Criterion: Sendable, Equatable {
        /// Each of these is the beginning of one of their words. There is at least one.
        case words([String])
        /// This is one of their tags.
        case tag(String)
    }

    /// The feed.
    public var stream: FeedStream
    /// What they have.
    public var criterion: Criterion
    /// How many of them are left out, in the order of the feed.
    public var offset: Int
    /// How many are returned at most; nil for all.
    public var limit: Int?
    /// The time, in seconds since 1970: entries that have ended are left out.
    public var now: Int

    /// A search.
    public init(stream: FeedStream, criterion: Criterion, offset: Int = 0, limit: Int?, now: Int) {
        self.stream = stream
        self.criterion = criterion
        self.offset = offset
        self.limit = limit
        self.now = now
    }
}
