/// Copies of recently read sessions, so that a client's next requests need no look-up.
///
/// A copy is used for a limited time, because other processes may change the file. This process drops the copies of sessions that
/// it changes at once. There are two generations: copies that aren't read again go with the older one.
package struct SessionCache {
    private struct Copy {
        let record: SessionRecord
        let readAt: ContinuousClock.Instant
    }

    /// The state at the start of a look-up. Its result is kept only if the session hasn't changed since.
    package struct Ticket: Equatable {
        fileprivate let changes: UInt64
        fileprivate let slot: Int
    }

    /// The memory of a copy without its texts and values, in bytes.
    private static let overhead = 256
    private static let slots = 256

    private let maximumBytes: Int
    /// The maximum age of a copy.
    private let maximumAge: Duration
    private var young: [SessionHash: Copy] = [:]
    private var old: [SessionHash: Copy] = [:]
    private var youngBytes = 0
    /// The number of changes to sessions, for each of some groups of keys.
    private var changes = [UInt64](repeating: 0, count: slots)

    /// - Parameters:
    ///   - maximumBytes: the approximate maximum memory of all copies.
    ///   - maximumAge: the maximum age of a copy; zero turns the cache off.
    package init(maximumBytes: Int, maximumAge: Duration) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }

    /// A copy within the maximum age.
    package func record(at key: SessionHash, now: ContinuousClock.Instant) -> SessionRecord? {
        guard let copy = young[key] ?? old[key], copy.readAt.duration(to: now) < maximumAge else { return nil }
        return copy.record
    }

    /// Begins a look-up.
    package func ticket(for key: SessionHash) -> Ticket {
        let slot = Self.slot(of: key)
        return Ticket(changes: changes[slot], slot: slot)
    }

    /// Keeps the result of a look-up, unless the session may have changed since.
    ///
    /// - Parameter readAt: the start of the look-up.
    package mutating func keep(_ record: SessionRecord, _ ticket: Ticket, readAt: ContinuousClock.Instant) {
        guard maximumAge > .zero, changes[ticket.slot] == ticket.changes else { return }
        if youngBytes >= maximumBytes / 2 {
            old = young
            young = [:]
            youngBytes = 0
        }
        if young.updateValue(Copy(record: record, readAt: readAt), forKey: record.key) == nil {
            youngBytes += Self.overhead
        }
        youngBytes += record.values.count
    }

    /// Drops the copy of a session that has changed.
    package mutating func drop(_ key: SessionHash) {
        changes[Self.slot(of: key)] &+= 1
        young[key] = nil
        old[key] = nil
    }

    /// Drops all copies.
    package mutating func dropAll() {
        for slot in changes.indices { changes[slot] &+= 1 }
        young = [:]
        old = [:]
        youngBytes = 0
    }

    private static func slot(of key: SessionHash) -> Int {
        Int(truncatingIfNeeded: key.hashValue) & (slots - 1)
    }
}
