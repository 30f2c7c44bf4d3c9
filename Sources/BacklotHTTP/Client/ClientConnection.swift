internal import HTTPTypes

/// What a connection over TLS needs: what it shares with others, and the host that the server must have a certificate for.
struct ClientSecurity: Sendable {
    let context: TLSContext
    let host: String
}

/// A client's connection, for one request and its answer. It closes after them.
///
/// Confined to its loop. It executes what the parser decides.
final class ClientConnection: Channel, @unchecked Sendable {
    /// How long a body is held back when the server says nothing to `Expect: 100-continue`, in milliseconds: it may
    /// never have heard of it (RFC 9110, section 10.1.1).
    private static let continueWait: Int64 = 1000

    private let address: SocketAddress
    private let security: ClientSecurity?
    private let bounds: ClientBounds
    private let began: Int64
    private let stopwatch = ContinuousClock().now
    private var lastProgress: Int64
    private var isConnected = false
    private var tls: TLSSession?
    private var isReceiveScheduled = false
    private var output: [UInt8]
    private var sent = 0
    /// The body, while it waits for a 100.
    private var heldBody: [UInt8]?
    private var continueDeadline: Int64?
    private var wasContinued = false
    private var firstByte: Duration?
    private var parser: ResponseParser
    private var completion: ((Result<IncomingResponse, ClientFault>) -> Void)?

    init(
        _ request: OutgoingRequest,
        to address: SocketAddress,
        security: ClientSecurity?,
        bounds: ClientBounds,
        loop: EventLoop,
        completion: @escaping (Result<IncomingResponse, ClientFault>) -> Void
    ) throws(SocketError) {
        self.address = address
        self.security = security
        self.bounds = bounds
        began = loop.clock.now
        lastProgress = began
        let holdsBody = request.waitsForContinue && !request.body.isEmpty
        output = holdsBody ? request.head : request.head + request.body
        heldBody = holdsBody ? request.body : nil
        parser = ResponseParser(bounds: bounds, isHead: request.method == .head)
        self.completion = completion
        super.init(socket: try Socket.connecting(to: address), loop: loop)
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
        if isOpen, !readiness.isDisjoint(with: [.readable, .hungUp]) { receive() }
    }

    override func deadlineReached() {
        let now = loop.clock.now
        if let continueDeadline, now >= continueDeadline, now < lastProgress + bounds.idle {
            releaseBody()
            return send()
        }
        let what =
            now >= began + bounds.total
            ? "the answer was not whole after \(bounds.total) ms"
            : isConnected && tls?.isEstablished == false
                ? "the handshake of TLS was not done after \(bounds.idle) ms"
                : isConnected ? "no byte came for \(bounds.idle) ms" : "there was no connection after \(bounds.idle) ms"
        finish(.failure(.timedOut(what)))
    }

    override func abort() { finish(.failure(.cancelled)) }

    private func connect() -> Bool {
        if let error = socket.connectionError(to: address) {
            finish(.failure(.notConnected(error)))
            return false
        }
        isConnected = true
        lastProgress = loop.clock.now
        tls = security.map { TLSSession.client($0.context, on: socket, host: $0.host) }
        return true
    }

    private func shakeHands() -> Bool {
        guard let tls else { return true }
        switch tls.handshake() {
        case .done:
            lastProgress = loop.clock.now
            send()
            if isOpen, tls.hasUnread { receive() }
        case .wantsRead: watch(.readable)
        case .wantsWrite: watch([.readable, .writable])
        case .failed(let failure): finish(.failure(ClientFault(failure)))
        }
        return false
    }

    private func send() {
        while sent < output.count {
            let bytes = output
            let rest = bytes.span.extracting(sent...)
            switch tls?.send(rest) ?? socket.send(rest) {
            case .bytes(let count):
                sent += count
                lastProgress = loop.clock.now
            case .wouldBlock: return wait()
            case .failed:
                // Nothing more can be sent, but there may be an answer to read.
                sent = output.count
                heldBody = nil
                return receive()
            }
        }
        if heldBody != nil, continueDeadline == nil { continueDeadline = loop.clock.now + Self.continueWait }
        wait()
    }

    private func receive() {
        var buffer = loop.buffers.takeReadBuffer()
        defer { loop.buffers.giveBack(readBuffer: buffer) }
        let received = tls?.receive(into: &buffer) ?? socket.receive(into: &buffer)
        do throws(ClientFault) {
            switch received {
            case .bytes(let count):
                if firstByte == nil { firstByte = elapsed }
                lastProgress = loop.clock.now
                try take(parser.feed(buffer.span.extracting(..<count)))
            case .failed where tls != nil: throw broken()
            case .end, .failed:
                try parser.end()
                try take(.finished)
            case .wouldBlock: break
            }
            wait()
            receiveUnreadLater()
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

    /// Why TLS receives nothing any more. Only its own farewell is the end of an answer: anybody can end the connection.
    private func broken() -> ClientFault {
        // A server of TLS 1.3 may refuse the client when the client's handshake is done already.
        if let failure = tls?.failure, failure.isAlert, firstByte == nil { return ClientFault(failure) }
        return .cutShort(bodyBytes: parser.response == nil ? nil : parser.body.count)
    }

    private func take(_ progress: ResponseParser.Progress) throws(ClientFault) {
        switch progress {
        case .incomplete: break
        case .continue:
            wasContinued = true
            releaseBody()
            try take(parser.resume())
            if isOpen { send() }
        case .finished:
            guard let (status, headers) = parser.response else { return }
            finish(
                .success(
                    IncomingResponse(
                        status: status,
                        headers: headers,
                        body: parser.body,
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
        guard let body = heldBody else { return }
        heldBody = nil
        output = body
        sent = 0
    }

    private func wait() {
        guard isOpen else { return }
        let wantsWrite = sent < output.count || tls?.readingWantsWrite ?? false
        watch(wantsWrite ? [.readable, .writable] : .readable)
        updateDeadline()
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
