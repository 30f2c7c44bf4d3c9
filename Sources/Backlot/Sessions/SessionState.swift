/// A session as one request sees and changes it. No I/O: `SessionScope` does what is decided.
struct SessionState: Sendable {
    let mount: String
    let times: SessionTimes
    let maximumBytes: Int
    /// The session as it was loaded; nil where there was none.
    var stored: SessionRecord?
    /// The sessions that the client sent where there was more than the one it can have.
    let surplus: [SessionHash]
    /// Who is logged in.
    private(set) var user: String?
    /// The values, with the changes made.
    var values: SessionValues
    /// Counts the changes of values, for those who change them without holding a lock.
    private(set) var revision = 0
    /// Users all of whose sessions end.
    private(set) var endedUsers: [String] = []
    var base: SessionValues
    var changes = ValueChanges()
    var logsIn = false
    var logsOut = false
    var renews = false
    /// Whether the stored session ends and nothing of it is carried on.
    var startsOver = false
    var isAbandoned = false
    /// Whether a token names the session: a log-out then empties the session, where one with a cookie ends.
    let hasToken: Bool

    init(_ choice: SessionChoice, mount: String, times: SessionTimes, maximumBytes: Int, hasToken: Bool = false) {
        self.hasToken = hasToken
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

    /// Whether a handler has done nothing that is to be saved.
    var isUnchanged: Bool { revision == 0 && !logsIn && !logsOut && !renews }

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
    mutating func update(_ name: String, to bytes: [UInt8]?, _ update: @escaping ValueChanges.Update) {
        changes.update(name, update)
        values.entries[name] = bytes
        revision += 1
    }

    private mutating func startOver() {
        startsOver = true
        base = SessionValues()
        changes = ValueChanges()
        values = base
        revision += 1
    }
}

/// Which of the sessions that a client has sent ids of is the request's.
enum SessionChoice: Equatable {
    /// None lives, or none belongs to this app.
    case none
    /// Exactly one.
    case one(SessionRecord)
    /// Several, which a client never gets from one app: the request has no session. A log-in or log-out ends these.
    case several([SessionHash])

    /// How many ids of one request are looked up. Apps whose paths contain each other have a cookie each.
    static let maximum = 4

    /// Adds what the store has for a key that was asked for.
    ///
    /// - Parameters:
    ///   - mount: the app's path.
    ///   - now: the time, in seconds since 1970.
    mutating func add(_ record: SessionRecord, at key: SessionHash, mount: String, now: Int, times: SessionTimes) {
        // However a store has found it, the hash is compared here, in constant time.
        guard record.key == key, record.mount == mount, times.isLive(record, at: now) else { return }
        switch self {
        case .none: self = .one(record)
        case .one(let first): self = .several([first.key, key])
        case .several(let keys): self = .several(keys + [key])
        }
    }

    /// The session; nil without exactly one.
    var record: SessionRecord? { if case .one(let record) = self { record } else { nil } }
}

/// What follows from a request's changes for the session's id: it stays, it gets a new one (rotation), or the session ends.
extension SessionState {
    /// Drops what a handler did that stopped halfway, but for what takes rights away: log-outs stay, and a user's session
    /// that was to get a new id ends.
    mutating func abandon() {
        isAbandoned = true
        if logsIn || renews, stored?.user != nil { startsOver = true }
    }

    /// The sessions that end, each by itself.
    var ended: [SessionHash] {
        let old = startsOver && (!hasToken || isAbandoned) ? [stored?.key].compactMap(\.self) : []
        return logsIn && !isAbandoned || logsOut ? old + surplus : old
    }

    /// Whether the client must forget its cookie, once nothing is left to be written.
    var clearsCookie: Bool { logsOut && !isAbandoned }

    /// What is to be written at `now`.
    ///
    /// - Parameter newKey: makes the key that the session gets if it gets a new one.
    mutating func write(
        at now: Int,
        newKey: @autoclosure () -> SessionHash
    ) throws(SessionError) -> SessionWrite {
        guard !isAbandoned else { return .nothing }
        values = try changes.applied(to: base)
        // A user who is logged out everywhere has no session left that could be emptied.
        guard let stored, !startsOver || hasToken && endedUsers.isEmpty else {
            guard user != nil || !values.entries.isEmpty else { return .nothing }
            return .insert(try record(newKey(), createdAt: now, at: now, version: 0))
        }
        let moves = logsIn || renews || startsOver
        guard moves || values != base else {
            guard times.isTouchDue(stored, at: now) else { return .nothing }
            let expiry = times.expiry(createdAt: stored.createdAt, lastSeen: now, user: stored.user)
            return .touch(stored.key, lastSeen: now, expiry)
        }
        let record = try record(
            moves ? newKey() : stored.key,
            createdAt: logsIn || startsOver ? now : stored.createdAt,
            at: max(now, stored.lastSeen),
            version: stored.version + 1
        )
        return .replace(stored.key, version: stored.version, record)
    }

    /// Goes on from what the store has now, because somebody was faster.
    ///
    /// Where the session is gone, somebody has ended or renewed it: only a log-in goes on, with a new session.
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
            expiresAt: times.expiry(createdAt: createdAt, lastSeen: now, user: user),
            version: version
        )
    }
}

/// What is to be done to the session of a request in the store.
enum SessionWrite: Equatable {
    case nothing
    case touch(SessionHash, lastSeen: Int, _ expiresAt: Int)
    case insert(SessionRecord)
    /// Replaces the session under a key, if it still has the version.
    case replace(SessionHash, version: Int, SessionRecord)
}
