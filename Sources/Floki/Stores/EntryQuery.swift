/// A request to a store for stored entries, page by page.
public struct EntryQuery: Sendable, Equatable {
    /// The entries of a feed to return.
    public enum Selection: Sendable, Hashable {
        /// Published entries, which readers see. `includingEnded` adds those that readers saw before they ended.
        case published(includingEnded: Bool)
        /// Entries that readers don't see yet: drafts and scheduled entries.
        case drafts
    }

    /// The place of an entry in its feed.
    public struct Place: Sendable, Hashable, Comparable {
        /// The number that the feed is sorted by.
        public let sortID: Int
        /// The entry's id.
        public let id: Int

        /// Creates a place from an entry's two numbers.
        public init(sortID: Int, id: Int) {
            self.sortID = sortID
            self.id = id
        }

        /// Whether a place comes later in the feed.
        public static func < (left: Place, right: Place) -> Bool {
            (left.sortID, left.id) < (right.sortID, right.id)
        }
    }

    /// The maximum number of entries in a page.
    public static let maximumEntries = 10_000

    /// The feed, in one language.
    public var stream: FeedStream
    /// The kind of entries to return: published entries or drafts.
    public var selection: Selection
    /// Only entries with one of these ids; nil for all.
    public var ids: [Int]?
    /// Only entries with all of these tags: `tag:NAME`, `section:ID`, `video:NAME`.
    public var tags: [String]
    /// Only entries that contain a word with each of these beginnings.
    public var words: [String]
    /// Only entries after this place: the place of the previous page's last entry. nil for the first page.
    public var after: Place?
    /// The maximum number of entries to return: 1 to ``maximumEntries``.
    public var limit: Int
    /// The time, in seconds since 1970, that decides which entries have ended.
    public var now: Int

    /// Creates a query. A limit outside of its bounds becomes the nearest bound.
    public init(
        stream: FeedStream,
        selection: Selection = .published(includingEnded: false),
        ids: [Int]? = nil,
        tags: [String] = [],
        words: [String] = [],
        after: Place? = nil,
        limit: Int = 100,
        now: Int
    ) {
        self.stream = stream
        self.selection = selection
        self.ids = ids
        self.tags = tags
        self.words = words
        self.after = after
        self.limit = min(max(limit, 1), Self.maximumEntries)
        self.now = now
    }

    /// Whether an entry matches the query, regardless of its id and place.
    package func matches(_ entry: StoredEntry) -> Bool {
        if case .published(includingEnded: false) = selection, entry.hasExpired(at: now) { return false }
        return tags.allSatisfy { tag in entry.tags.contains { $0.utf8.elementsEqual(tag.utf8) } }
            && entry.hasWords(beginningWith: words)
    }
}

extension StoredEntry {
    /// The entry's place in its feed.
    public var place: EntryQuery.Place { EntryQuery.Place(sortID: sortID, id: id) }

    /// Whether each text is the beginning of a word, by its bytes as in databases: `hasPrefix` doesn't divide characters.
    func hasWords(beginningWith texts: [String]) -> Bool {
        texts.allSatisfy { text in words.contains { $0.utf8.starts(with: text.utf8) } }
    }
}
