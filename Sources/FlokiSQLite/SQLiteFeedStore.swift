public import Floki
import GRDB

/// Feeds in a SQLite file.
///
/// ```swift
/// let store = try SQLiteFeedStore("feeds.sqlite")
/// ```
/// When ``apply(_:to:)`` has returned, its changes are on the disk, whatever happens to the process or the machine. Windows are
/// read through an index, so that a feed of a million entries answers as fast as one of a thousand. Readers never wait for writers.
public struct SQLiteFeedStore: FeedStore {
    let pool: DatabasePool

    /// Opens or creates a file, and prepares its tables. This blocks: do so while the app starts.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite puts two others beside it, whose names end in `-wal` and `-shm`.
    ///   - readers: how many windows can be read at a time.
    /// - Throws: ``FeedFileError``, which says what is wrong with the file.
    public init(_ path: String, readers: Int = 4) throws(FeedFileError) {
        var configuration = Configuration()
        configuration.label = "backlot.floki"
        configuration.maximumReaderCount = max(1, readers)
        // Other processes may write too.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // With GRDB's NORMAL, a power failure would lose the last changes.
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

    /// Removes the entries that ended before a time, in seconds since 1970, and returns their number. Clients drop such entries
    /// themselves; in the file they only take up space.
    @discardableResult
    public func removeExpired(before time: Int) async throws -> Int {
        try await pool.write { try FeedWriter.removeExpired(before: time, in: $0) }
    }
}

/// Why a file can't store feeds.
public struct FeedFileError: Error, CustomStringConvertible {
    /// The file, and what is wrong with it.
    public let description: String

    init(path: String, _ error: any Error) {
        let problem =
            switch error {
            case let error as FeedFileError: error.description
            case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB: "it is not an SQLite file"
            case let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN:
                "it can't be opened: create its folder, and give this program write access"
            case let error as DatabaseError: error.message ?? "\(error.resultCode)"
            default: "\(error)"
            }
        description = "the feeds can't be kept in '\(path)': \(problem)"
    }

    init(_ problem: String) { description = problem }
}
