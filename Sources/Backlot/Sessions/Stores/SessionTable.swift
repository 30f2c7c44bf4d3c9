/// The sessions of a `MemorySessionStore`, and which of them go when there are too many.
///
/// What ends soonest goes first, which among sessions of one configuration is what has been idle longest. Sessions without
/// a user go before any with one: strangers can make as many of them as they like, and must not log anybody out by it.
struct SessionTable {
    private struct Slot {
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
    private var slots: [SessionHash: Slot] = [:]
    private var keysByOwner: [Owner: Set<SessionHash>] = [:]
    private var strangers = ExpiryQueue()
    private var users = ExpiryQueue()
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

    /// Keeps a session, and drops those that have ended and those there is no room for.
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

    /// - Returns: nil when there is no such session of that version; else as `insert`.
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

    /// Drops the sessions that have ended.
    mutating func removeExpired(at now: Int) {
        while let entry = Self.soonest(of: &strangers, in: slots), entry.expiresAt <= now { remove(entry.key) }
        while let entry = Self.soonest(of: &users, in: slots), entry.expiresAt <= now { remove(entry.key) }
    }

    private mutating func makeRoom(for size: Int, at now: Int) {
        removeExpired(at: now)
        while count >= maximumCount || byteCount + size > maximumBytes {
            guard let entry = Self.soonest(of: &strangers, in: slots) ?? Self.soonest(of: &users, in: slots) else {
                return
            }
            remove(entry.key)
        }
    }

    /// The entry of the session that ends soonest, once stale ones are dropped and those of sessions that were seen since
    /// are put where they belong.
    private static func soonest(of queue: inout ExpiryQueue, in slots: [SessionHash: Slot]) -> ExpiryQueue.Entry? {
        while let entry = queue.first {
            if let slot = slots[entry.key], slot.ticket == entry.ticket {
                guard slot.record.expiresAt > entry.expiresAt else { return entry }
                queue.postponeFirst(to: slot.record.expiresAt)
            } else {
                queue.removeFirst()
            }
        }
        return nil
    }

    /// Keeps the queues from growing with every change: at most every second entry is stale.
    private mutating func dropStaleEntries() {
        guard queueCount > 2 * slots.count + 64 else { return }
        let slots = slots
        strangers.filter { slots[$0.key]?.ticket == $0.ticket }
        users.filter { slots[$0.key]?.ticket == $0.ticket }
    }

    private static func owner(of record: SessionRecord) -> Owner? {
        record.user.map { Owner(user: $0, mount: record.mount) }
    }
}
