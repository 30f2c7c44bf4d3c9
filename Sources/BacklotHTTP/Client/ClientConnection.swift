/// Where a client's connection leads, and what it speaks.
struct ClientRoute: Sendable {
    var address: SocketAddress
    /// What connections over TLS share; nil for clear text.
    let context: TLSContext?
    /// The host that the server must have a certificate for.
    let host: String
    let versions: HTTPVersions
    /// How long the exchange has been under way already, on the way to other addresses of the host, in milliseconds.
    let spent: Int64
}

/// A client's connection, for one request and its answer. It closes after them.
///
/// Confined to its loop. It executes what the exchange decides.
final class ClientConnection: Channel, @unchecked Sendable {
    /// How long a body is held back when the server says nothing to `Expect: 100-continue`, in milliseconds: it may
    /// never have heard of it (RFC 9110, section 10.1.1).
    private static let continueWait: Int64 = 1000

    private let route: ClientRoute
    private let request: OutgoingRequest
    private let bounds: ClientBounds
    private let began: Int64
    private let stopwatch = ContinuousClock().now
    private var lastProgress: Int64
    private var isConnected = false
    private var tls: TLSSession?
    private var isReceiveScheduled = false
    /// There from the time when it is known which version of HTTP is spoken.
    private var exchange: (any OutgoingExchange)?
    private var output: [UInt8] = []
    private var sent = 0
    private var isSendingOver = false
    private var continueDeadline: Int64?
    private var wasContinued = false
    private var firstByte: Duration?
    private var completion: ((Result<IncomingResponse, ClientFault>) -> Void)?

    init(
        _ request: OutgoingRequest,
        on route: ClientRoute,
        bounds: ClientBounds,
        loop: EventLoop,
        completion: @escaping (Result<IncomingResponse, ClientFault>) -> Void
    ) throws(SocketError) {
        self.route = route
        self.request = request
        self.bounds = bounds
        began = loop.clock.now - route.spent
        lastProgress = loop.clock.now
        self.completion = completion
        super.init(socket: try Socket.connecting(to: route.address), loop: loop)
    }

    /// Begins to connect, send and receive.
    func start() {
        open(.writable)
        updateDeadline()
    }

    override func ready(_ readiness: Readiness) {
        guard isConnected || connect() else { return }
        guard tls?.isEstablished ?? true || shakeHands() else { return }
        if readiness.contains(.writable) { send() }
        // An answer may have come before the connection broke, as when a body is refused before all of it is sent.
        let canReceive = !readiness.isDisjoint(with: [.readable, .hungUp]) || tls?.readingWantsWrite ?? false
        if isOpen, canReceive { receive() }
    }

    override func deadlineReached() {
        let now = loop.clock.now
        if let continueDeadline, now >= continueDeadline, now < lastProgress + bounds.idle {
            releaseBody()
            return send()
        }
        if !isConnected, now < began + bounds.total {
            return finish(.failure(.unreachable("there was no connection after \(bounds.idle) ms")))
        }
        let what =
            now >= began + bounds.total
            ? "the answer was not whole after \(bounds.total) ms"
            : tls?.isEstablished == false
                ? "the handshake of TLS was not done after \(bounds.idle) ms" : "no byte came for \(bounds.idle) ms"
        finish(.failure(.timedOut(what)))
    }

    override func abort() { finish(.failure(.cancelled)) }

    private func connect() -> Bool {
        if let error = socket.connectionError(to: route.address) {
            finish(.failure(.notConnected(error)))
            return false
        }
        isConnected = true
        lastProgress = loop.clock.now
        updateDeadline()
        if let context = route.context {
            tls = TLSSession.client(context, on: socket, host: route.host)
        } else {
            begin(http2: route.versions == .http2)
        }
        return true
    }

    private func begin(http2: Bool) {
        exchange =
            http2
            ? HTTP2Exchange(request, scheme: tls == nil ? "http" : "https", bounds: bounds)
            : HTTP1Exchange(request, bounds: bounds)
    }

    private func shakeHands() -> Bool {
        guard let tls else { return true }
        switch tls.handshake() {
        case .done:
            lastProgress = loop.clock.now
            let isHTTP2 = tls.applicationProtocol == "h2"
            guard isHTTP2 || route.versions != .http2 else {
                finish(.failure(.notSecured("the server has not agreed to speak HTTP/2 (ALPN)")))
                return false
            }
            begin(http2: isHTTP2)
            send()
            if isOpen, tls.hasUnread { receive() }
        case .wantsRead: watch(.readable)
        case .wantsWrite: watch([.readable, .writable])
        case .failed(let failure): finish(.failure(ClientFault(failure)))
        }
        return false
    }

    private func send() {
        while !isSendingOver {
            if sent == output.count {
                (output, sent) = (exchange?.takeOutput() ?? [], 0)
                if output.isEmpty { break }
            }
            let bytes = output
            let rest = bytes.span.extracting(sent...)
            switch tls?.send(rest) ?? socket.send(rest) {
            case .bytes(let count):
                sent += count
                lastProgress = loop.clock.now
            case .wouldBlock: return wait()
            case .failed:
                // Nothing more can be sent, but there may be an answer to read.
                isSendingOver = true
                return receive()
            }
        }
        if exchange?.isBodyHeld ?? false, continueDeadline == nil {
            continueDeadline = loop.clock.now + Self.continueWait
        }
        wait()
    }

    private func receive() {
        var buffer = loop.buffers.takeReadBuffer()
        defer { loop.buffers.giveBack(readBuffer: buffer) }
        let received = tls?.receive(into: &buffer) ?? socket.receive(into: &buffer)
        do throws(ClientFault) {
            switch received {
            case .bytes(let count):
                lastProgress = loop.clock.now
                let progress = try exchange?.receive(buffer.span.extracting(..<count)) ?? .incomplete
                if firstByte == nil, exchange?.hasBegun ?? false { firstByte = elapsed }
                try take(progress)
            case .failed: throw broken()
            case .end:
                try exchange?.end()
                try take(.finished)
            case .wouldBlock: break
            }
            if isOpen, sent == output.count { return send() }
            wait()
        } catch {
            finish(.failure(error))
        }
    }

    /// Receives, in the next round of the loop, what TLS has decrypted already: the system doesn't report it again.
    private func receiveUnreadLater() {
        guard let tls, tls.hasUnread, isOpen, !isReceiveScheduled else { return }
        isReceiveScheduled = true
        loop.later { [self] in
            isReceiveScheduled = false
            if isOpen { receive() }
        }
    }

    /// Why nothing is received any more. A connection that breaks is not the end of an answer (RFC 9112, section 8), and over
    /// TLS only its own farewell is: anybody can end the connection.
    private func broken() -> ClientFault {
        // A server of TLS 1.3 may refuse the client when the client's handshake is done already.
        if let failure = tls?.failure, failure.isAlert, firstByte == nil { return ClientFault(failure) }
        return .cutShort(bodyBytes: exchange.flatMap { $0.response == nil ? nil : $0.body.count })
    }

    private func take(_ progress: ResponseParser.Progress) throws(ClientFault) {
        switch progress {
        case .incomplete: break
        case .continue:
            wasContinued = true
            releaseBody()
            try take(exchange?.resume() ?? .incomplete)
        case .finished:
            guard let exchange, let (status, headers) = exchange.response else { return }
            finish(
                .success(
                    IncomingResponse(
                        status: status,
                        headers: headers,
                        body: exchange.body,
                        wasContinued: wasContinued,
                        firstByte: firstByte ?? elapsed,
                        total: elapsed
                    )
                )
            )
        }
    }

    private func releaseBody() {
        continueDeadline = nil
        exchange?.releaseBody()
    }

    private func wait() {
        guard isOpen else { return }
        if tls?.readingWantsWrite ?? false {
            // What has arrived would be reported again and again while nothing can be received.
            watch(.writable)
        } else {
            watch(sent < output.count && !isSendingOver ? [.readable, .writable] : .readable)
        }
        updateDeadline()
        receiveUnreadLater()
    }

    private func updateDeadline() {
        let deadline = min(began + bounds.total, lastProgress + bounds.idle)
        setDeadline(min(deadline, continueDeadline ?? .max))
    }

    private func finish(_ result: Result<IncomingResponse, ClientFault>) {
        guard isOpen else { return }
        _ = tls?.shutDown()
        closeSocket()
        completion?(result)
        completion = nil
    }

    private var elapsed: Duration { stopwatch.duration(to: .now) }
}
