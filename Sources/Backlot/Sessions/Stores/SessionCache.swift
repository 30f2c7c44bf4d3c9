/// Copies of sessions that were read a moment ago, so that a client's next requests cost no look-up.
///
/// No copy is used longer than its age allows, since other processes may change the file; what this one changes is dropped at
/// once. There are two generations: what is not read again goes with the older one.
package struct SessionCache {
    private struct Copy {
        let record: SessionRecord
        let readAt: ContinuousClock.Instant
    }

    /// The state at the beginning of a look-up. Its result is kept only if the session hasn't changed since.
    package struct Ticket: Equatable {
        fileprivate let changes: UInt64
        fileprivate let slot: Int
    }

    /// The memory of a copy beside its texts and values, in bytes.
    private static let overhead = 256
    private static let slots = 256

    private let maximumBytes: Int
    /// How long a copy is used.
    private let maximumAge: Duration
    private var young: [SessionHash: Copy] = [:]
    private var old: [SessionHash: Copy] = [:]
    private var youngBytes = 0
    /// How often sessions have changed, for each of some groups of keys.
    private var changes = [UInt64](repeating: 0, count: slots)

    /// - Parameters:
    ///   - maximumBytes: how much memory the copies take at most, about.
    ///   - maximumAge: how long a copy is used; zero for not at all.
    package init(maximumBytes: Int, maximumAge: Duration) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }

    /// A copy that is not too old.
    package func record(at key: SessionHash, now: ContinuousClock.Instant) -> SessionRecord? {
        guard let copy = young[key] ?? old[key], copy.readAt.duration(to: now) < maximumAge else { return nil }
        return copy.record
    }

    /// Begins a look-up.
    package func ticket(for key: SessionHash) -> Ticket {
        let slot = Self.slot(of: key)
        return Ticket(changes: changes[slot], slot: slot)
    }

    /// Keeps what a look-up has found, unless the session may have changed since.
    ///
    /// - Parameter readAt: when the look-up began.
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
