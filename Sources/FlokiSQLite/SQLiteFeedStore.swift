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
/// When ``apply(_:to:)`` has returned, its changes are on the disk, whatever happens to the process or the machine. Readers never
/// wait for writers. A feed of a million entries answers as fast as one of a thousand: windows and searches are read in the feed's
/// order, and expired entries are skipped.
///
/// While the disk is full or fails, changes are answered with 503, and windows are read as long as that is possible. Changes are made
/// again when there is room.
///
/// Several processes of a machine may share a file. Each learns of the changes of the others within a tenth of a second, and nothing is
/// looked for while nobody wants to know.
///
/// Searches have connections of their own, and end when their client goes away. A search that takes too long fails with 503. The store
/// itself removes expired entries.
public final class SQLiteFeedStore: FeedStore {
    /// How many expired entries are removed at a time. Other writers come in between.
    private static let sweep = 500
    /// How many words are looked at each time, to forget those that no entry has any more.
    private static let sweptWords = 500
    /// For how long an expired entry still marks a place in its feed, in seconds: clients that show it may ask for what follows.
    private static let grace = 60 * 60
    /// How many found entries a search looks at, those of earlier pages included.
    private static let mostRows = 100_000
    /// How long a search may look for entries once it has found the first.
    private let patience: Duration
    /// How long a search may take in all. One that can't find its first entry by then fails.
    private static let longest = Duration.seconds(5)
    /// How many searches run or wait.
    private static let mostSearches = 256

    let path: String
    let watch: FeedWatch
    /// The connections of searches.
    let searchers: DatabaseReaders
    /// The connection for pages of entries with words or tags.
    private let editors: DatabaseReaders
    /// It goes last: then it can empty the journal of the file.
    let pool: DatabasePool
    let problems: StoreErrorLog
    private let searches = Atomic(0)
    private let sweeping: Task<Void, Never>

    /// Opens or creates a file, and prepares its tables. This blocks: do so while the app starts. A file of an earlier version is
    /// brought up to date, which takes about a minute for a million entries.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite puts two others beside it, whose names end in `-wal` and `-shm`.
    ///   - readers: how many windows can be read at a time.
    ///   - searchers: how many searches can run at a time. Others wait; when too many do, they are answered with 503.
    ///   - patience: how long a search may look for entries once it has found the first.
    ///   - sweepInterval: how often expired entries are looked for and removed; at least a second. They are removed an hour after they
    ///     have expired.
    ///   - clock: decides which entries have expired.
    ///   - logger: gets an error when the file can't be used any more, and a warning when expired entries can't be removed.
    /// - Throws: ``FeedFileError``, which says what is wrong with the file.
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
            // Other processes may write too.
            pool = try DatabasePool(path, label: "backlot.floki", readers: max(1, readers), busyTimeout: .seconds(10))
            try SQLiteFeedSchema.prepare(pool)
            self.searchers = try DatabaseReaders(
                path,
                label: "backlot.floki.search",
                count: max(1, searchers),
                // Windows come first: this lowers the priority of the threads.
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

    /// A published entry that has not ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await read { try SQLiteFeedWindow(database: $0).entry(id, of: stream, now: now) }
    }

    /// Entries as they are stored. Pages of those with words or tags are looked for one after the other, and take longer where few
    /// entries have them all; searches don't wait for them.
    public func entries(_ query: EntryQuery) async throws -> [StoredEntry] {
        guard !query.words.isEmpty || !query.tags.isEmpty else {
            return try await read { try SQLiteFeedWindow(database: $0).entries(query) }
        }
        return try await using { try await editors.read { try SQLiteFeedWindow(database: $0).entries(query) } }
    }

    /// The entries that a search finds.
    ///
    /// - Throws: `StatusError` with 503 when too many searches wait, when the search isn't done after a quarter of a second or 100,000 found
    ///   entries, or when the first entry isn't found within five seconds.
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

    /// Removes the entries that ended before a time, in seconds since 1970, and returns their number. The store does so by itself;
    /// clients drop such entries themselves.
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

    /// Runs `body`. An error of SQLite is logged, and becomes a `FeedFileError`, which names the file.
    func using<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as DatabaseError {
            let problem = FeedFileError(path: path, error)
            problems.note(problem)
            throw problem
        }
    }

    /// Closes the file, once those have been served who use it: the two beside it go away, unless another process uses it too.
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
