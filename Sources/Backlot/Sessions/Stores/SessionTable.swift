/// The sessions of a `MemorySessionStore`, and which of them go when there are too many.
///
/// What ends soonest goes first, which among sessions of one configuration is what has been idle longest. Sessions without
/// a user go before any with one: strangers can make as many of them as they like, and must not log anybody out by it.
struct SessionTable {
    struct Slot {
        var record: SessionRecord
        let ticket: UInt64
    }

    private struct Owner: Hashable {
        let user: String
        let mount: String
    }

    /// What a session takes in memory beside its texts and values, in bytes.
    static let overhead = 768

    let maximumCount: Int
    let maximumBytes: Int
    private(set) var byteCount = 0
    private(set) var slots: [SessionHash: Slot] = [:]
    private var keysByOwner: [Owner: Set<SessionHash>] = [:]
    var strangers = ExpiryQueue()
    var users = ExpiryQueue()
    private var tickets: UInt64 = 0

    init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    var count: Int { slots.count }
    /// How many entries wait in the queues, stale ones among them.
    var queueCount: Int { strangers.count + users.count }

    /// What a session counts for, in bytes.
    static func size(_ record: SessionRecord) -> Int {
        overhead + record.values.count + 2 * ((record.user?.utf8.count ?? 0) + record.mount.utf8.count)
    }

    subscript(key: SessionHash) -> SessionRecord? { slots[key]?.record }

    /// Keeps a session, and drops sessions that have ended and, when there are too many, those that end soonest.
    ///
    /// - Returns: false when the session alone is larger than the table may be.
    mutating func insert(_ record: SessionRecord, at now: Int) -> Bool {
        let size = Self.size(record)
        guard size <= maximumBytes else { return false }
        remove(record.key)
        makeRoom(for: size, at: now)
        tickets += 1
        slots[record.key] = Slot(record: record, ticket: tickets)
        byteCount += size
        if let owner = Self.owner(of: record) { keysByOwner[owner, default: []].insert(record.key) }
        let entry = ExpiryQueue.Entry(expiresAt: record.expiresAt, ticket: tickets, key: record.key)
        if record.user == nil { strangers.insert(entry) } else { users.insert(entry) }
        dropStaleEntries()
        return true
    }

    /// - Returns: nil when the table doesn't hold that version of the session; otherwise as `insert`.
    mutating func replace(_ key: SessionHash, version: Int, with record: SessionRecord, at now: Int) -> Bool? {
        guard slots[key]?.record.version == version else { return nil }
        guard Self.size(record) <= maximumBytes else { return false }
        remove(key)
        return insert(record, at: now)
    }

    mutating func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) {
        guard var slot = slots[key] else { return }
        slot.record.lastSeen = max(slot.record.lastSeen, lastSeen)
        slot.record.expiresAt = max(slot.record.expiresAt, expiresAt)
        slots[key] = slot
    }

    mutating func remove(_ key: SessionHash) {
        guard let record = slots.removeValue(forKey: key)?.record else { return }
        byteCount -= Self.size(record)
        guard let owner = Self.owner(of: record) else { return }
        keysByOwner[owner]?.remove(key)
        if keysByOwner[owner]?.isEmpty == true { keysByOwner[owner] = nil }
    }

    mutating func removeAll(of user: String, mount: String) {
        for key in keysByOwner[Owner(user: user, mount: mount)] ?? [] { remove(key) }
    }

    private static func owner(of record: SessionRecord) -> Owner? {
        record.user.map { Owner(user: $0, mount: record.mount) }
    }
}
