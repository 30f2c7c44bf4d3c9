/// A request to a store for entries as they are stored, a page at a time.
public struct EntryQuery: Sendable, Equatable {
    /// Which entries of a feed are meant.
    public enum Selection: Sendable, Hashable {
        /// What readers see, or could see before it ended.
        case published(includingEnded: Bool)
        /// What readers don't see yet: drafts and scheduled entries.
        case drafts
    }

    /// The place of an entry in its feed.
    public struct Place: Sendable, Hashable, Comparable {
        /// The number that the feed is sorted by.
        public let sortID: Int
        /// The number of the entry.
        public let id: Int

        /// A place.
        public init(sortID: Int, id: Int) {
            self.sortID = sortID
            self.id = id
        }

        /// Whether a place is farther behind in the feed.
        public static func < (left: Place, right: Place) -> Bool {
            (left.sortID, left.id) < (right.sortID, right.id)
        }
    }

    /// How many entries a page has at most.
    public static let mostEntries = 10_000

    /// The feed.
    public var stream: FeedStream
    /// Which of its entries are meant.
    public var selection: Selection
    /// Only entries with one of these ids; nil for all.
    public var ids: [Int]?
    /// Only entries that have all of these: `tag:NAME`, `section:ID`, `video:NAME`.
    public var tags: [String]
    /// Only entries in which each of these is the beginning of a word.
    public var words: [String]
    /// Only entries behind this place, that of the last entry of the page before; nil for the first page.
    public var after: Place?
    /// How many entries are returned at most: 1 to ``mostEntries``.
    public var limit: Int
    /// The time, in seconds since 1970, that decides which entries have ended.
    public var now: Int

    /// A request.
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
        self.limit = min(max(limit, 1), Self.mostEntries)
        self.now = now
    }

    /// Whether an entry is one of those that are meant, whatever its place.
    package func matches(_ entry: StoredEntry) -> Bool {
        if case .published(includingEnded: false) = selection, entry.hasExpired(at: now) { return false }
        return (ids?.contains(entry.id) ?? true) && tags.allSatisfy(entry.tags.contains)
            && words.allSatisfy { word in entry.words.contains { $0.hasPrefix(word) } }
    }
}

extension StoredEntry {
    /// Its place in its feed.
    public var place: EntryQuery.Place { EntryQuery.Place(sortID: sortID, id: id) }
}
