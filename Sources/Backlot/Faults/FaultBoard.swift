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

/// The faults that wait for requests, in the order in which they were asked for. A value without I/O.
struct FaultQueue: Sendable {
    /// The most orders that wait. Each further one drops the oldest.
    static let maximum = 1000

    private(set) var orders: [FaultOrder] = []

    /// Adds an order after the others.
    mutating func add(_ order: FaultOrder) {
        if orders.count == Self.maximum { orders.removeFirst() }
        orders.append(order)
    }

    /// Takes the first fault that is for a request, and counts it.
    mutating func take(for client: FaultClient, path: String) -> Fault? {
        guard let index = orders.firstIndex(where: { $0.isFor(client, path: path) }) else { return nil }
        let fault = orders[index].fault
        orders[index].times -= 1
        if orders[index].times == 0 { orders.remove(at: index) }
        return fault
    }

    /// Drops what waits for a client, or for all where that is nil.
    ///
    /// - Returns: how many orders there were.
    mutating func remove(for client: FaultClient?) -> Int {
        let before = orders.count
        orders.removeAll { client == nil || $0.client == client }
        return before - orders.count
    }
}
