/// A fault that waits for matching requests.
public struct FaultOrder: Sendable, Equatable {
    /// The permitted values of `times`.
    public static let counts = 1...1000

    /// The fault.
    public var fault: Fault
    /// The number of responses that will still have the fault.
    public var times: Int
    /// The client that gets the fault.
    public var client: FaultClient
    /// The only path that gets the fault, percent-encoded as clients send it; nil for any path.
    public var path: String?

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - fault: the fault.
    ///   - times: the number of responses with the fault, in `counts`.
    ///   - client: the client that gets the fault.
    ///   - path: the only path that gets the fault; nil for any path. With a path, a polled page can't use up a fault for
    ///     an rpc.
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
