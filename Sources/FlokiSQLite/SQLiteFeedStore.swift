public import Floki
import GRDB

/// Feeds in a SQLite file.
///
/// ```swift
/// let store = try SQLiteFeedStore("feeds.sqlite")
/// ```
/// What ``apply(_:to:)`` has returned for is on the disk, whatever happens to the process or the machine. Windows are read
/// through an index, so that a feed of a million entries answers as fast as one of a thousand; a reader never waits for a writer.
public struct SQLiteFeedStore: FeedStore {
    let pool: DatabasePool

    /// Opens a file, which is made where there is none, and prepares its tables. This blocks: do so while the app starts.
    ///
    /// - Parameters:
    ///   - path: the file. Beside it are two others of the same name, with `-wal` and `-shm` behind it.
    ///   - readers: how many windows are read at a time.
    /// - Throws: ``FeedFileError``, which says what is wrong with the file.
    public init(_ path: String, readers: Int = 4) throws(FeedFileError) {
        var configuration = Configuration()
        configuration.label = "backlot.floki"
        configuration.maximumReaderCount = max(1, readers)
        // Other processes may write too.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // GRDB's NORMAL would lose the last changes with the power.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            try FeedSchema.prepare(pool)
        } catch {
            throw FeedFileError(path: path, error)
        }
    }

    /// Makes changes in one transaction, and returns when they are on the disk.
    public func apply(_ changes: [FeedChange], to feed: String) async throws {
        guard !changes.isEmpty else { return }
        try await pool.write { try FeedWriter(database: $0, feed: feed).apply(changes) }
    }

    /// A window of a feed.
    public func window(_ query: FeedQuery) async throws -> FeedWindow {
        try await pool.read { try FeedReader(database: $0).window(query) }
    }

    /// An entry that has not ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await pool.read { try FeedReader(database: $0).entry(id, of: stream, now: now) }
    }

    /// The entries that a search finds.
    public func search(_ search: FeedSearch) async throws -> [[UInt8]] {
        try await pool.read { try FeedReader(database: $0).search(search) }
    }

    /// Removes what ended before a time, in seconds since 1970, and returns how many entries that were. Clients drop such entries
    /// by themselves; here they only take up room.
    @discardableResult
    public func removeExpired(before time: Int) async throws -> Int {
        try await pool.write { try FeedWriter.removeExpired(before: time, in: $0) }
    }
}
