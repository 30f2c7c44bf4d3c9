/// A fault that waits for its requests.
public struct FaultOrder: Sendable, Equatable {
    /// How many answers an order can be for.
    public static let counts = 1...1000

    /// The fault.
    public var fault: Fault
    /// How many more answers go wrong.
    public var times: Int
    /// The client whose answers go wrong.
    public var client: FaultClient
    /// The only path where it counts, percent-encoded as clients send it; nil for any.
    public var path: String?

    /// An order.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - times: for how many answers, in `counts`.
    ///   - client: the client whose answers go wrong.
    ///   - path: the only path where it counts; nil for any. So a page that is polled doesn't use up what is meant for an rpc.
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
