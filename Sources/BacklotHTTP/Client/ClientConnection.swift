/// A client's connection to a server. It carries one exchange at a time.
///
/// Confined to its loop. It executes the decisions of its exchange and its version of HTTP.
final class ClientConnection: Channel, @unchecked Sendable {
    /// The number of bytes of a request's body that may wait for the server before their source must wait.
    private static let highWater = 64 * 1024

    private let address: SocketAddress
    let destination: ClientDestination
    /// The current exchange; nil while the connection waits for the next one.
    var exchange: PooledExchange?
    /// Whether the connection has carried another exchange before.
    var isReused = false
    /// Whether the server has sent bytes since the exchange began.
    var hasReceived = false
    var lastProgress: Int64
    var isConnected = false
    var isDraining = false
    var tls: TLSSession?
    var isReceiveScheduled = false
    /// The version of HTTP; nil until it is known.
    var codec: (any HTTPClientCodec)?
    var output: [UInt8] = []
    var sent = 0
    var isSendingOver = false
    var continueDeadline: Int64?
    /// The number of bytes of the response that don't have a reader yet.
    var unconsumed = 0

    /// Begins to connect.
    ///
    /// - Throws: `SocketError` if the attempt fails at once.
    init(to address: SocketAddress, _ destination: ClientDestination, loop: EventLoop) throws(SocketError) {
        (self.address, self.destination) = (address, destination)
        lastProgress = loop.clock.now
        super.init(socket: try Socket.connecting(to: address), loop: loop)
        open(.writable)
    }

    // MARK: The exchange

    /// Carries an exchange, once the connection is established.
    func carry(_ exchange: PooledExchange) {
        self.exchange = exchange
        hasReceived = false
        lastProgress = loop.clock.now
        guard codec != nil else { return updateDeadline() }
        isReused = true
        beginExchange()
        // A complete request has already been sent.
        if isOpen, !exchange.isRequestEnded { send() }
    }

    private func beginExchange() {
        guard let codec, let exchange else { return }
        do throws(ClientConnectionError) {
            try codec.begin(exchange.request)
            exchange.headSent()
        } catch {
            fail(error)
        }
    }

    /// Accepts bytes of the request's body.
    func write(_ bytes: [UInt8]) { codec?.send(bytes) }

    /// Ends the request's body.
    func endRequest() {
        codec?.endBody()
        send()
    }

    /// Whether the request's body must wait until the server has accepted some of it.
    var isOutputFull: Bool { output.count - sent + (codec?.unsent ?? 0) >= Self.highWater }

    /// A reader has received bytes of the response, or waits for some.
    func bodyTaken(_ count: Int) {
        lastProgress = loop.clock.now
        guard count > 0 else { return }
        unconsumed -= count
        codec?.consumed(count)
        send()
    }

    /// Whether the server has neither ended the connection nor sent bytes since the last exchange.
    var isQuiet: Bool {
        if tls?.hasUnread ?? false { return false }
        var buffer: [UInt8] = [0]
        if case .wouldBlock = socket.peek(into: &buffer, upTo: 1) { return true }
        return false
    }

    func releaseBody(wasContinued: Bool) {
        continueDeadline = nil
        exchange?.releaseBody(wasContinued: wasContinued)
    }

    /// The response is complete: the connection is free for the next exchange, or closes.
    func release() {
        guard let exchange, let codec else { return }
        let isFree =
            exchange.keepsConnection && exchange.isRequestEnded && codec.isRequestSent && codec.isReusable
            && !isSendingOver && !isDraining && !(tls?.hasUnread ?? false)
        if unconsumed > 0 { codec.consumed(unconsumed) }
        unconsumed = 0
        continueDeadline = nil
        self.exchange = nil
        exchange.detach()
        if isFree, loop.clients.keep(self) {
            lastProgress = loop.clock.now
        } else {
            close()
        }
    }

    /// Ends the connection and its exchange.
    func fail(_ fault: ClientConnectionError) {
        guard isOpen else { return }
        let exchange = exchange
        self.exchange = nil
        let isUnused =
            exchange.map { exchange in
                guard isReused, !exchange.hasResponse else { return false }
                if codec?.isRefused ?? false, case .bytes = exchange.request.body { return true }
                guard case .cutShort(nil) = fault else { return false }
                return !hasReceived && exchange.request.isRepeatable
            } ?? false
        close()
        exchange?.detach()
        exchange?.failed(fault, isUnused: isUnused)
    }

    /// Closes a connection without an exchange.
    func close() {
        guard isOpen else { return }
        _ = tls?.shutDown()
        loop.clients.remove(self)
        closeSocket()
    }

    // MARK: Events

    override func ready(_ readiness: Readiness) {
        guard isConnected || connect() else { return }
        guard tls?.isEstablished ?? true || shakeHands() else { return }
        if readiness.contains(.writable) { send() }
        // A response may have come before the connection broke, for example when the server refuses a body that it hasn't received
        // completely.
        let canReceive = readiness.contains(.readable) || tls?.readingWantsWrite ?? false
        // The system keeps reporting a connection that has hung up, whether or not its reader has caught up.
        if isOpen, readiness.contains(.hungUp) || canReceive && !isPaused { receive() }
    }

    override func deadlineReached() {
        guard let exchange else { return close() }
        let now = loop.clock.now
        let bounds = exchange.bounds
        if let continueDeadline, now >= continueDeadline, now < lastProgress + bounds.idle {
            releaseBody(wasContinued: false)
            return send()
        }
        if !isConnected, now < exchange.began + bounds.total {
            return fail(.unreachable("there was no connection after \(bounds.idle) ms"))
        }
        let what =
            now >= exchange.began + bounds.total
            ? "the response was not complete after \(bounds.total) ms"
            : tls?.isEstablished == false
                ? "the handshake of TLS was not done after \(bounds.idle) ms" : "no byte came for \(bounds.idle) ms"
        fail(.timedOut(what))
    }

    override func drain() {
        isDraining = true
        if exchange == nil { close() }
    }

    override func abort() { fail(.cancelled) }

    private func connect() -> Bool {
        if let error = socket.connectionError(to: address) {
            fail(.notConnected(error))
            return false
        }
        isConnected = true
        lastProgress = loop.clock.now
        updateDeadline()
        if let context = destination.context {
            tls = TLSSession.client(context, on: socket, host: destination.host)
        } else {
            begin(http2: destination.versions == .http2)
        }
        return isOpen
    }

    private func begin(http2: Bool) {
        guard let exchange else { return }
        codec =
            http2
            ? HTTP2Client(scheme: tls == nil ? "http" : "https", bounds: exchange.bounds)
            : HTTP1Client(bounds: exchange.bounds)
        beginExchange()
    }

    private func shakeHands() -> Bool {
        guard let tls else { return true }
        switch tls.handshake() {
        case .done:
            lastProgress = loop.clock.now
            let isHTTP2 = tls.applicationProtocol == "h2"
            guard isHTTP2 || destination.versions != .http2 else {
                fail(.notSecured("the server has not agreed to speak HTTP/2 (ALPN)"))
                return false
            }
            begin(http2: isHTTP2)
            if isOpen { send() }
            if isOpen, tls.hasUnread { receive() }
        case .wantsRead: watch(.readable)
        case .wantsWrite: watch([.readable, .writable])
        case .failed(let failure): fail(ClientConnectionError(failure))
        }
        return false
    }
}
