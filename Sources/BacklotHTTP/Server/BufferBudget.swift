internal import Synchronization

/// The bytes that many users keep in memory, bounded together: those of a server's connections for clients that it waits for
/// (`Limits.bufferedBytes`), and those of a proxy for its observers.
///
/// Above three quarters of the bound a server sheds load (`ServerContext.shedLoad`): a client that makes no progress must not
/// cost others theirs.
package final class BufferBudget: Sendable {
    /// How much of the bound may be in use before load is shed, and how much is left in use then.
    private static let (pressed, relieved) = (0.75, 0.7)
    /// Above this part of the bound, clients that make progress may be cut as well.
    private static let urgent = 0.95
    /// The lowest peak after which memory is given back to the system, in bytes.
    private static let notablePeak = 16 * 1024 * 1024

    /// The bound, in bytes.
    let limit: Int
    private let used = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)

    /// How the budget stands after a change.
    enum Change: Equatable {
        /// The server needn't do anything.
        case usual
        /// More was taken, and little is left: the server must shed load.
        case pressed
        /// Use has fallen below a quarter of a high peak: freed memory can go back to the system.
        case fallen
    }

    /// A budget of `limit` bytes, all of them free.
    package init(limit: Int) {
        self.limit = limit
    }

    /// How many bytes are in use.
    var use: Int { used.load(ordering: .relaxed) }
    var isPressed: Bool { Double(use) > Double(limit) * Self.pressed }
    var isUrgent: Bool { Double(use) > Double(limit) * Self.urgent }
    var isSpent: Bool { use > limit }
    /// How many bytes must be freed to end the pressure.
    var excess: Int { max(0, use - Int(Double(limit) * Self.relieved)) }

    /// Takes bytes, or with a negative number gives them back. More than the bound may be taken: callers look at `isSpent`.
    @discardableResult
    func take(_ bytes: Int) -> Change {
        let now = used.wrappingAdd(bytes, ordering: .relaxed).newValue
        if bytes > 0 {
            if now > peak.load(ordering: .relaxed) { peak.store(now, ordering: .relaxed) }
            return isPressed ? .pressed : .usual
        }
        guard now < peak.load(ordering: .relaxed) / 4 else { return .usual }
        return peak.exchange(now, ordering: .relaxed) >= Self.notablePeak ? .fallen : .usual
    }

    /// Takes bytes. Returns false, and takes none, where that is more than are left.
    func takeIfFree(_ bytes: Int) -> Bool {
        let isFree = used.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        if !isFree { used.wrappingSubtract(bytes, ordering: .relaxed) }
        return isFree
    }
}

/// The bytes of a server's budget that one body or one connection holds. They are given back when it is gone.
final class BufferShare: Sendable {
    /// How many bytes may be held even when the budget is spent, so that small bodies get through.
    static let freeBytes = 64 * 1024

    private let server: ServerContext
    private let held = Atomic<Int>(0)

    /// Nothing so far.
    init(_ server: ServerContext) {
        self.server = server
    }

    deinit {
        add(-bytes)
    }

    /// How many bytes are held.
    var bytes: Int { held.load(ordering: .relaxed) }

    /// Whether no more may be held, because the budget is spent and this is no small part of it.
    var isOverdrawn: Bool { bytes > Self.freeBytes && server.buffers.isSpent }

    /// Holds more, or with a negative number fewer, bytes than before.
    func add(_ bytes: Int) {
        guard bytes != 0 else { return }
        held.wrappingAdd(bytes, ordering: .relaxed)
        switch server.buffers.take(bytes) {
        case .usual: break
        case .pressed: server.shedLoad()
        case .fallen: server.giveBackMemory()
        }
    }

    /// Holds so many bytes.
    func set(_ bytes: Int) { add(bytes - self.bytes) }
}

/// Something that counts until the last reference to this is gone.
final class Ticket: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
