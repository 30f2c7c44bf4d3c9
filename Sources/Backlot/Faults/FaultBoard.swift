/// The faults that wait for a client's next requests, and the networks of clients. Commands add them:
/// `board.add(FaultOrder(Fault(status: .serviceUnavailable), for: .noSession))` and `board.set(network, for: .anyone)`. A
/// `FaultInjection` applies them.
///
/// ```swift
/// let board = FaultBoard()
/// router.use(FaultInjection(board))
/// board.add(FaultOrder(Fault(status: .serviceUnavailable), times: 2, for: .anyone))
/// ```
public final class FaultBoard: Sendable {
    private let queue = Locked(FaultQueue())
    private let networkList = Locked(NetworkList())
    /// The links of clients with slow networks.
    let links = NetworkLinks()
    let world: NetworkWorld

    init(world: NetworkWorld) { self.world = world }

    /// Creates a board without faults.
    public convenience init() { self.init(world: .real) }

    /// Adds a fault to the end of the queue. At most 1,000 orders wait; each further order drops the oldest.
    public func add(_ order: FaultOrder) { queue.withLock { $0.add(order) } }

    /// The waiting orders, in the order of their arrival.
    public var orders: [FaultOrder] { queue.withLock { $0.orders } }

    /// Drops the orders for a client, or all orders if the client is nil.
    ///
    /// - Returns: the number of dropped orders.
    @discardableResult
    public func removeAll(for client: FaultClient? = nil) -> Int {
        queue.withLock { $0.remove(for: client) }
    }

    /// Takes the next fault for a request, and counts it as used. Returns nil if no order fits the request.
    func take(for request: Request) -> Fault? {
        // The queue is nearly always empty: then reading the cookie is unnecessary.
        guard queue.withLock({ !$0.orders.isEmpty }) else { return nil }
        let (client, path) = (request.faultClient, request.path)
        return queue.withLock { $0.take(for: client, path: path) }
    }
}

/// Networks, which stay until they are changed.
extension FaultBoard {
    /// Puts a network between a client and the server, until the client gets another. A client's own network takes precedence over
    /// that of anyone. At most 1,000 clients have one; each further one drops the oldest.
    public func set(_ network: NetworkProfile, for client: FaultClient) {
        networkList.withLock { $0.set(network, for: client) }
    }

    /// The networks of clients, in the order of their setting.
    public var networks: [(client: FaultClient, network: NetworkProfile)] { networkList.withLock { $0.networks } }

    /// Removes a client's network, or all networks if the client is nil.
    ///
    /// - Returns: the number of removed networks.
    @discardableResult
    public func removeNetworks(for client: FaultClient? = nil) -> Int {
        networkList.withLock { $0.remove(for: client) }
    }

    /// The network of a request's client; nil for a client without one.
    func network(for request: Request) -> NetworkProfile? {
        guard networkList.withLock({ !$0.networks.isEmpty }) else { return nil }
        let client = request.faultClient
        return networkList.withLock { $0.network(of: client) }
    }
}

/// The networks of clients. A value without I/O.
struct NetworkList: Sendable {
    /// The maximum number of clients with a network. Each further one drops the oldest.
    static let maximum = 1000

    private(set) var networks: [(client: FaultClient, network: NetworkProfile)] = []

    /// Gives a client a network, which replaces its current one.
    mutating func set(_ network: NetworkProfile, for client: FaultClient) {
        _ = remove(for: client)
        if networks.count == Self.maximum { networks.removeFirst() }
        networks.append((client, network))
    }

    /// The network that applies to a client: its own, or that of anyone.
    func network(of client: FaultClient) -> NetworkProfile? {
        (networks.first { $0.client == client } ?? networks.first { $0.client == .anyone })?.network
    }

    /// Removes a client's network, or all networks if the client is nil.
    ///
    /// - Returns: the number of removed networks.
    mutating func remove(for client: FaultClient?) -> Int {
        let before = networks.count
        networks.removeAll { client == nil || $0.client == client }
        return before - networks.count
    }
}

/// The faults that wait for requests, in the order of their arrival. A value without I/O.
struct FaultQueue: Sendable {
    /// The maximum number of waiting orders. Each further one drops the oldest.
    static let maximum = 1000

    private(set) var orders: [FaultOrder] = []

    /// Adds an order to the end.
    mutating func add(_ order: FaultOrder) {
        if orders.count == Self.maximum { orders.removeFirst() }
        orders.append(order)
    }

    /// Takes the first fault that applies to a request, and counts it.
    mutating func take(for client: FaultClient, path: String) -> Fault? {
        guard let index = orders.firstIndex(where: { $0.isFor(client, path: path) }) else { return nil }
        let fault = orders[index].fault
        orders[index].times -= 1
        if orders[index].times == 0 { orders.remove(at: index) }
        return fault
    }

    /// Drops the orders for a client, or all orders if the client is nil.
    ///
    /// - Returns: the number of dropped orders.
    mutating func remove(for client: FaultClient?) -> Int {
        let before = orders.count
        orders.removeAll { client == nil || $0.client == client }
        return before - orders.count
    }
}

/// The client that a fault is for.
///
/// The value of a session's cookie gives access to the session, so only its hash is kept and shown.
public enum FaultClient: Sendable, Hashable {
    /// A client with this session.
    case session(SessionHash)
    /// Clients without a session.
    case noSession
    /// Any client.
    case anyone

    /// The client with this value in its cookie `session`.
    public static func session(cookie: String) -> FaultClient { .session(SessionHash(hashing: cookie)) }
}

extension FaultClient: CustomStringConvertible {
    /// The client, for people: the beginning of the cookie's hash, and never the cookie.
    public var description: String {
        switch self {
        case .session(let hash): "session \("\(hash)".prefix(12))"
        case .noSession: "no session"
        case .anyone: "anyone"
        }
    }
}

extension Request {
    /// The client that sent the request, as faults distinguish clients.
    ///
    /// The first cookie with the name counts. The session need not exist: a mock may have its own.
    var faultClient: FaultClient {
        for header in headers[values: .cookie] {
            for value in CookieHeader.values(named: SessionPlace.cookieName, in: header) where !value.isEmpty {
                return .session(cookie: value)
            }
        }
        return .noSession
    }
}
