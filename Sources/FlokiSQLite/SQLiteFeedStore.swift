public import Backlot
import BacklotDatabase
import Dispatch
public import Floki
public import Logging
import Synchronization

/// Feeds in a SQLite file.
///
/// ```swift
/// let store = try SQLiteFeedStore("feeds.sqlite")
/// ```
/// When ``apply(_:to:)`` has returned, its changes are on the disk and survive any failure of the process or the machine. Readers
/// never wait for writers. A feed of a million entries is as fast as one of a thousand: the store reads windows and searches in
/// the feed's order, and skips expired entries.
///
/// While the disk is full or fails, changes fail with a 503, but the store continues to read windows if it can. Changes work again
/// once there is room.
///
/// Several processes of a machine may share a file. Each learns of the others' changes within a tenth of a second. The store looks
/// for changes only while somebody waits for them.
///
/// Searches use separate connections, and end when their client disconnects. A search that takes too long fails with a 503. The
/// store removes expired entries by itself.
public final class SQLiteFeedStore: FeedStore {
    /// The number of expired entries to remove at a time. Other writers get their turn in between.
    private static let sweep = 500
    /// The number of words to check at a time, for removing unused ones.
    private static let sweptWords = 500
    /// The time in seconds for which an expired entry still marks a place in its feed. Clients that show the entry may request the
    /// entries after it.
    private static let grace = 60 * 60
    /// The maximum number of found entries that a search reads, including those of earlier pages.
    private static let mostRows = 100_000
    /// The time limit of a search after it has found its first entry.
    private let patience: Duration
    /// The time limit of a search in total. If it can't find its first entry by then, it fails.
    private static let longest = Duration.seconds(5)
    /// The maximum number of searches that run or wait.
    private static let mostSearches = 256

    let path: String
    let watch: FeedWatch
    /// The connections of searches.
    let searchers: DatabaseReaders
    /// The connection for pages of entries with certain words or tags.
    private let editors: DatabaseReaders
    /// The connections for everything else. They are closed last, so that they can empty the file's journal.
    let pool: DatabasePool
    let problems: StoreErrorLog
    private let searches = Atomic(0)
    private let sweeping: Task<Void, Never>

    /// Opens or creates a file, and prepares its tables. This blocks: do it while the app starts. A file of an earlier version is
    /// brought up to date, which takes about a minute for a million entries.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite has two more files beside it, with `-wal` and `-shm` added to the name.
    ///   - readers: the number of windows that can be read at a time.
    ///   - searchers: the number of searches that can run at a time. Others wait; if too many wait, further ones fail with a 503.
    ///   - patience: the time limit of a search after it has found its first entry.
    ///   - sweepInterval: the interval for removing expired entries; at least a second. They are removed an hour after they have
    ///     expired.
    ///   - clock: decides which entries have expired.
    ///   - logger: logs an error when the file can't be used any more, and a warning when expired entries can't be removed.
    /// - Throws: ``FeedFileError``, which describes the problem with the file.
    public init(
        _ path: String,
        readers: Int = 4,
        searchers: Int = 1,
        patience: Duration = .milliseconds(250),
        sweepInterval: Duration = .seconds(60),
        clock: SessionClock = .system,
        logger: Logger = Logger(label: "backlot.floki")
    ) throws(FeedFileError) {
        precondition(sweepInterval >= .seconds(1), "sweepInterval must be at least 1 second, but is \(sweepInterval)")
        self.path = path
        self.patience = patience
        problems = StoreErrorLog(logger)
        do {
            // Other processes may also write.
            pool = try DatabasePool(path, label: "backlot.floki", readers: max(1, readers), busyTimeout: .seconds(10))
            try SQLiteFeedSchema.prepare(pool)
            self.searchers = try DatabaseReaders(
                path,
                label: "backlot.floki.search",
                count: max(1, searchers),
                // Lowers the priority of the threads, because windows have precedence.
                qos: .background,
                // Pages of a common word read thousands of entries, 250 bytes each.
                setUp: "PRAGMA cache_size = -16384"
            )
            editors = try DatabaseReaders(path, label: "backlot.floki.edit", count: 1, qos: .background)
            watch = try FeedWatch(path, logger: logger)
        } catch {
            throw FeedFileError(path: path, error)
        }
        let pool = pool
        sweeping = Task {
            var word = ""
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: sweepInterval)
                    let end = clock.secondsSince1970 - Self.grace
                    while try await pool.write({ try Self.removeSome(before: end, $0) }) == Self.sweep {}
                    word = try await pool.write { [word] database in
                        try TermExpression(database: database).forgetUnused(after: word, atMost: Self.sweptWords)
                    }
                } catch {
                    if !Task.isCancelled { logger.warning("expired entries can't be removed: \(error)") }
                }
            }
        }
    }

    deinit { sweeping.cancel() }

    /// A window of a feed.
    public func window(_ query: FeedQuery) async throws -> FeedWindow {
        try await read { try SQLiteFeedWindow(database: $0).window(query) }
    }

    /// A published entry that hasn't ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await read { try SQLiteFeedWindow(database: $0).entry(id, of: stream, now: now) }
    }

    /// The stored entries of a query. Pages of entries with certain words or tags are read one after the other, and take longer if
    /// few entries match. Searches don't wait for them.
    public func entries(_ query: EntryQuery) async throws -> [StoredEntry] {
        guard !query.words.isEmpty || !query.tags.isEmpty else {
            return try await read { try SQLiteFeedWindow(database: $0).entries(query) }
        }
        return try await using { try await editors.read { try SQLiteFeedWindow(database: $0).entries(query) } }
    }

    /// The entries that a search finds.
    ///
    /// - Throws: `StatusError` with 503 when too many searches wait, or when the search exceeds a limit: a quarter of a second,
    ///   100,000 found entries, or five seconds for the first entry.
    public func search(_ search: FeedSearch) async throws -> [[UInt8]] {
        defer { searches.subtract(1, ordering: .relaxed) }
        guard searches.add(1, ordering: .relaxed).newValue <= Self.mostSearches else {
            throw StatusError.tooManySearches
        }
        let (searchers, patience) = (searchers, patience)
        return try await withThrowingTaskGroup(of: [[UInt8]]?.self) { group in
            group.addTask {
                try await self.using {
                    try await searchers.read { database in
                        let deadline = ContinuousClock.now + patience
                        let reader = SQLiteFeedWindow(database: database)
                        return try reader.search(search, mostRows: Self.mostRows, deadline: deadline)
                    }
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.longest)
                return nil
            }
            defer { group.cancelAll() }
            guard let found = try await group.next() ?? nil else {
                throw StatusError.searchTooLong
            }
            return found
        }
    }

    /// Removes the entries that ended before a time, in seconds since 1970, and returns their number. The store does this
    /// automatically, and clients drop such entries themselves.
    @discardableResult
    public func removeExpired(before time: Int) async throws -> Int {
        var count = 0
        while true {
            let removed = try await pool.write { try Self.removeSome(before: time, $0) }
            count += removed
            if removed < Self.sweep { return count }
        }
    }

    /// Reads a single state of the file.
    func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await using { try await pool.read(body) }
    }

    /// Runs `body`. An error of SQLite is logged, and becomes a `FeedFileError` that names the file.
    func using<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError {
            let problem = FeedFileError(path: path, error)
            problems.note(problem)
            throw problem
        }
    }

    /// Closes the file, once its current users are done. The two files beside it disappear, unless another process uses them too.
    public func close() async {
        sweeping.cancel()
        try? await Blocking.run { [self] in
            watch.close()
            searchers.close()
            editors.close()
            pool.close()
        }
    }

    private static func removeSome(before time: Int, _ database: Database) throws -> Int {
        try EntryWriter(database: database).removeExpired(before: time, atMost: sweep)
    }
}
