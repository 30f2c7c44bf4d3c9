/// Entries that searches by editors and programs find in addition to those that readers see.
public struct EntrySelection: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a selection of some bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Published entries that have ended. Stores remove them some time later.
    public static let ended = EntrySelection(rawValue: 1)
    /// Drafts and scheduled entries. If an entry is also published, the search finds both.
    public static let drafts = EntrySelection(rawValue: 2)
}

/// The entries of a feed in their order, read page by page as needed.
///
/// Entries that are saved during the iteration may be missing. An entry that moves in that time may be missing, or appear twice.
public struct FeedEntries<Entry: FeedEntry>: AsyncSequence, Sendable {
    let feed: Feed<Entry>
    let language: String?
    let tags: [String]
    let words: [String]
    let selections: [EntryQuery.Selection]

    /// The number of entries read at once.
    private static var pageSize: Int { 200 }

    /// The entries that a selection has.
    private struct Pages {
        var query: EntryQuery
        private var page: [StoredEntry] = []
        private var taken = 0
        private var isLast = false

        init(_ query: EntryQuery) { self.query = query }

        /// The next entry; nil at the end. The entry stays the same until it is taken.
        mutating func next(in store: any FeedStore) async throws -> StoredEntry? {
            if taken < page.count { return page[taken] }
            guard !isLast else { return nil }
            page = try await store.entries(query)
            taken = 0
            isLast = page.count < query.limit
            query.after = page.last?.place ?? query.after
            return page.first
        }

        mutating func take() { taken += 1 }
    }

    /// Reads the entries.
    public struct Iterator: AsyncIteratorProtocol {
        private let entries: FeedEntries
        private var pages: [Pages]?

        fileprivate init(_ entries: FeedEntries) { self.entries = entries }

        /// The next entry; nil at the end.
        ///
        /// - Throws: ``FeedError`` for a language that the feed lacks, and for an entry that this version can't read; and the errors of
        ///   the store.
        public mutating func next() async throws -> Entry? {
            var pages = try self.pages ?? entries.pages()
            defer { self.pages = pages }
            var first: (index: Int, entry: StoredEntry)?
            for index in pages.indices {
                guard let entry = try await pages[index].next(in: entries.feed.store) else { continue }
                if first.map({ $0.entry.place < entry.place }) ?? true { first = (index, entry) }
            }
            guard let first else { return nil }
            pages[first.index].take()
            return try Entry(stored: first.entry, of: entries.feed.name)
        }
    }

    /// An iterator, from the first entry on.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    private func pages() throws(FeedError) -> [Pages] {
        let language = try feed.storedLanguage(language)
        return selections.map { Pages(feed.query(language, $0, tags: tags, words: words, limit: Self.pageSize)) }
    }
}

/// Reading.
extension Feed {
    /// A published entry, also one that has ended; nil for an unknown one.
    ///
    /// - Parameters:
    ///   - language: the code of the language; nil for a feed that all languages share.
    ///   - draft: whether to read the entry's draft instead of the entry that readers see.
    /// - Throws: ``FeedError`` for a language that the feed lacks, and for an entry that this version can't read; and the errors of the
    ///   store.
    public func entry(_ id: Int, language: String? = nil, draft: Bool = false) async throws -> Entry? {
        let stored = try await stored(id, try storedLanguage(language), draft ? [.drafts] : [Self.published])
        return try stored.map { try Entry(stored: $0, of: name) }
    }

    /// The entries that readers see, in the order of the feed.
    ///
    /// - Parameters:
    ///   - language: the code of the language; nil for a feed that all languages share.
    ///   - section: only entries of this section.
    ///   - tag: only entries with this tag.
    ///   - words: only entries that a search for these words finds: each of the first 16 words is the beginning of a word of the
    ///     entry.
    ///   - others: the entries to find in addition.
    public func entries(
        language: String? = nil,
        section: Int? = nil,
        tag: String? = nil,
        words: String = "",
        including others: EntrySelection = []
    ) -> FeedEntries<Entry> {
        let published = EntryQuery.Selection.published(includingEnded: others.contains(.ended))
        return entries(language, section, tag, words, (others.contains(.drafts) ? [.drafts] : []) + [published])
    }

    /// The drafts and scheduled entries, which readers don't see yet, in the order of the feed.
    public func drafts(
        language: String? = nil,
        section: Int? = nil,
        tag: String? = nil,
        words: String = ""
    ) -> FeedEntries<Entry> {
        entries(language, section, tag, words, [.drafts])
    }

    private func entries(
        _ language: String?,
        _ section: Int?,
        _ tag: String?,
        _ words: String,
        _ selections: [EntryQuery.Selection]
    ) -> FeedEntries<Entry> {
        FeedEntries(
            feed: self,
            language: language,
            tags: (section.map { ["section:\($0)"] } ?? []) + (tag.map { ["tag:\($0)"] } ?? []),
            words: Array(SearchTerms.all(in: words).prefix(16)),
            selections: selections
        )
    }

    /// The selection of entries that readers see or have seen.
    static var published: EntryQuery.Selection { .published(includingEnded: true) }

    /// An entry in the store, from the first of some selections that has it.
    ///
    /// - Parameter language: the name of a language in the store.
    func stored(_ id: Int, _ language: String, _ selections: [EntryQuery.Selection]) async throws -> StoredEntry? {
        for selection in selections {
            let query = query(language, selection, ids: [id], limit: 1)
            if let entry = try await store.entries(query).first { return entry }
        }
        return nil
    }

    /// A request to the store.
    ///
    /// - Parameter language: the name of a language in the store.
    func query(
        _ language: String,
        _ selection: EntryQuery.Selection = .published(includingEnded: false),
        ids: [Int]? = nil,
        tags: [String] = [],
        words: [String] = [],
        limit: Int
    ) -> EntryQuery {
        EntryQuery(
            stream: FeedStream(feed: name, language: language),
            selection: selection,
            ids: ids,
            tags: tags,
            words: words,
            limit: limit,
            now: served.now
        )
    }
}
