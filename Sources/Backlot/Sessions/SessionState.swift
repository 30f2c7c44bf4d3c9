/// A session as one request sees and changes it, and what follows from that for the store. No I/O: `SessionScope` does
/// what is decided here.
struct SessionState: Sendable {
    let mount: String
    let times: SessionTimes
    let maximumBytes: Int
    /// The session as it was loaded; nil where there was none.
    private(set) var stored: SessionRecord?
    /// The sessions that the client sent where there was more than the one it can have.
    private let surplus: [SessionHash]
    /// Who is logged in.
    private(set) var user: String?
    /// The values, with the changes made.
    private(set) var values: SessionValues
    /// Counts the changes of values, for those who change them without holding a lock.
    private(set) var revision = 0
    /// Users all of whose sessions end.
    private(set) var endedUsers: [String] = []
    /// The first value that could not be encoded.
    private(set) var failure: SessionError?
    private var base: SessionValues
    private var changes = SessionChanges()
    private var logsIn = false
    private var logsOut = false
    private var renews = false
    /// Whether the stored session ends and nothing of it is carried on.
    private var startsOver = false
    private var isAbandoned = false
    /// Whether the session keeps its key for life: it is emptied where another one ends and a new one begins.
    private let isLasting: Bool

    init(_ choice: SessionChoice, mount: String, times: SessionTimes, maximumBytes: Int, isLasting: Bool = false) {
        self.isLasting = isLasting
        self.mount = mount
        self.times = times
        self.maximumBytes = maximumBytes
        switch choice {
        case .none: (stored, surplus) = (nil, [])
        case .one(let record): (stored, surplus) = (record, [])
        case .several(let keys): (stored, surplus) = (nil, keys)
        }
        user = stored?.user
        base = stored.flatMap { SessionValues(decoding: $0.values) } ?? SessionValues()
        values = base
    }

    // MARK: What a handler does

    /// Makes `user` the one who is logged in. Values that a stranger has gathered stay; those of another user don't.
    mutating func logIn(_ user: String) {
        if let former = self.user, former != user { startOver() }
        self.user = user
        logsIn = true
    }

    mutating func logOut() {
        startOver()
        user = nil
        logsIn = false
        logsOut = true
    }

    mutating func logOutEverywhere() {
        if let user { endedUsers.append(user) }
        logOut()
    }

    mutating func renew() { renews = true }

    mutating func set(_ name: String, to bytes: [UInt8]?) {
        changes.set(name, to: bytes)
        values.entries[name] = bytes
        revision += 1
    }

    /// Notes a change that has given `bytes`, and that can be made again.
    mutating func update(_ name: String, to bytes: [UInt8]?, _ update: @escaping SessionChanges.Update) {
        changes.update(name, update)
        values.entries[name] = bytes
        revision += 1
    }

    mutating func fail(_ error: SessionError) { failure = failure ?? error }

    private mutating func startOver() {
        startsOver = true
        base = SessionValues()
        changes = SessionChanges()
        values = base
        revision += 1
    }

    // MARK: What follows

    /// Drops what a handler did that stopped halfway, but for what takes rights away: log-outs stay, and a user's session
    /// that was to get a new id ends.
    mutating func abandon() {
        isAbandoned = true
        if logsIn || renews, stored?.user != nil { startsOver = true }
    }

    /// The sessions that end, each by itself.
    var ended: [SessionHash] {
        let old = startsOver && (!isLasting || isAbandoned) ? [stored?.key].compactMap(\.self) : []
        return logsIn && !isAbandoned || logsOut ? old + surplus : old
    }

    /// Whether the client must forget its cookie, once nothing is left to be written.
    var clearsCookie: Bool { logsOut && !isAbandoned }

    /// What is to be written at `now`.
    ///
    /// - Parameter newKey: the key that the session gets if it gets a new one.
    mutating func write(at now: Int, newKey: SessionHash) throws(SessionError) -> SessionWrite {
        guard !isAbandoned else { return .nothing }
        values = try changes.applied(to: base)
        // Who is logged out everywhere has no session left that could be emptied.
        guard let stored, !startsOver || isLasting && endedUsers.isEmpty else {
            guard user != nil || !values.entries.isEmpty else { return .nothing }
            return .insert(try record(newKey, createdAt: now, at: now, version: 0))
        }
        let moves = logsIn || renews || startsOver
        guard moves || values != base else {
            guard times.isTouchDue(stored, at: now) else { return .nothing }
            return .touch(stored.key, lastSeen: now, times.expiry(createdAt: stored.createdAt, lastSeen: now))
        }
        let record = try record(
            moves ? newKey : stored.key,
            createdAt: logsIn || startsOver ? now : stored.createdAt,
            at: max(now, stored.lastSeen),
            version: stored.version + 1
        )
        return .replace(stored.key, version: stored.version, record)
    }

    /// Goes on from what the store has now, because somebody was faster.
    ///
    /// Where the session is gone, somebody has ended or renewed it: only a log-in goes on, with a session of its own.
    mutating func rebase(onto record: SessionRecord?, at now: Int) {
        if let record, record.mount == mount, record.user == stored?.user, times.isLive(record, at: now) {
            stored = record
            base = startsOver ? SessionValues() : SessionValues(decoding: record.values) ?? SessionValues()
        } else {
            stored = nil
            base = SessionValues()
            isAbandoned = !logsIn
        }
    }

    private func record(
        _ key: SessionHash,
        createdAt: Int,
        at now: Int,
        version: Int
    ) throws(SessionError) -> SessionRecord {
        let bytes = values.encoded
        let size = bytes.count + (user?.utf8.count ?? 0)
        guard size <= maximumBytes else { throw .tooLarge(bytes: size, limit: maximumBytes) }
        return SessionRecord(
            key: key,
            mount: mount,
            user: user,
            values: bytes,
            createdAt: createdAt,
            lastSeen: now,
            expiresAt: times.expiry(createdAt: createdAt, lastSeen: now),
            version: version
        )
    }
}
