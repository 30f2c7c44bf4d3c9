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
