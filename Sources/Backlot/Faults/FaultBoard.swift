/// Where commands leave faults for the next answers to a client: `board.add(FaultOrder(Fault(status: .serviceUnavailable),
/// for: .noSession))`, and networks for all of a client's exchanges: `board.set(network, for: .anyone)`. A `FaultInjection` takes
/// them from there.
public final class FaultBoard: Sendable {
    private let queue = Locked(FaultQueue())
    private let networkList = Locked(NetworkList())
    /// The links of clients whose networks are slow.
    let links = NetworkLinks()
    let world: NetworkWorld

    init(world: NetworkWorld) { self.world = world }

    /// A board without faults.
    public convenience init() { self.init(world: .real) }

    /// Adds a fault after those that wait. At most 1,000 orders wait; each further one drops the oldest.
    public func add(_ order: FaultOrder) { queue.withLock { $0.add(order) } }

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

/// Networks, until they are changed.
extension FaultBoard {
    /// Puts a network between a client and the server, until it gets another one. A client's own network goes before that of
    /// anyone. At most 1,000 clients have one; each further one drops the oldest.
    public func set(_ network: NetworkProfile, for client: FaultClient) {
        networkList.withLock { $0.set(network, for: client) }
    }

    /// The networks that clients have, in the order in which they got them.
    public var networks: [(client: FaultClient, network: NetworkProfile)] { networkList.withLock { $0.networks } }

    /// Takes a client's network away; everyone's where the client is nil.
    ///
    /// - Returns: how many networks there were.
    @discardableResult
    public func removeNetworks(for client: FaultClient? = nil) -> Int {
        networkList.withLock { $0.remove(for: client) }
    }

    /// The network of a request's client; nil where it has none.
    func network(for request: Request) -> NetworkProfile? {
        guard networkList.withLock({ !$0.networks.isEmpty }) else { return nil }
        let client = request.faultClient
        return networkList.withLock { $0.network(of: client) }
    }
}

/// The networks of clients. A value without I/O.
struct NetworkList: Sendable {
    /// The most clients that have one. Each further one drops the oldest.
    static let maximum = 1000

    private(set) var networks: [(client: FaultClient, network: NetworkProfile)] = []

    /// Gives a client a network, in the place of the one that it has.
    mutating func set(_ network: NetworkProfile, for client: FaultClient) {
        _ = remove(for: client)
        if networks.count == Self.maximum { networks.removeFirst() }
        networks.append((client, network))
    }

    /// The network that counts for a client: its own, or that of anyone.
    func network(of client: FaultClient) -> NetworkProfile? {
        (networks.first { $0.client == client } ?? networks.first { $0.client == .anyone })?.network
    }

    /// Takes a client's network away, or all of them where that is nil.
    ///
    /// - Returns: how many there were.
    mutating func remove(for client: FaultClient?) -> Int {
        let before = networks.count
        networks.removeAll { client == nil || $0.client == client }
        return before - networks.count
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

/// The client that a fault is for.
///
/// A session's cookie opens the session, so only its hash is kept and shown.
public enum FaultClient: Sendable, Hashable {
    /// A client with this session.
    case session(SessionHash)
    /// Clients without a session.
    case noSession
    /// Any client.
    case anyone

    /// The client whose cookie `session` has this value.
    public static func session(cookie: String) -> FaultClient { .session(SessionHash(hashing: cookie)) }
}

extension FaultClient: CustomStringConvertible {
    /// The client for people: never its cookie, but the beginning of its hash.
    public var description: String {
        switch self {
        case .session(let hash): "session \("\(hash)".prefix(12))"
        case .noSession: "no session"
        case .anyone: "anyone"
        }
    }
}

extension Request {
    /// The client that sent the request, as faults tell clients apart.
    ///
    /// The first cookie of the name counts. The session need not exist: a mock may have its own.
    var faultClient: FaultClient {
        for header in headers[values: .cookie] {
            for value in CookieHeader.values(named: SessionPlace.cookieName, in: header) where !value.isEmpty {
                return .session(cookie: value)
            }
        }
        return .noSession
    }
}
