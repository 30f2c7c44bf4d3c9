/// Keeps the entries of feeds.
///
/// May be called from many tasks at once. None of these functions blocks an event loop.
public protocol FeedStore: Sendable {
    /// Makes changes, all of them or none. They count in the order in which they stand, and for every window that is asked for
    /// after it has returned.
    func apply(_ changes: [FeedChange], to feed: String) async throws

    /// A window of a feed; empty where nothing was ever saved.
    func window(_ query: FeedQuery) async throws -> FeedWindow

    /// An entry that has not ended; nil where there is none.
    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry?

    /// The entries that a search finds, as JSON, in the order of the feed.
    func search(_ search: FeedSearch) async throws -> [[UInt8]]
}
