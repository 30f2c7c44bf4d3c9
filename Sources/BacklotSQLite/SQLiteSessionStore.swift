public import Backlot
internal import BacklotDatabase
internal import FoundationEssentials
public import Logging

/// Sessions in a file of SQLite: they survive a restart, and any failure of the process or the machine.
///
/// ```swift
/// let sessions = try SQLiteSessionStore("/var/lib/app/sessions.sqlite")
/// router.applin("/", sessions: sessions) { addPages(to: $0) }
/// ```
/// When a call that saves returns, the data is on the disk. Requests that save at the same time wait for the disk together. Only
/// the time of a session's last request may be lost in a power failure.
///
/// Threads of the store read and write sessions, so event loops don't wait for the disk. If the store has read a session less
/// than a second ago, it doesn't read it again, unless it has changed the session since. Several processes on one machine may
/// share a file: each sees the changes of the others within a second.
///
/// Its size is limited. When it is full, it removes sessions without a user first, and then the others. In both groups, the
/// sessions that end soonest go first.
///
/// While the disk is full, calls that write fail with a 503, but reading continues. Writing continues when there is room again.
public final class SQLiteSessionStore: SessionStore {
    /// The number of expired sessions to remove at a time. Other writers get their turn in between.
    private static let collected = 500
    /// The maximum memory for copies of sessions, in bytes.
    private static let cacheBytes = 16 << 20
    /// The maximum number of look-ups or changes in a batch.
    private static let batch = 512

    private let database: DatabasePool
    private let cache: Locked<SessionCache>
    private let lookups: [BatchQueue<SessionLookup>]
    private let changes: BatchQueue<GroupCommit.Item>
    private let collecting: Task<Void, Never>
    private let clock: SessionClock
    private let path: String
    /// The file that was opened.
    private let identity: FileIdentity?
    private let problems: StoreErrorLog

    /// Opens a file of sessions. Only its owner can read a new file.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite has two more files beside it, with `-wal` and `-shm` added to the name.
    ///   - maximumBytes: the maximum number of bytes of all sessions: 1 GB, enough for two million small ones.
    ///   - fileBytes: the largest size of the file, for example on a small disk; nil to limit it only by the disk.
    ///   - maximumAge: the longest reuse of a session that was read, at most a second; zero reads the file each time.
    ///   - sweepInterval: the interval for removing expired sessions; at least a second.
    ///   - clock: decides which sessions have expired.
    ///   - logger: logs a warning when expired sessions can't be removed.
    /// - Throws: `SessionFileError`.
    public init(
        _ path: String,
        maximumBytes: Int = 1 << 30,
        fileBytes: Int? = nil,
        maximumAge: Duration = .seconds(1),
        sweepInterval: Duration = .seconds(60),
        clock: SessionClock = .system,
        logger: Logger = Logger(label: "backlot.sessions")
    ) throws {
        precondition(maximumBytes >= 1024, "maximumBytes must be at least 1,024, but is \(maximumBytes)")
        precondition(
            (.zero ... .seconds(1)).contains(maximumAge),
            "maximumAge must be 0 to 1 second, but is \(maximumAge)"
        )
        precondition(sweepInterval >= .seconds(1), "sweepInterval must be at least 1 second, but is \(sweepInterval)")
        let readers = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount / 2))
        let database = try SessionDatabase.open(path, readers: readers, fileBytes: fileBytes)
        self.database = database
        self.path = path
        identity = FileClaim.identity(of: path)
        problems = StoreErrorLog(logger)
        self.clock = clock
        cache = Locked(SessionCache(maximumBytes: Self.cacheBytes, maximumAge: maximumAge))
        lookups = (1...readers).map { number in
            BatchQueue(label: "backlot.sessions.read.\(number)", most: Self.batch) {
                SessionLookup.run($0, in: database)
            }
        }
        let commit = GroupCommit(database, maximumBytes: maximumBytes)
        let changes = BatchQueue(label: "backlot.sessions.write", most: Self.batch) { commit.run($0) }
        self.changes = changes
        collecting = Task {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: sweepInterval)
                    try await Self.collect(endedAt: clock.secondsSince1970, with: changes)
                } catch {
                    if !Task.isCancelled { logger.warning("sessions that have ended can't be forgotten: \(error)") }
                }
            }
        }
    }

    deinit { collecting.cancel() }

    /// The session with a key, at most a second old; nil for an unknown key. Ready if it was read within that time.
    public func session(at key: SessionHash) -> Ready<SessionRecord?> {
        let now = ContinuousClock.now
        let (copy, ticket) = cache.withLock { ($0.record(at: key, now: now), $0.ticket(for: key)) }
        if let copy { return .ready(copy) }
        return .pending { [self] in
            guard let record = try await read(key) else { return nil }
            cache.withLock { $0.keep(record, ticket, readAt: now) }
            return record
        }
    }

    /// Stores a new session.
    public func insert(_ record: SessionRecord) async throws {
        try await change(.insert(record), of: record.key)
    }

    /// Replaces a session, if it still exists and nobody has changed it since `version`.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        try await change(.replace(key, version: version, record), of: key, record.key) > 0
    }

    /// Records the time of a request.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await change(.touch(key, lastSeen: lastSeen, expiresAt: expiresAt), of: key)
    }

    /// Removes a session.
    public func remove(_ key: SessionHash) async throws {
        try await change(.remove(key), of: key)
    }

    /// Removes all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async throws {
        try await change(.removeAll(user: user, mount: mount))
    }

    /// Stores and removes a session that belongs to nobody, in one transaction, so that nobody ever sees it.
    ///
    /// - Throws: `SessionFileError` if another file has taken the path since the store was opened, so that new data would be
    ///   lost.
    public func check() async throws {
        let probe = SessionRecord.probe()
        try await Blocking.run { [path, identity, database, problems] in
            guard let identity, let found = FileClaim.identity(of: path), found.isSameFile(as: identity) else {
                let error = SessionFileError(
                    path: path,
                    problem: "it was removed or replaced while the program uses it",
                    advice: "put the file back, or restart the program: otherwise new sessions are lost when it ends"
                )
                problems.note(error)
                throw error
            }
            problems.clear()
            try database.write { db in
                _ = try StoreChange.insert(probe).run(db)
                _ = try StoreChange.remove(probe.key).run(db)
            }
        }
    }

    /// The number of sessions in the file.
    public func sessionCount() async throws -> Int? {
        try await Blocking.run { [database] in
            try database.read { try $0.first("SELECT count FROM session_total") { $0[0] } }
        }
    }

    /// Removes the expired sessions now, before the next regular removal.
    public func removeExpired() async throws {
        try await Self.collect(endedAt: clock.secondsSince1970, with: changes)
    }

    /// Closes the file, once its current users are done. The two files beside it disappear, unless another process uses them too.
    public func close() async {
        collecting.cancel()
        let database = database
        try? await Blocking.run { database.close() }
    }

    private func read(_ key: SessionHash) async throws -> SessionRecord? {
        let queue = lookups[Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) % UInt(lookups.count))]
        return try await withCheckedThrowingContinuation { continuation in
            queue.submit(SessionLookup(key: key) { continuation.resume(with: $0) })
        }
    }

    /// Makes a change, and drops the copies that become wrong, even after a failure.
    @discardableResult
    private func change(_ change: StoreChange, of keys: SessionHash...) async throws -> Int {
        let cache = cache
        return try await withCheckedThrowingContinuation { continuation in
            let item = GroupCommit.Item(change: change) { result in
                cache.withLock { cache in
                    if case .removeAll = change { cache.dropAll() }
                    for key in keys { cache.drop(key) }
                }
                continuation.resume(with: result)
            }
            changes.submit(item)
        }
    }

    /// Removes the sessions that have expired by a time, one batch after the other.
    private static func collect(endedAt now: Int, with changes: BatchQueue<GroupCommit.Item>) async throws {
        var count = collected
        while count == collected {
            count = try await withCheckedThrowingContinuation { continuation in
                let change = StoreChange.collect(endedAt: now, atMost: collected)
                changes.submit(GroupCommit.Item(change: change) { continuation.resume(with: $0) })
            }
        }
    }
}

extension SessionStoreKind {
    /// Sessions in a SQLite file: `sqlite:PATH`. The default is `backlot/PROGRAM.sqlite` in the user's state folder:
    /// `XDG_STATE_HOME` if it is set, otherwise `.local/state` below `HOME`.
    public static var sqlite: SessionStoreKind {
        inSQLiteFile(content: "", example: "sessions") { path, logger in
            let store = try SQLiteSessionStore(path, logger: logger)
            if !FileClaim.make(on: path) {
                logger.warning(
                    "another server uses the file of sessions \(path) too: users who log in there are logged in here as well; to separate them, name another file with --sessions sqlite:PATH"
                )
            }
            return store
        }
    }
}
