internal import Synchronization

/// A common limit for the bytes that many users keep in memory: a server's connections for clients that it waits for
/// (`Limits.bufferedBytes`), or a proxy for its observers.
///
/// Above three quarters of the limit, a server sheds load (`ServerContext.shedLoad`): a client without progress must not take the
/// memory that others need.
package final class BufferBudget: Sendable {
    /// The parts of the limit above which a server sheds load, and below which it stops.
    private static let (pressed, relieved) = (0.75, 0.7)
    /// Above this part of the limit, clients that make progress may be cut as well.
    private static let urgent = 0.95
    /// A peak must be at least this high before memory is returned to the system after it, in bytes.
    private static let notablePeak = 16 * 1024 * 1024

    /// The limit, in bytes.
    let limit: Int
    private let used = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)

    /// The state of the budget after a change.
    enum Change: Equatable {
        /// The server needn't do anything.
        case usual
        /// The use has grown, and little is left: the server must shed load.
        case pressed
        /// The use has fallen below a quarter of a high peak: freed memory can go back to the system.
        case fallen
    }

    /// Creates a budget of `limit` bytes, all of them free.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes in use.
    var use: Int { used.load(ordering: .relaxed) }
    var isPressed: Bool { Double(use) > Double(limit) * Self.pressed }
    var isUrgent: Bool { Double(use) > Double(limit) * Self.urgent }
    var isSpent: Bool { use > limit }
    /// The number of bytes to free to end the pressure.
    var excess: Int { max(0, use - Int(Double(limit) * Self.relieved)) }

    /// Takes bytes; a negative number returns them. The use may exceed the limit: callers check `isSpent`.
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

    /// Takes bytes and returns true if that many are free; otherwise returns false.
    func takeIfFree(_ bytes: Int) -> Bool {
        let isFree = used.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
        if !isFree { used.wrappingSubtract(bytes, ordering: .relaxed) }
        return isFree
    }
}

/// The bytes of a server's budget that one body or one connection holds. They are returned when it is released.
final class BufferShare: Sendable {
    /// The number of bytes that each may hold even when the budget is spent, so that small bodies still work.
    static let freeBytes = 64 * 1024

    private let server: ServerContext
    private let held = Atomic<Int>(0)

    /// Creates an empty share.
    init(_ server: ServerContext) {
        self.server = server
    }

    deinit {
        add(-bytes)
    }

    /// The number of held bytes.
    var bytes: Int { held.load(ordering: .relaxed) }

    /// Whether the holder must not take more, because the budget is spent and its share isn't small.
    var isOverdrawn: Bool { bytes > Self.freeBytes && server.buffers.isSpent }

    /// Holds more bytes than before; a negative number holds fewer.
    func add(_ bytes: Int) {
        guard bytes != 0 else { return }
        held.wrappingAdd(bytes, ordering: .relaxed)
        switch server.buffers.take(bytes) {
        case .usual: break
        case .pressed: server.shedLoad()
        case .fallen: server.giveBackMemory()
        }
    }

    /// Holds exactly this many bytes.
    func set(_ bytes: Int) { add(bytes - self.bytes) }
}

/// Counts as long as a reference to it exists.
final class Ticket: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
