internal import HTTPTypes
internal import Logging
internal import Synchronization

/// The state that all connections of a server share.
final class ServerContext: Sendable {
    let handler: any Handler
    let configuration: ServerConfiguration
    let logger: Logger
    /// The number of open connections.
    let connections = Atomic<Int>(0)
    /// The weighted number of requests that wait for the end of their responses. A request that gets its response without
    /// suspending never counts: counting it would make the cores compete for this number.
    let requestsInFlight = Atomic<Int>(0)
    /// The weighted number of requests with suspended handlers, including those that wait for their clients.
    let heldRequests = Atomic<Int>(0)
    /// The number of connections that wait for their clients to close.
    let lingering = Atomic<Int>(0)
    /// The connections of each address, if these are limited.
    private let addresses = NetworkCounts()
    /// The loops of the connections.
    let loops: [EventLoop]
    /// The number of descriptors that the process may have.
    let descriptors: Int
    /// The most open connections: fewer than the limit if there aren't enough descriptors.
    let mostConnections: Int
    /// The most requests of one network. It also depends on the number of connections, since each request may take one, unless
    /// the server has room for few of them.
    private let mostOfOneNetwork: Int
    /// Informs the functions that write streamed bodies when the server stops.
    let streams = GracefulShutdown()
    /// The memory that is kept for slow clients.
    let buffers: BufferBudget
    /// The number of loops that still have to shed load.
    let sheddingLoops = Atomic<Int>(0)
    /// Whether a warning has mentioned fields of an untrusted proxy.
    let hasNotedProxy = Atomic<Bool>(false)
    let isSheddingDue = Atomic<Bool>(false)
    let isMemoryDue = Atomic<Bool>(false)
    /// One for each `Warning`.
    let warnings = Locked([WarningPace](repeating: WarningPace(), count: Warning.allCases.count))
    /// The number of refused requests and connections so far.
    let refusals = Locked<[RequestRefusal: Int]>([:])
    /// TLS; nil for clear text.
    let tls: TLSAcceptor?

    /// - Parameter descriptors: the number of descriptors that the process may have.
    init(
        handler: any Handler,
        configuration: ServerConfiguration,
        logger: Logger,
        loops: [EventLoop] = [],
        descriptors: Int = .max,
        tls: TLSAcceptor? = nil
    ) {
        self.tls = tls
        self.handler = handler
        self.configuration = configuration
        self.logger = logger
        self.loops = loops
        self.descriptors = descriptors
        mostConnections = Self.most(configuration.limits.connections, descriptors: descriptors)
        let limit = configuration.limits.requestsInFlight
        let most = mostConnections < 1024 ? Int.max : mostConnections - mostConnections / 8
        mostOfOneNetwork = min(limit - limit / 8, most)
        buffers = BufferBudget(limit: configuration.limits.bufferedBytes)
    }

    /// The most connections that leave descriptors for files, stores and other servers of the process.
    static func most(_ connections: Int, descriptors: Int) -> Int {
        max(1, min(connections, descriptors - min(max(16, descriptors / 8), 256)))
    }

    /// Whether another connection may be accepted.
    var hasRoomForConnection: Bool { connections.load(ordering: .relaxed) < mostConnections }

    /// Whether a connection from an address may be opened. It counts for the address until its release.
    func admit(connectionFrom address: SocketAddress) -> Bool {
        guard let limit = configuration.limits.connectionsPerAddress, isCounted(address) else { return true }
        return addresses.add(1, to: address.network, upTo: limit)
    }

    /// Stops counting an admitted connection.
    func release(connectionFrom address: SocketAddress) {
        guard configuration.limits.connectionsPerAddress != nil, isCounted(address) else { return }
        addresses.add(-1, to: address.network)
    }

    /// Proxies may have as many connections as they need.
    private func isCounted(_ address: SocketAddress) -> Bool {
        !configuration.trustedProxies.contain(address) && !configuration.proxyProtocolSources.contain(address)
    }

    /// Whether a connection from an address begins with something other than a request: a header of the PROXY protocol, or a
    /// handshake.
    func hasOpening(_ address: SocketAddress) -> Bool { tls != nil || hasProxyHeader(address) }

    /// Whether a connection from an address begins with a header of the PROXY protocol.
    func hasProxyHeader(_ address: SocketAddress) -> Bool {
        !configuration.proxyProtocolSources.isEmpty && configuration.proxyProtocolSources.contain(address)
    }

    /// A connection has sent its last byte, and waits for its client to close. Above the limit, the oldest such connection of its
    /// loop is cut.
    func startLingering(_ connection: Connection) {
        connection.loop.lingering.append(connection)
        let count = lingering.add(1, ordering: .relaxed).newValue
        if count > configuration.limits.lingering { connection.loop.lingering.first?.abort() }
    }

    /// The connection has ended.
    func endLingering(_ connection: Connection) {
        guard let index = connection.loop.lingering.firstIndex(where: { $0 === connection }) else { return }
        connection.loop.lingering.remove(at: index)
        lingering.subtract(1, ordering: .relaxed)
    }

    /// Whether a request may be handled: one through a trusted proxy counts as a connection of its client.
    ///
    /// - Parameter ticket: set if the request counts; it counts as long as the ticket lives.
    func admit(_ request: Request, over connection: SocketAddress, _ ticket: inout Ticket?) -> Bool {
        guard let limit = configuration.limits.connectionsPerAddress,
            configuration.trustedProxies.contain(connection)
        else { return true }
        let network = request.clientAddress(trusting: configuration.trustedProxies).network
        guard addresses.add(1, to: network, upTo: limit) else { return false }
        ticket = Ticket { [addresses] in addresses.add(-1, to: network) }
        return true
    }

    /// The number of requests in flight that one counts as: several if its head is large, because the head is kept until its
    /// handler returns.
    static func weight(headSize: Int) -> Int {
        let unit = ServerConfiguration.Limits.usualHead
        return max(1, (headSize + unit - 1) / unit)
    }

    /// The number of requests for `ServerConfiguration.reservedPaths` that may run besides all others.
    private static let reservedRequests = 64
    /// Represents the network of such requests.
    private static let reservedNetwork = UInt64.max

    /// Whether another request may be handled.
    ///
    /// Each network leaves room for others, no matter how many requests it makes. The last eighth of the requests in flight is
    /// kept for networks that have less than an eighth. A network may have at most seven eighths of the number of connections.
    func hasRoom(for request: Request) -> Bool {
        if heldRequests.load(ordering: .relaxed) < mostOfOneNetwork { return true }
        let limit = configuration.limits.requestsInFlight
        let network = network(of: request)
        let own = requests(of: network)
        if network == Self.reservedNetwork { return own < Self.reservedRequests }
        let count = requestsInFlight.load(ordering: .relaxed)
        guard count < limit, limit < 8 || own < mostOfOneNetwork else { return false }
        return count < limit - limit / 8 || limit < 8 || own < limit / 8
    }

    /// The weighted number of a network's requests with suspended handlers.
    private func requests(of network: UInt64) -> Int {
        loops.reduce(0) { $0 + $1.heldRequests[network] }
    }

    /// Whether the network of a connection has an eighth of all requests or more.
    func isHeavy(_ address: SocketAddress) -> Bool {
        requests(of: address.network) >= configuration.limits.requestsInFlight / 8
    }

    /// The network that a request counts for: its client's, if a trusted proxy names the client.
    func network(of request: Request) -> UInt64 {
        if configuration.reservedPaths.contains(request.path) { return Self.reservedNetwork }
        return configuration.trustedProxies.isEmpty ? request.remoteAddress.network : request.clientAddress.network
    }

    /// Counts a request for its network; a negative weight ends the counting.
    func hold(_ weight: Int, for network: UInt64, on loop: EventLoop) {
        heldRequests.add(weight, ordering: .relaxed)
        loop.heldRequests.add(weight, to: network)
    }

    /// Whether the requests in flight exceed three quarters of their limit.
    var isBusy: Bool {
        requestsInFlight.load(ordering: .relaxed) > configuration.limits.requestsInFlight / 4 * 3
    }

    /// Replaces a response that can't be sent by an error.
    ///
    /// A status below 200 announces another response (RFC 9110, section 15.2), and the client would wait for that. A large body
    /// needs memory until the client has accepted it, and there may be none.
    func check(_ response: inout Response, to request: Request) {
        if case .bytes(let bytes) = response.body, bytes.count > OutgoingSlice.copiedBytes, buffers.isSpent,
            !configuration.reservedPaths.contains(request.path)
        {
            response = Response(RequestError.overloaded)
        }
        if (200..<500).contains(response.status.code) { return }
        if response.status.code == 101, request.body.upgraded != nil { return }
        defer { response = response.bearing(RequestID(request)) }
        if response.status.code >= 500 { return }
        logger.error("\(request.method) \(request.path) failed: a handler returned the status \(response.status.code)")
        response = .text(
            "The server failed to respond: a handler's status must be 200 or above",
            status: .internalServerError
        )
    }

    /// The handler's response to a request that came over another server's connection, or without one, once its head may be sent.
    func response(to request: Request) async -> Response {
        var response: Response
        do { response = try await handler(request) } catch { response = self.response(to: error, for: request) }
        check(&response, to: request)
        if let pace = response.pace { response = await response.paced(by: pace) }
        return response
    }

    /// The response to an error thrown by a handler.
    func response(to error: any Error, for request: Request) -> Response {
        if let error = error as? any HTTPError {
            note(error, from: request.clientAddress)
            return error.status.code < 500 ? Response(error) : Response(error).bearing(RequestID(request))
        }
        let error = UnexpectedError(error)
        if !error.isLogged {
            let text: Logger.Message = "\(request.method) \(request.path) failed: \(String(reflecting: error.cause))"
            logger.error(text, metadata: ["request-id": .string(request.id)])
        }
        let details =
            configuration.showsErrorDetails ? String(reflecting: error.cause) : "the log of the server says why"
        let response = error.response ?? .text("The server failed to respond: \(details)", status: .internalServerError)
        return response.bearing(RequestID(request))
    }
}

extension Response {
    /// The response when there are too many requests in flight.
    static let tooManyRequests = Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])

    /// The response when one client has too many connections.
    static var tooManyFromAddress: Response {
        var response = Response.text("there are too many connections from your address\n", status: .serviceUnavailable)
        response.headers[.retryAfter] = "1"
        return response
    }
}

/// The number of connections, or of requests, of each network (`SocketAddress.network`).
final class NetworkCounts: Sendable {
    private let counts = Locked<[UInt64: Int]>([:])

    /// The count of a network.
    subscript(network: UInt64) -> Int { counts.withLock { $0[network] ?? 0 } }

    /// The number of counted networks.
    var networkCount: Int { counts.withLock(\.count) }

    /// Counts more; a negative number counts fewer.
    ///
    /// - Returns: false, with the count unchanged, if it would exceed `limit`.
    @discardableResult
    func add(_ count: Int, to network: UInt64, upTo limit: Int = .max) -> Bool {
        counts.withLock { counts in
            let sum = (counts[network] ?? 0) + count
            guard sum <= limit else { return false }
            counts[network] = sum == 0 ? nil : sum
            return true
        }
    }
}
