/// Keeps the entries of feeds.
///
/// Many tasks call these functions at once. None of them blocks an event loop. Stores remove expired entries by themselves; after
/// that, the place of such an entry is the one of its id. They remember the last ``FeedQuery/mostRemoved`` removed ids.
public protocol FeedStore: Sendable {
    /// Makes changes, in their order: all of them or none. Every window that is read after this has returned shows them.
    func apply(_ changes: [FeedChange], to feed: String) async throws

    /// A window of a feed; empty for a feed without entries.
    func window(_ query: FeedQuery) async throws -> FeedWindow

    /// An entry that has not ended; nil for an unknown or ended one.
    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry?

    /// The entries that a search finds, as JSON, in the order of the feed. A search that would take long may return fewer.
    func search(_ search: FeedSearch) async throws -> [[UInt8]]
}

/// A change of a feed.
public enum FeedChange: Sendable, Equatable {
    /// Adds an entry to a language, or replaces the one with its id.
    case save(StoredEntry, language: String)
    /// Removes an entry from a language, or from all if that is nil, and remembers its id and place. For an unknown entry,
    /// nothing is remembered.
    case remove(id: Int, language: String?)
}

/// A feed in one language.
public struct FeedStream: Sendable, Hashable {
    /// The language of a feed that all languages share.
    public static let shared = ""

    /// The feed's name.
    public let feed: String
    /// The code of the language; empty for a feed that all languages share.
    public let language: String

    /// A feed in one language.
    public init(feed: String, language: String) {
        self.feed = feed
        self.language = language
    }
}

/// An entry in a store.
public struct StoredEntry: Sendable, Equatable {
    /// The number of the entry: 1 to 2147483647.
    public var id: Int
    /// The place in the feed, 1 to 2⁵³ − 1: higher numbers come first, and among equal ones higher ids.
    public var sortID: Int
    /// When the entry ends, in seconds since 1970; 0 for never. After that second it has ended.
    public var expirationDate: Int
    /// The entry as JSON, with marks that answers replace. Stores return exactly these bytes.
    public var wire: [UInt8]
    /// The content of its page, as HTML; nil for an entry without a page.
    public var page: String?
    /// The words that a search finds it by: letters and digits only, in lower case and without accents. None is empty.
    public var words: [String]
    /// The tags, each once.
    public var tags: [String]

    /// An entry.
    public init(
        id: Int,
        sortID: Int,
        expirationDate: Int = 0,
        wire: [UInt8],
        page: String? = nil,
        words: [String] = [],
        tags: [String] = []
    ) {
        self.id = id
        self.sortID = sortID
        self.expirationDate = expirationDate
        self.wire = wire
        self.page = page
        self.words = words
        self.tags = tags
    }

    /// Whether it has ended.
    public func hasExpired(at now: Int) -> Bool { expirationDate > 0 && now > expirationDate }
}
