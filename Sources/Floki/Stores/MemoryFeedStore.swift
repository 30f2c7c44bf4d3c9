public import Backlot

/// Feeds in the memory of the process, which end with it.
///
/// ```swift
/// let news = NewsFeed("news", in: MemoryFeedStore())
/// ```
public actor MemoryFeedStore: FeedStore {
    package static let mostSearched = 100_000

    private var feeds: [String: FeedTables] = [:]
    private var records: [String: AppRecord] = [:]
    private let journal = FeedJournal()
    private let mostSearched: Int

    /// Creates an empty store.
    public init() { mostSearched = Self.mostSearched }

    /// Creates a store with the results of some changes, by the feeds' names.
    ///
    /// - Parameter mostSearched: the number of entries that a search looks at.
    package init(_ changes: [String: [FeedChange]], mostSearched: Int = MemoryFeedStore.mostSearched) {
        self.mostSearched = mostSearched
        for (feed, changes) in changes {
            var tables = FeedTables(feed: feed)
            _ = tables.apply(changes)
            feeds[feed] = tables
            journal.note { $0.know(tables.revision, of: feed) }
        }
    }

    /// Makes changes.
    @discardableResult
    public func apply(_ changes: [FeedChange], to feed: String) throws(FeedConflict) -> Int {
        if let conflict = feeds[feed, default: FeedTables(feed: feed)].conflict(in: changes) { throw conflict }
        journal.tell(feeds[feed, default: FeedTables(feed: feed)].apply(changes))
        return feeds[feed]?.revision ?? 0
    }

    /// A window of a feed.
    public func window(_ query: FeedQuery) -> FeedWindow {
        feeds[query.stream.feed]?.streams[query.stream.language]?.removeExpired(at: query.now)
        return feeds[query.stream.feed]?.streams[query.stream.language]?.window(query) ?? FeedWindow()
    }

    /// A published entry that has not ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) -> StoredEntry? {
        feeds[stream.feed]?.streams[stream.language]?.entries[id].flatMap { $0.hasExpired(at: now) ? nil : $0 }
    }

    /// The entries that a search finds.
    ///
    /// - Throws: `StatusError` with 503 when it would look at more than 100,000 entries.
    public func search(_ search: FeedSearch) throws(StatusError) -> [[UInt8]] {
        feeds[search.stream.feed]?.streams[search.stream.language]?.removeExpired(at: search.now)
        return try feeds[search.stream.feed]?.streams[search.stream.language]?.search(search, mostSearched) ?? []
    }

    /// Stored entries.
    public func entries(_ query: EntryQuery) -> [StoredEntry] {
        let tables = feeds[query.stream.feed]
        guard query.selection == .drafts else { return tables?.streams[query.stream.language]?.page(query) ?? [] }
        let drafts = tables?.drafts[query.stream.language] ?? [:]
        let candidates = query.ids.map { Set($0).compactMap { drafts[$0] } } ?? Array(drafts.values)
        let found = candidates.filter { entry in
            query.matches(entry) && query.after.map { entry.place < $0 } ?? true
        }
        return Array(found.sorted { $0.place > $1.place }.prefix(query.limit))
    }

    /// Reserves ids.
    public func allocateIDs(_ count: Int, in feed: String) throws(FeedError) -> ClosedRange<Int> {
        let ids = try FeedIDs.next(count, after: feeds[feed]?.highestID ?? 0, in: feed)
        feeds[feed, default: FeedTables(feed: feed)].highestID = ids.upperBound
        return ids
    }

    /// Publishes the scheduled entries that are due.
    public func publishDrafts(dueAt now: Int) -> Int? {
        for feed in feeds.keys.sorted() {
            let due = feeds[feed]?.changes(dueAt: now) ?? []
            if !due.isEmpty { journal.tell(feeds[feed]?.apply(due) ?? []) }
        }
        return feeds.values.lazy.flatMap(\.dueTimes).min()
    }

    /// The revision of a feed.
    public nonisolated func revision(of feed: String) -> Int? { journal.revision(of: feed) }

    /// The changes from now on.
    public nonisolated func changes() -> FeedEvents { journal.events() }

    /// The record of an app.
    public func record(of app: String) -> AppRecord? { records[app] }

    /// Replaces the record of an app.
    public func replaceRecord(of app: String, version: Int, with record: AppRecord) -> Bool {
        guard (records[app]?.version ?? 0) == version else { return false }
        records[app] = record
        journal.note { $0.know(version: record.version, of: app) }
        return true
    }

    /// The version of an app's record.
    public nonisolated func recordVersion(of app: String) -> Int? { journal.version(of: app) }
}

/// The draft of an entry, and the version that readers see.
private struct EntryVersions {
    var draft: StoredEntry?
    var published: StoredEntry?

    /// The version that an editor has read.
    var latest: StoredEntry? { draft ?? published }
}

/// One feed in all its languages.
private struct FeedTables: Sendable {
    let feed: String
    var highestID = 0
    private(set) var revision = 0
    /// The published entries of each language.
    var streams: [String: StreamTable] = [:]
    private(set) var drafts: [String: [Int: StoredEntry]] = [:]

    init(feed: String) { self.feed = feed }

    /// The first entry with an unexpected revision.
    func conflict(in changes: [FeedChange]) -> FeedConflict? {
        /// The entries that earlier changes have touched, with their new revisions, by language.
        var touched: [String: [Int: EntryVersions]] = [:]
        for change in changes {
            switch change {
            case .expect(let id, let language, let revision):
                let stored = (touched[language]?[id] ?? versions(id, language)).latest
                guard (stored?.revision ?? 0) == revision else {
                    return FeedConflict(id: id, language: language, stored: stored)
                }
            case .save(let entry, let language):
                var versions = touched[language]?[entry.id] ?? self.versions(entry.id, language)
                var saved = entry
                saved.revision = revision + 1
                if entry.publication == .published {
                    versions = EntryVersions(draft: nil, published: saved)
                } else {
                    versions.draft = saved
                }
                touched[language, default: [:]][entry.id] = versions
            case .remove(let id, let language):
                let new = language == nil ? Array(touched.keys) : []
                for language in languages(language) + new {
                    touched[language, default: [:]][id] = EntryVersions(draft: nil, published: nil)
                }
            case .discardDraft(let id, let language):
                var versions = touched[language]?[id] ?? self.versions(id, language)
                versions.draft = nil
                touched[language, default: [:]][id] = versions
            }
        }
        return nil
    }

    private func versions(_ id: Int, _ language: String) -> EntryVersions {
        EntryVersions(draft: drafts[language]?[id], published: streams[language]?.entries[id])
    }

    /// Makes changes, which together form the feed's next revision. Changes without an effect don't.
    mutating func apply(_ changes: [FeedChange]) -> [FeedEvent] {
        var events: [FeedEvent] = []
        func note(_ kind: FeedEvent.Kind, _ id: Int, _ language: String) {
            events.append(FeedEvent(feed: feed, revision: revision + 1, kind: kind, id: id, language: language))
        }
        for change in changes {
            switch change {
            case .expect: break
            case .save(let entry, let language):
                save(entry, language)
                note(entry.publication == .published ? .saved : .drafted, entry.id, language)
            case .remove(let id, let language):
                for language in languages(language) where versions(id, language).latest != nil {
                    drafts[language]?[id] = nil
                    streams[language]?.remove(id)
                    note(.removed, id, language)
                }
            case .discardDraft(let id, let language):
                if drafts[language]?.removeValue(forKey: id) != nil { note(.drafted, id, language) }
            }
        }
        if !events.isEmpty { revision += 1 }
        return events
    }

    private mutating func save(_ entry: StoredEntry, _ language: String) {
        var entry = entry
        entry.revision = revision + 1
        highestID = max(highestID, entry.id)
        if entry.publication == .published {
            drafts[language]?[entry.id] = nil
            streams[language, default: StreamTable()].save(entry)
        } else {
            drafts[language, default: [:]][entry.id] = entry
        }
    }

    private func languages(_ language: String?) -> [String] {
        language.map { [$0] } ?? Set(streams.keys).union(drafts.keys).sorted()
    }

    /// The due times of the scheduled entries.
    var dueTimes: [Int] {
        drafts.values.flatMap(\.values).compactMap {
            if case .scheduled(let time) = $0.publication { time } else { nil }
        }
    }

    /// The changes that publish the scheduled entries that are due.
    func changes(dueAt now: Int) -> [FeedChange] {
        drafts.sorted { $0.key < $1.key }.flatMap { language, entries in
            entries.values.sorted { $0.place < $1.place }.compactMap { entry in
                guard case .scheduled(let time) = entry.publication, time <= now else { return nil }
                var entry = entry
                entry.publication = .published
                return .save(entry, language: language)
            }
        }
    }
}

/// Ids of new entries.
package enum FeedIDs {
    /// The highest id: clients store a whole number of 32 bits.
    package static let highest = Int(Int32.max)

    /// The next ids.
    ///
    /// - Throws: ``FeedError`` when too few are left.
    package static func next(_ count: Int, after last: Int, in feed: String) throws(FeedError) -> ClosedRange<Int> {
        guard count >= 1 else { throw FeedError("\(count) ids can't be reserved: reserve at least 1") }
        guard count <= highest, last <= highest - count else {
            let rest = max(0, highest - last)
            throw FeedError("the feed '\(feed)' has only \(rest) ids left, up to \(highest): begin another feed")
        }
        return (last + 1)...(last + count)
    }
}
