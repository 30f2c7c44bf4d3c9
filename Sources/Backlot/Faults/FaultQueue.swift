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

/// A fault that waits for its requests.
public struct FaultOrder: Sendable, Equatable {
    /// How many answers an order can be for.
    public static let counts = 1...1000

    /// What goes wrong.
    public var fault: Fault
    /// For how many answers more.
    public var times: Int
    /// Whose.
    public var client: FaultClient
    /// At which path alone, percent-encoded as clients send it; nil for any.
    public var path: String?

    /// An order.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - times: for how many answers, in `counts`.
    ///   - client: whose.
    ///   - path: at which path alone; nil for any. So a page that is polled doesn't use up what is meant for an rpc.
    public init(_ fault: Fault, times: Int = 1, for client: FaultClient, path: String? = nil) {
        precondition(Self.counts.contains(times), "times must be \(Self.counts), but is \(times)")
        self.fault = fault
        self.times = times
        self.client = client
        self.path = path
    }

    func isFor(_ client: FaultClient, path: String) -> Bool {
        guard self.client == client || self.client == .anyone else { return false }
        return self.path == nil || self.path == path
    }
}
