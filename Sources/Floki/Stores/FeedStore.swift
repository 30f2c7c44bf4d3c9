public import Backlot

/// Keeps the entries of feeds.
///
/// Many tasks call these functions at once. None of them blocks an event loop. Stores remove expired entries by themselves; after
/// that, the place of such an entry is the one of its id. They remember the last ``FeedQuery/mostRemoved`` removed ids.
///
/// What readers may see and what they may not yet see is kept apart: windows, searches and pages show published entries alone, and
/// an entry may have a draft beside it.
public protocol FeedStore: AppRecordStore {
    /// Makes changes, in their order: all of them or none. Every window that is read after this has returned shows them.
    ///
    /// - Returns: the revision of the feed after them.
    /// - Throws: ``FeedConflict`` for a ``FeedChange/replace(_:language:revision:)`` of an entry that has another revision by now.
    @discardableResult
    func apply(_ changes: [FeedChange], to feed: String) async throws -> Int

    /// A window of a feed; empty for a feed without entries.
    func window(_ query: FeedQuery) async throws -> FeedWindow

    /// A published entry that has not ended; nil for an unknown or ended one.
    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry?

    /// The entries that a search finds, as JSON, in the order of the feed.
    ///
    /// - Throws: such as `StatusError` with 503 and `Retry-After` for a search that takes too long: fewer entries than there are would look
    ///   like the last ones.
    func search(_ search: FeedSearch) async throws -> [[UInt8]]

    /// Entries as they are stored, for editors and programs, in the order of the feed.
    func entries(_ query: EntryQuery) async throws -> [StoredEntry]

    /// Reserves ids that no entry of a feed has or had, in any language. They are consecutive, and above all earlier ones.
    ///
    /// - Throws: ``FeedError`` when too few are left: the highest id is 2147483647.
    func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int>

    /// Publishes the scheduled entries of all feeds whose time has come.
    ///
    /// - Returns: when the next one is due, in seconds since 1970; nil for none.
    func publishDrafts(dueAt now: Int) async throws -> Int?

    /// How often a feed has been changed, as far as this process knows without asking: 0 for an unknown feed. Changes that were made
    /// in this process count as soon as they have returned; those of other servers after some milliseconds as a rule, and two seconds
    /// at most. nil while those can't be known.
    func revision(of feed: String) -> Int?

    /// The changes of all feeds from now on, by any server, each once and in the order of the revisions.
    func changes() -> FeedEvents

    /// Closes what the store has open, such as its file, after the last request. Whatever is called later fails.
    ///
    /// Does nothing, unless a store defines it.
    func close() async
}

extension FeedStore {
    /// Does nothing.
    public func close() async {}
}

/// Keeps the records of apps, where several servers find them.
public protocol AppRecordStore: Sendable {
    /// The record of an app; nil for a new one.
    ///
    /// - Parameter app: the path that the app is mounted at.
    func record(of app: String) async throws -> AppRecord?

    /// Replaces the record of an app, if it has still this version; 0 stands for none.
    ///
    /// - Returns: false for a record that has another version. Nothing has changed then.
    func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool

    /// The version of an app's record, as far as this process knows without asking, as with ``FeedStore/revision(of:)``; nil for none,
    /// and while it can't be known.
    func recordVersion(of app: String) -> Int?
}

/// A change of a feed.
public enum FeedChange: Sendable, Equatable {
    /// Adds an entry to a language, or replaces the one with its id. A published entry also ends its draft; a draft stands beside the
    /// published entry.
    case save(StoredEntry, language: String)
    /// The same, if the entry has still this revision: that of its draft where there is one, or else that of the published one; 0
    /// stands for none.
    case replace(StoredEntry, language: String, revision: Int)
    /// Removes an entry and its draft from a language, or from all if that is nil, and remembers its id and place. For an entry that
    /// was not published, nothing is remembered.
    case remove(id: Int, language: String?)
    /// Removes the draft of an entry from a language, and nothing else.
    case discardDraft(id: Int, language: String)
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

/// Two changes of an entry, of which only the first was made.
public struct FeedConflict: Error, Equatable, CustomStringConvertible {
    /// The number of the entry.
    public let id: Int
    /// The code of the language; empty for a feed that all languages share.
    public let language: String
    /// What is stored; nil for an entry that was removed.
    public let stored: StoredEntry?
    /// What should have replaced it.
    public let yours: StoredEntry

    /// A conflict.
    public init(id: Int, language: String, stored: StoredEntry?, yours: StoredEntry) {
        self.id = id
        self.language = language
        self.stored = stored
        self.yours = yours
    }

    /// What has happened, and what to do.
    public var description: String {
        let place = language.isEmpty ? "" : " in '\(language)'"
        let what = stored == nil ? "has been removed" : "has been changed"
        return "the entry \(id)\(place) \(what) since it was read: read it again, and make the change once more"
    }
}

/// A kind of feed store that a setting may name, such as `memory` or `sqlite:PATH`. The modules of the stores add theirs, so that
/// a server contains only those that it lists: `[.memory, .sqlite]`.
public typealias FeedStoreKind = StoreKind<any FeedStore>

/// A store of feeds that was chosen, and is not open yet.
public typealias FeedStoreChoice = StoreChoice<any FeedStore>

extension FeedStoreKind {
    /// In the memory of the process.
    public static var memory: FeedStoreKind { inMemory("in memory; they end with the server") { MemoryFeedStore() } }
}
