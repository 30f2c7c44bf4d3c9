public import Backlot

/// Keeps the entries of feeds.
///
/// Many tasks call these functions at once. A store must not block an event loop. It removes expired entries by itself; afterwards,
/// the id of such an entry gives its place. It remembers the last ``FeedQuery/maximumRemoved`` removed ids.
///
/// Stores keep published entries and drafts apart: windows, searches and pages only show published entries, and an entry may have a
/// draft beside it.
public protocol FeedStore: AppRecordStore {
    /// Makes changes, in their order: all of them, or none after an error. When this has returned, all further windows show them.
    ///
    /// - Returns: the feed's revision after the changes.
    /// - Throws: ``FeedConflict`` for a ``FeedChange/expect(id:language:revision:)`` of an entry that now has another revision.
    @discardableResult
    func apply(_ changes: [FeedChange], to feed: String) async throws -> Int

    /// A window of a feed; empty for a feed without entries.
    func window(_ query: FeedQuery) async throws -> FeedWindow

    /// A published entry that has not ended; nil for an unknown or ended one.
    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry?

    /// The entries that a search finds, as JSON, in the order of the feed.
    ///
    /// - Throws: such as `StatusError` with 503 and `Retry-After` for a search that takes too long: an incomplete page would look
    ///   like the last one.
    func search(_ search: FeedSearch) async throws -> [[UInt8]]

    /// Stored entries, for editors and programs, in the order of the feed.
    func entries(_ query: EntryQuery) async throws -> [StoredEntry]

    /// Reserves ids that no entry of a feed has or had, in any language. They are consecutive, and above all earlier ones.
    ///
    /// - Throws: ``FeedError`` when too few are left: the highest id is 2147483647.
    func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int>

    /// Publishes the scheduled entries that are due, in all feeds.
    ///
    /// - Returns: the next due time, in seconds since 1970; nil if no entry is scheduled.
    func publishDrafts(dueAt now: Int) async throws -> Int?

    /// The number of changes to a feed that this process knows of, without a call to the database; 0 for an unknown feed. Changes
    /// by this process count as soon as they have returned. Changes by other servers usually count after some milliseconds, and
    /// after two seconds at most. nil while they can't be known.
    func revision(of feed: String) -> Int?

    /// The changes of all feeds from now on, by any server, each once and in the order of the revisions.
    func changes() -> FeedEvents

    /// Closes the store's resources, such as its file, after the last request. Any later call fails.
    ///
    /// The default does nothing.
    func close() async
}

extension FeedStore {
    /// The default does nothing.
    public func close() async {}
}

/// Keeps the records of apps, so that several servers can share them.
public protocol AppRecordStore: Sendable {
    /// The record of an app; nil for a new one.
    ///
    /// - Parameter app: the path that the app is mounted at.
    func record(of app: String) async throws -> AppRecord?

    /// Replaces the record of an app if it still has this version; 0 stands for no record.
    ///
    /// - Returns: false if the record has another version. It then stays unchanged.
    func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool

    /// The version of an app's record that this process knows of, without a call to the database (see ``FeedStore/revision(of:)``);
    /// nil without a record, and while the version can't be known.
    func recordVersion(of app: String) -> Int?
}

/// A change of a feed.
public enum FeedChange: Sendable, Equatable {
    /// Adds an entry to a language, or replaces the one with its id. A published entry also ends its draft; a draft leaves the
    /// published entry in place.
    case save(StoredEntry, language: String)
    /// A condition for all changes of the call: at this point, the entry has this revision. That is the draft's revision if there
    /// is a draft, otherwise the published entry's; 0 without either.
    case expect(id: Int, language: String, revision: Int)
    /// Removes an entry and its draft from a language, or from all languages for nil, and remembers its id and place if it was
    /// published.
    case remove(id: Int, language: String?)
    /// Removes the draft of an entry from a language, but not the published entry.
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

    /// Creates a feed in one language.
    public init(feed: String, language: String) {
        self.feed = feed
        self.language = language
    }
}

/// An entry that has another revision than expected: somebody else has changed it. Nothing was changed.
public struct FeedConflict: Error, Equatable, CustomStringConvertible {
    /// The number of the entry.
    public let id: Int
    /// The code of the language; empty for a feed that all languages share.
    public let language: String
    /// The stored entry; nil if it was removed.
    public let stored: StoredEntry?

    /// Creates a conflict.
    public init(id: Int, language: String, stored: StoredEntry?) {
        self.id = id
        self.language = language
        self.stored = stored
    }

    /// A message that tells callers to read the entry and repeat the change.
    public var description: String {
        let place = language.isEmpty ? "" : " in '\(language)'"
        let what = stored == nil ? "has been removed" : "has been changed"
        return "the entry \(id)\(place) \(what) since it was read: read it again, and repeat the change"
    }
}

/// A kind of feed store that a setting may name, such as `memory` or `sqlite:PATH`. The modules of the stores add theirs, so that
/// a server contains only those that it lists: `[.memory, .sqlite]`.
public typealias FeedStoreKind = StoreKind<any FeedStore>

/// A chosen store of feeds, before it is opened.
public typealias FeedStoreChoice = StoreChoice<any FeedStore>

extension FeedStoreKind {
    /// In the memory of the process.
    public static var memory: FeedStoreKind { inMemory("in memory; they end with the server") { MemoryFeedStore() } }
}
