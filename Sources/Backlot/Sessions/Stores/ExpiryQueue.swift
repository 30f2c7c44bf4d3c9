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
