public import Backlot
internal import BacklotDatabase
internal import FoundationEssentials
public import Logging

/// Sessions in a file of SQLite: they survive a restart, and whatever ends the process or the machine.
///
/// ```swift
/// let sessions = try SQLiteSessionStore(path: "/var/lib/app/sessions.sqlite")
/// router.applin("/", sessions: sessions) { app in … }
/// ```
/// When a call that saves returns, the disk has what it saved. Requests that save at the same time wait for the disk
/// together. Only the time of a session's last request may be lost with the power.
///
/// Sessions are read and written on threads of the store; no event loop waits for the disk. A session that was read less
/// than a second ago is not read again, unless this store has changed it since. Several processes on one machine may share
/// a file: a change of one counts within a second in the others.
///
/// It is bounded. When it is full, sessions without a user go first, and of each kind those that end soonest.
///
/// While the disk is full, calls that write fail, which is answered with 503, and reading goes on. Writing goes on when
/// there is room again.
public final class SQLiteSessionStore: SessionStore {
    /// How many sessions that have ended are forgotten at a time. Other writers come in between.
    private static let collected = 500
    /// How much memory copies of sessions take at most, in bytes.
    private static let cacheBytes = 16 << 20
    /// How many look-ups or changes wait for each other at most.
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

    /// Opens a file of sessions. A new file is readable for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite has two more beside it, with `-wal` and `-shm` added to the name.
    ///   - maximumBytes: the most bytes that all sessions may take: 1 GB, which is two million small ones.
    ///   - fileBytes: how large the file may become, as on a small disk; nil for as large as the disk lets it.
    ///   - maximumAge: how long a session that was read may be used again, at most a second; zero reads the file each time.
    ///   - collectInterval: how often sessions that have ended are looked for and forgotten, in seconds.
    ///   - clock: decides which sessions have ended.
    ///   - logger: gets a warning when expired sessions can't be removed.
    /// - Throws: `SessionFileError`.
    public init(
        path: String,
        maximumBytes: Int = 1 << 30,
        fileBytes: Int? = nil,
        maximumAge: Duration = .seconds(1),
        collectInterval: Int = 60,
        clock: SessionClock = .system,
        logger: Logger = Logger(label: "backlot.sessions")
    ) throws {
        precondition(maximumBytes >= 1024, "maximumBytes must be at least 1,024, but is \(maximumBytes)")
        precondition(
            (.zero ... .seconds(1)).contains(maximumAge),
            "maximumAge must be 0 to 1 second, but is \(maximumAge)"
        )
        precondition(collectInterval > 0, "collectInterval must be at least 1 second, but is \(collectInterval)")
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
                    try await Task.sleep(for: .seconds(collectInterval))
                    try await Self.collect(endedAt: clock.secondsSince1970, with: changes)
                } catch {
                    if !Task.isCancelled { logger.warning("sessions that have ended can't be forgotten: \(error)") }
                }
            }
        }
    }

    deinit { collecting.cancel() }

    /// The session with that key, as it was less than a second ago; nil for an unknown key. Ready where it was read since then.
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

    /// Keeps a new session.
    public func insert(_ record: SessionRecord) async throws {
        try await change(.insert(record), of: record.key)
    }

    /// Replaces a session, if it still is there and nobody has changed it since `version`.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        try await change(.replace(key, version: version, record), of: key, record.key) > 0
    }

    /// Notes that a request came.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await change(.touch(key, lastSeen: lastSeen, expiresAt: expiresAt), of: key)
    }

    /// Forgets a session.
    public func remove(_ key: SessionHash) async throws {
        try await change(.remove(key), of: key)
    }

    /// Forgets all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async throws {
        try await change(.removeAll(user: user, mount: mount))
    }

    /// Keeps a session that belongs to nobody and forgets it, in one transaction: nobody ever sees it.
    ///
    /// - Throws: `SessionFileError` where the file isn't the one that was opened any more: what is written would be lost.
    public func check() async throws {
        let probe = SessionRecord.probe()
        try await Blocking.run { [path, identity, database, problems] in
            guard let identity, let found = FileClaim.identity(of: path), found.isSameFile(as: identity) else {
                let error = SessionFileError(
                    path: path,
                    problem: "it was removed or replaced while the program uses it",
                    advice: "put the file back, or start the program again, or else what is saved is lost with its end"
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

    /// How many sessions are in the file.
    public func sessionCount() async throws -> Int? {
        try await Blocking.run { [database] in
            try database.read { try $0.first("SELECT count FROM session_total") { $0[0] } }
        }
    }

    /// Removes the expired sessions now, before the next regular removal.
    public func removeExpired() async throws {
        try await Self.collect(endedAt: clock.secondsSince1970, with: changes)
    }

    /// Closes the file, once those have been served who use it: the two beside it go away, unless another process uses it too.
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

    /// Makes a change, and drops the copies that it makes wrong, even when the change fails.
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

    /// Forgets the sessions that have ended at a time, one batch after the other.
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
    /// In a file of SQLite: `sqlite:PATH`. Where no choice is written, it is `backlot/PROGRAM.sqlite` where programs keep
    /// their state: in the folder of `XDG_STATE_HOME`, or else in `.local/state` below `HOME`.
    public static var sqlite: SessionStoreKind {
        inSQLiteFile(content: "", example: "sessions") { path, logger in
            let store = try SQLiteSessionStore(path: path, logger: logger)
            if !FileClaim.make(on: path) {
                logger.warning(
                    "another server uses the file of sessions \(path) too: whoever is logged in there is logged in here; name another file by --sessions sqlite:PATH if that isn't meant"
                )
            }
            return store
        }
    }
}
