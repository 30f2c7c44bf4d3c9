/// Removes sessions: those that have expired, and when there are too many, those that end soonest.
extension SessionTable {
    /// Drops the sessions that have ended.
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
    mutating func dropStaleEntries() {
        guard queueCount > 2 * slots.count + 64 else { return }
        let slots = slots
        strangers.filter { slots[$0.key]?.ticket == $0.ticket }
        users.filter { slots[$0.key]?.ticket == $0.ticket }
    }
}

/// Keys of sessions, the one that ends soonest first: a binary heap in an array.
///
/// An entry is never looked for. One that has become stale stays until it is first, or until the queue is filtered.
struct ExpiryQueue {
    struct Entry {
        var expiresAt: Int
        /// Tells the entry of a session from those that the same key had before.
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

    /// Lets the first entry end later.
    mutating func postponeFirst(to expiresAt: Int) {
        entries[0].expiresAt = expiresAt
        sink(0)
    }

    /// Drops all entries that are not wanted.
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
