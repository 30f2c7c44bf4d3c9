/// The sessions of a `MemorySessionStore`, and the rules for dropping them when there are too many.
///
/// It drops the session that ends soonest, which among sessions of one configuration is the longest idle one. Sessions without a
/// user are dropped before all others: strangers can make any number of them, and must not log anybody out that way.
struct SessionTable {
    struct Slot {
        var record: SessionRecord
        let ticket: UInt64
    }

    private struct Owner: Hashable {
        let user: String
        let mount: String
    }

    /// The memory of a session without its texts and values, in bytes.
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
    /// The number of entries in the queues, including stale ones.
    var queueCount: Int { strangers.count + users.count }

    /// The size of a session, in bytes.
    static func size(_ record: SessionRecord) -> Int {
        overhead + record.values.count + 2 * ((record.user?.utf8.count ?? 0) + record.mount.utf8.count)
    }

    subscript(key: SessionHash) -> SessionRecord? { slots[key]?.record }

    /// Stores a session, and drops expired ones. If there are too many, it also drops those that end soonest.
    ///
    /// - Returns: false if the session alone is larger than the table's limit.
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

    /// - Returns: nil if the table doesn't hold that version of the session; otherwise the same as `insert`.
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

/// Removes expired sessions, and if there are too many, those that end soonest.
extension SessionTable {
    /// Drops expired sessions.
    mutating func removeExpired(at now: Int) {
        while let entry = Self.soonest(of: &strangers, in: slots), entry.expiresAt <= now { remove(entry.key) }
        while let entry = Self.soonest(of: &users, in: slots), entry.expiresAt <= now { remove(entry.key) }
    }

    mutating func makeRoom(for size: Int, at now: Int) {
        removeExpired(at: now)
        while count >= maximumCount || byteCount + size > maximumBytes {
            guard let entry = Self.soonest(of: &strangers, in: slots) ?? Self.soonest(of: &users, in: slots) else {
                return
            }
            remove(entry.key)
        }
    }

    /// The entry of the session that ends soonest. Before that, it drops stale entries, and moves the entries of sessions that were
    /// used since.
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

    /// Keeps the queues from growing with every change: at most half of the entries are stale.
    mutating func dropStaleEntries() {
        guard queueCount > 2 * slots.count + 64 else { return }
        let slots = slots
        strangers.filter { slots[$0.key]?.ticket == $0.ticket }
        users.filter { slots[$0.key]?.ticket == $0.ticket }
    }
}

/// Keys of sessions, ordered by the end of the session: a binary heap in an array.
///
/// Entries can't be looked up. A stale entry stays until it is the first, or until the queue is filtered.
struct ExpiryQueue {
    struct Entry {
        var expiresAt: Int
        /// Distinguishes the entry of a session from earlier ones with the same key.
        let ticket: UInt64
        let key: SessionHash
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    /// The entry that ends soonest.
    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0, entries[index].expiresAt < entries[(index - 1) / 2].expiresAt {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        sink(0)
    }

    /// Postpones the end of the first entry.
    mutating func postponeFirst(to expiresAt: Int) {
        entries[0].expiresAt = expiresAt
        sink(0)
    }

    /// Drops all unwanted entries.
    mutating func filter(_ isWanted: (Entry) -> Bool) {
        entries.removeAll { !isWanted($0) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && entries[child].expiresAt < entries[least].expiresAt {
                least = child
            }
            guard least != index else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
