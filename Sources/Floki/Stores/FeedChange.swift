/// A change of a feed.
public enum FeedChange: Sendable, Equatable {
    /// Adds an entry in a language, or replaces the one with its id.
    case save(StoredEntry, language: String)
    /// Removes an entry from a language, or from all where that is nil, and remembers that it was there and where. What isn't
    /// there, nothing is remembered of.
    case remove(id: Int, language: String?)
}
