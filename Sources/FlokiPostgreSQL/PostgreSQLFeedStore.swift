public import Backlot
public import BacklotPostgreSQL
public import Floki
public import Logging
import Synchronization

/// Feeds in PostgreSQL, which several servers share.
///
/// ```swift
/// let store = try PostgreSQLFeedStore("postgres://app:secret@10.0.0.5/app", configurations: ["en": "english"])
/// ```
/// When ``apply(_:to:)`` has returned, its changes are committed: the next window that any server reads from the database shows
/// them. Other servers discard the responses in their memory when they learn of the change: usually after some milliseconds, and
/// after two seconds at most. The writers of a feed wait for one another; readers don't wait. After a lost connection, each
/// server reads the changes that it has missed.
///
/// A feed of a million entries is as fast as one of a thousand: the store reads windows and searches in the feed's order, and
/// skips expired entries. A search that takes too long fails with a 503. Searches use separate connections. One of the servers
/// removes expired entries.
///
/// The first use creates the tables. Their names begin with `floki_`. While PostgreSQL is away, all operations fail with
/// `PostgreSQLError`, which results in a 503 with `Retry-After`.
public final class PostgreSQLFeedStore: FeedStore {
    /// The maximum number of searches that run or wait.
    private static let mostSearches = 256
    /// The longest time for a search to wait and run.
    private static let longestSearch = Duration.seconds(5)

    let database: PostgreSQLDatabase
    private let searchers: PostgreSQLDatabase
    private let configurations: [String: String]
    private let clock: SessionClock
    let journal = FeedJournal(isCurrent: false)
    private let streams: FeedStreamNumbers
    private let searches = Atomic(0)
    /// The time limit of a search in the index, and again of the scan. Tests set a longer one.
    package let patience = Locked(Duration.milliseconds(250))
    /// Whether the configurations are known to exist in the database.
    private let isChecked = Atomic(false)
    private let follower: FeedFollower
    private let background = Locked<[Task<Void, Never>]>([])

    /// Creates a store in a database. Blocks until the database has returned its state or can't be reached, at most for its
    /// `timeout`: create the store while the app starts.
    ///
    /// - Parameters:
    ///   - database: the connections, which other stores may share. The store listens for changes on an additional one.
    ///   - configurations: PostgreSQL's text search configurations for languages, such as `["en": "english", "es": "spanish"]`. A
    ///     search in such a language also finds other forms of a word, in entries that were saved with the configuration. A feed
    ///     that all languages share has an empty language code.
    ///   - searchers: the number of additional connections for searches.
    ///   - sweepInterval: the interval for removing expired entries; at least a second. They are removed an hour after they have
    ///     expired.
    ///   - clock: decides which entries have expired.
    ///   - logger: logs a warning when expired entries can't be removed.
    public init(
        _ database: PostgreSQLDatabase,
        configurations: [String: String] = [:],
        searchers: Int = 1,
        sweepInterval: Duration = .seconds(60),
        clock: SessionClock = .system,
        logger: Logger = Logger(label: "backlot.floki")
    ) {
        precondition(sweepInterval >= .seconds(1), "sweepInterval must be at least 1 second, but is \(sweepInterval)")
        self.database = database
        self.searchers = PostgreSQLDatabase(
            database.address,
            connections: max(1, searchers),
            timeout: database.timeout,
            logger: logger
        )
        self.configurations = configurations
        self.clock = clock
        let streams = FeedStreamNumbers(database: database)
        self.streams = streams
        follower = FeedFollower(database, journal) { streams.forget() }
        let sweeper = FeedSweeper(database)
        let sweep = Task { await sweeper.run(every: sweepInterval, clock: clock, logger: logger) }
        let begin = Task { [weak self] in
            var isNews = true
            while !Task.isCancelled, let store = self {
                do {
                    return try await store.prepare()
                } catch let mistake as FeedError {
                    if isNews { logger.error("\(mistake)") }
                    isNews = false
                } catch {
                    // The database logs it.
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        background.withLock { $0 = [sweep, begin] }
    }

    /// Creates a store in the database at an address.
    ///
    /// - Parameters:
    ///   - address: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
    ///   - configurations: PostgreSQL's text search configurations for languages, such as `["en": "english"]`.
    /// - Throws: `PostgreSQLAddressError`.
    public convenience init(_ address: String, configurations: [String: String] = [:]) throws(PostgreSQLAddressError) {
        self.init(PostgreSQLDatabase(try PostgreSQLAddress(address)), configurations: configurations)
    }

    deinit {
        for task in background.withLock({ $0 }) { task.cancel() }
    }

    /// Creates missing tables. All other operations do so first: call this while the app starts, to learn of mistakes at once.
    ///
    /// - Throws: `PostgreSQLError`, also for tables of a later version; `FeedError` for an unknown text search configuration.
    public func prepare() async throws {
        try await database.prepare(PostgreSQLFeedSchema.migrations)
        guard !isChecked.load(ordering: .acquiring) else { return }
        try await Self.check(configurations, database)
        isChecked.store(true, ordering: .releasing)
    }

    private static func check(_ configurations: [String: String], _ database: PostgreSQLDatabase) async throws {
        for (language, name) in configurations.sorted(by: { $0.key < $1.key }) {
            let known = try await database.query(
                "SELECT cfgname::text FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY cfgname",
                [],
                .readOnly
            ) { row -> String in try row[0] }
            guard known.contains(name) else {
                throw FeedError(
                    "the database has no text search configuration '\(name)' for the language '\(language)', but: \(known.joined(separator: ", "))"
                )
            }
        }
    }

    // MARK: Changing

    /// Makes changes in one transaction, and returns when they are committed.
    @discardableResult
    public func apply(_ changes: [FeedChange], to feed: String) async throws -> Int {
        try Self.check(feed: feed)
        let highestID = changes.reduce(0) { highest, change in
            switch change {
            case .save(let entry, _): max(highest, entry.id)
            case .expect, .remove, .discardDraft: highest
            }
        }
        return try await write(feed, highestID: highestID) { try $0.apply(changes) }.revision
    }

    /// Publishes the scheduled entries that are due.
    public func publishDrafts(dueAt now: Int) async throws -> Int? {
        try await prepare()
        let find = """
            SELECT DISTINCT s.feed FROM floki_draft AS d JOIN floki_stream AS s ON s.number = d.stream WHERE d.due <= $1 ORDER BY 1
            """
        for feed in try await database.query(find, [.integer(now)], .readOnly, read: { row -> String in try row[0] }) {
            while try await write(feed, highestID: 0, { try $0.publishDrafts(dueAt: now) }).hasChanged {}
        }
        let sql = "SELECT min(due) FROM floki_draft WHERE due IS NOT NULL"
        return try await database.query(sql, [], .readOnly) { row -> Int? in try row[0] }.first ?? nil
    }

    /// Changes a feed in one transaction.
    ///
    /// - Parameter body: returns whether it has made any changes.
    private func write(
        _ feed: String,
        highestID: Int,
        _ body: @escaping @Sendable (inout PostgreSQLFeedWriter) throws -> Bool
    ) async throws -> (revision: Int, hasChanged: Bool) {
        try await prepare()
        let (configurations, clock) = (configurations, clock)
        do {
            let revision = try await database.transaction { connection in
                var writer = PostgreSQLFeedWriter(
                    connection: connection,
                    feed: feed,
                    configurations: configurations,
                    now: clock.secondsSince1970
                )
                try writer.begin(highestID: highestID)
                guard try body(&writer) else { throw Unchanged(revision: writer.revision - 1) }
                return writer.revision
            }
            journal.note { $0.know(revision, of: feed) }
            return (revision, true)
        } catch let unchanged as Unchanged {
            return (unchanged.revision, false)
        }
    }

    /// Thrown to roll back a transaction without changes, so that the revision stays.
    private struct Unchanged: Error {
        let revision: Int
    }

    /// Reserves ids.
    public func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int> {
        try Self.check(feed: feed)
        try await prepare()
        return try await database.transaction { connection in
            let find = """
                INSERT INTO floki_feed (name, revision, last_id) VALUES ($1, 0, 0)
                ON CONFLICT (name) DO UPDATE SET last_id = floki_feed.last_id RETURNING last_id
                """
            let last = try connection.query(find, [.text(feed)]) { row -> Int in try row[0] }.first ?? 0
            let ids = try FeedIDs.next(count, after: last, in: feed)
            let sql = "UPDATE floki_feed SET last_id = $2 WHERE name = $1"
            try connection.run(sql, [.text(feed), .integer(ids.upperBound)])
            return ids
        }
    }

    private static func check(feed: String) throws(FeedError) {
        let longest = PostgreSQLFeedSchema.longestTag
        guard !feed.utf8.contains(0), feed.utf8.count <= longest else {
            throw FeedError("the name of a feed has up to \(longest) bytes, and not the character U+0000")
        }
    }

    // MARK: Reading

    /// A window of a feed.
    public func window(_ query: FeedQuery) async throws -> FeedWindow {
        try await prepare()
        guard let stream = try await streams.number(of: query.stream) else { return FeedWindow() }
        let hasLate = query.now < clock.secondsSince1970 - LateEntries.tolerance
        let statement = PostgreSQLFeedWindow(query, stream: stream, hasLate: hasLate).statement
        let rows = try await database.query(statement.sql, statement.values, .readOnly) { try WindowRow($0) }
        return FeedWindow(rows, query)
    }

    /// A published entry that hasn't ended.
    public func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await entries(EntryQuery(stream: stream, ids: [id], limit: 1, now: now)).first
    }

    /// The stored entries of a query. Queries for words use the connections of searches, since they may take long.
    public func entries(_ query: EntryQuery) async throws -> [StoredEntry] {
        guard query.words.isEmpty || IndexedTerms.canBeFound(query.words) else { return [] }
        guard !query.tags.contains(where: { $0.utf8.contains(0) }) else { return [] }
        try await prepare()
        let statement = EntryStatement(query).statement
        let database = query.words.isEmpty ? database : searchers
        return try await database.query(statement.sql, statement.values, .readOnly) { try StoredEntry($0) }
    }

    /// The entries that a search finds.
    ///
    /// - Throws: `StatusError` with 503 when too many searches wait, when this one has waited for five seconds, or when it
    ///   exceeds a limit: some hundred milliseconds, or 100,000 entries of a frequent word.
    public func search(_ search: FeedSearch) async throws -> [[UInt8]] {
        defer { searches.subtract(1, ordering: .relaxed) }
        guard searches.add(1, ordering: .relaxed).newValue <= Self.mostSearches else {
            throw StatusError.tooManySearches
        }
        try await prepare()
        let (configuration, patience) = (configurations[search.stream.language], patience.withLock { $0 })
        let deadline = ContinuousClock.now + Self.longestSearch
        return try await searchers.transaction(.readOnly) { connection in
            guard ContinuousClock.now < deadline else {
                throw StatusError.tooManySearches
            }
            return try FeedSearcher(
                search: search,
                configuration: configuration,
                patience: patience,
                connection: connection
            ).run()
        }
    }

    /// Removes the entries that ended before a time, in seconds since 1970, and returns their number. One of the servers does
    /// this automatically, and clients drop such entries themselves.
    @discardableResult
    public func removeExpired(before time: Int) async throws -> Int {
        try await prepare()
        let sweeper = FeedSweeper(database)
        try await sweeper.mark(before: time)
        return try await sweeper.remove(before: time)
    }
}
