/// A session as one request sees and changes it. What follows from that for its id and for the store, SessionRotation.swift
/// decides. No I/O: `SessionScope` does what is decided.
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
