internal import BacklotHTTP

/// Where commands leave faults for the next answers to a client: `board.add(FaultOrder(Fault(status: .serviceUnavailable),
/// for: .noSession))`. A `FaultInjection` takes them from there.
public final class FaultBoard: Sendable {
    private let queue = Locked(FaultQueue())

    /// A board without faults.
    public init() {}

    /// Adds a fault after those that wait. At most 1,000 orders wait; each further one drops the oldest.
    public func add(_ order: FaultOrder) {
        queue.withLock { $0.add(order) }
    }

    /// What waits, in the order in which it was added.
    public var orders: [FaultOrder] { queue.withLock { $0.orders } }

    /// Drops what waits for a client; everything where that is nil.
    ///
    /// - Returns: how many orders were dropped.
    @discardableResult
    public func removeAll(for client: FaultClient? = nil) -> Int {
        queue.withLock { $0.remove(for: client) }
    }

    /// The fault for a request; it counts as done. nil where none waits for it.
    func take(for request: Request) -> Fault? {
        // Nearly always there is nothing, and then the cookie needs no look.
        guard queue.withLock({ !$0.orders.isEmpty }) else { return nil }
        let (client, path) = (request.faultClient, request.path)
        return queue.withLock { $0.take(for: client, path: path) }
    }
}
