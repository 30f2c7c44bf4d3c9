public import Backlot

/// A kind of feed store that a setting may name, such as `memory` or `sqlite:PATH`. The modules of the stores add theirs, so that
/// a server contains only those that it lists: `[.memory, .sqlite]`.
public typealias FeedStoreKind = StoreKind<any FeedStore>

/// A store of feeds that was chosen, and is not open yet.
public typealias FeedStoreChoice = StoreChoice<any FeedStore>

extension FeedStoreKind {
    /// In the memory of the process.
    public static var memory: FeedStoreKind { inMemory("in memory; they end with the server") { MemoryFeedStore() } }
}
