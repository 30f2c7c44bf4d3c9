/// A session as one request sees and changes it. It does no I/O: `SessionScope` carries out its decisions.
struct SessionState: Sendable {
    let mount: String
    let times: SessionTimes
    let maximumBytes: Int
    /// The session as loaded; nil for a new one.
    var stored: SessionRecord?
    /// The client's sessions if there were several, although it can have only one.
    let surplus: [SessionHash]
    /// The name of the logged-in user.
    private(set) var user: String?
    /// The values, with the changes applied.
    var values: SessionValues
    /// Counts the changes of values, for callers that change them without holding a lock.
    private(set) var revision = 0
    /// The users to log out everywhere.
    private(set) var endedUsers: [String] = []
    var base: SessionValues
    var changes = ValueChanges()
    var logsIn = false
    var logsOut = false
    var renews = false
    /// Whether the stored session ends and a new one starts empty.
    var startsOver = false
    var isAbandoned = false
    /// Whether a token identifies the session: then a log-out empties the session, whereas one with a cookie ends.
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

    /// Whether the handler has made no changes to save.
    var isUnchanged: Bool { revision == 0 && !logsIn && !logsOut && !renews }

    // MARK: Changes by a handler

    /// Logs `user` in. Values from before the log-in stay, except those of another user.
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

    /// Notes the change of a value to `bytes`, with a function that can repeat it.
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

/// The session chosen from the client's cookies.
enum SessionChoice: Equatable {
    /// No valid session of this app.
    case none
    /// Exactly one session.
    case one(SessionRecord)
    /// Several sessions, which a client never gets from one app: the request has no session. A log-in or log-out ends these.
    case several([SessionHash])

    /// The maximum number of ids that a request looks up. Apps with nested paths have a cookie each.
    static let maximum = 4

    /// Adds the store's record for a requested key.
    ///
    /// - Parameters:
    ///   - mount: the app's path.
    ///   - now: the time, in seconds since 1970.
    mutating func add(_ record: SessionRecord, at key: SessionHash, mount: String, now: Int, times: SessionTimes) {
        // The hash is compared here in constant time, independently of the store's look-up.
        guard record.key == key, record.mount == mount, record.isPlausible, times.isLive(record, at: now) else {
            return
        }
        switch self {
        case .none: self = .one(record)
        case .one(let first): self = .several([first.key, key])
        case .several(let keys): self = .several(keys + [key])
        }
    }

    /// The session; nil without exactly one.
    var record: SessionRecord? { if case .one(let record) = self { record } else { nil } }
}

/// The consequences of a request's changes for the session's id: it stays, changes (rotation), or the session ends.
extension SessionState {
    /// Drops the changes of a handler that stopped halfway, except the loss of rights: log-outs stay, and a user's session that was
    /// to get a new id ends.
    mutating func abandon() {
        isAbandoned = true
        if logsIn || renews, stored?.user != nil { startsOver = true }
    }

    /// The keys of the sessions to end one by one.
    var ended: [SessionHash] {
        let old = startsOver && (!hasToken || isAbandoned) ? [stored?.key].compactMap(\.self) : []
        return logsIn && !isAbandoned || logsOut ? old + surplus : old
    }

    /// Whether the client must delete its cookie, after all writes.
    var clearsCookie: Bool { logsOut && !isAbandoned }

    /// The write for the store at `now`.
    ///
    /// - Parameter newKey: makes the key for a session that gets a new one.
    mutating func write(
        at now: Int,
        newKey: @autoclosure () -> SessionHash
    ) throws(SessionError) -> SessionWrite {
        guard !isAbandoned else { return .nothing }
        values = try changes.applied(to: base)
        // A user who is logged out everywhere has no session left to empty.
        guard let stored, !startsOver || hasToken && endedUsers.isEmpty else {
            guard user != nil || !values.entries.isEmpty else { return .nothing }
            // A token keeps its key, and no other request may have loaded the version of the new session.
            let version = hasToken ? self.stored.map { $0.version + 1 << 32 } ?? 0 : 0
            return .insert(try record(newKey(), createdAt: now, at: now, version: version))
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

    /// Continues from the store's current record, because another request has saved first.
    ///
    /// If the session no longer exists, another request has ended or renewed it: then only a log-in continues, with a new session.
    mutating func rebase(onto record: SessionRecord?, at now: Int) {
        if let record, record.mount == mount, record.user == stored?.user, record.isPlausible,
            times.isLive(record, at: now)
        {
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

/// The write to the store for the session of a request.
enum SessionWrite: Equatable {
    case nothing
    case touch(SessionHash, lastSeen: Int, _ expiresAt: Int)
    case insert(SessionRecord)
    /// Replaces the session with a key, if it still has the version.
    case replace(SessionHash, version: Int, SessionRecord)
}
