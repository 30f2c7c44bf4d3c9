/// An entry in a store.
public struct StoredEntry: Sendable, Equatable {
    /// Whether readers see an entry.
    public enum Publication: Sendable, Hashable {
        /// Readers see the entry.
        case published
        /// Readers don't see the entry.
        case draft
        /// Readers don't see it before a time, in seconds since 1970.
        case scheduled(at: Int)
    }

    /// The number of the entry: 1 to 2147483647.
    public var id: Int
    /// The place in the feed, 1 to 2⁵³ − 1: higher numbers come first, and among equal ones higher ids.
    public var sortID: Int
    /// When the entry ends, in seconds since 1970; 0 for never. After that second it has ended.
    public var expirationDate: Int
    /// The entry as JSON, with marks that responses replace. Stores return exactly these bytes.
    public var wire: [UInt8]
    /// The content of its page, as HTML; nil for an entry without a page.
    public var page: String?
    /// The words of the entry for searches: letters and digits only, in lower case and without accents. They are never empty.
    public var words: [String]
    /// The properties of the entry for searches, each once: `tag:NAME`, `section:ID` and `video:NAME`.
    public var tags: [String]
    /// Whether readers see the entry.
    public var publication: Publication
    /// The revision of the feed at which it was saved. Stores count it; it is ignored in a change.
    public var revision: Int

    /// Creates an entry.
    public init(
        id: Int,
        sortID: Int,
        expirationDate: Int = 0,
        wire: [UInt8],
        page: String? = nil,
        words: [String] = [],
        tags: [String] = [],
        publication: Publication = .published,
        revision: Int = 0
    ) {
        self.id = id
        self.sortID = sortID
        self.expirationDate = expirationDate
        self.wire = wire
        self.page = page
        self.words = words
        self.tags = tags
        self.publication = publication
        self.revision = revision
    }

    /// Whether the entry has ended.
    public func hasExpired(at now: Int) -> Bool { expirationDate > 0 && now > expirationDate }
}
