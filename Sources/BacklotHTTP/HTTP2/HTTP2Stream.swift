internal import Logging
internal import Synchronization

/// One request and its response on an HTTP/2 connection (RFC 9113, section 5).
///
/// Confined to the connection's loop. It outlives its connection as long as its handler runs.
final class HTTP2Stream: @unchecked Sendable {
    /// The number of bytes of a streamed response that may wait before the handler must wait.
    static let highWater = 64 * 1024

    let id: Int32
    let connection: HTTP2Connection
    /// The stream's index in the connection's streams.
    var index: Int
    /// Whether the connection still has the stream.
    private(set) var isOpen = true

    // MARK: The request

    /// Whether the whole request has arrived.
    var isRequestEnded = false
    /// Whether the client may send no more on the stream: it has sent its end, perhaps too early, or a reset.
    var isClientDone = false
    /// Whether the client has opened the stream's window too far.
    var isWindowBroken = false
    /// The bytes of the body that arrived before the handler began.
    var received: [UInt8] = []
    var incoming: IncomingBody?
    /// The number of body bytes that count against the windows.
    var unconsumed = 0
    /// The size of the stream's window, and the bytes that handlers have taken since it last grew.
    var (window, taken) = (NGHTTP2Session.streamWindow, 0)
    /// Whether the body has received bytes that haven't been delivered.
    var isFed = false
    /// Whether the server must send a 100 when a handler asks for the body.
    var owesContinue = false
    /// The time when the client last sent part of the body, or a handler asked for it, in milliseconds of the loop's clock.
    var lastReceived: Int64 = 0

    // MARK: The response

    /// Whether the client wants to open a WebSocket on the stream (RFC 8441).
    var isUpgradable = false
    /// Whether the method is HEAD: the response has no body.
    var isHead = false
    /// Whether the response has begun.
    var hasResponse = false
    /// Whether the last frame of the response has been written.
    var isResponseSent = false
    /// Whether the client has accepted bytes of the response.
    var hasSentBody = false
    /// The time when the response was sent to a client that still sends its request; nil otherwise.
    private var lingersSince: Int64?
    private let began: Int64
    var outgoing: OutgoingBody?
    @exclusivity(unchecked) private var uncheckedQueue = ResponseQueue()
    /// The other fields of the response's head, which the library reads from here.
    var fields: NGHTTP2Fields?
    /// A large body that is sent instead of `queue`.
    var file: OutgoingSlice?
    /// The bytes of the budget that the stream holds, as last reported to the connection.
    private(set) var held = 0
    /// Whether the library has found the queue empty, and needs a call of `resume` for the next bytes.
    var isDeferred = false
    /// The time when the client last accepted bytes of the response, or when its first bytes were ready.
    var lastSent: Int64 = 0

    // MARK: The handler

    var task: Task<Void, Never>?
    /// Whether a task of the handler has begun but not returned.
    var isUnderWay = false
    var counts = RequestCounts()

    init(id: Int32, index: Int, connection: HTTP2Connection) {
        self.id = id
        self.index = index
        self.connection = connection
        began = connection.now
    }

    /// Whether a reset by the client is no sign of an attack: it has accepted data, or the stream has lived for a second.
    var hasBeenOfUse: Bool { hasSentBody || connection.now - began >= 1000 }

    /// The waiting bytes. Like `HTTP2Connection.state`, they are confined to the loop.
    var queue: ResponseQueue {
        @inline(__always) get { unsafe uncheckedQueue }
        @inline(__always) _modify { yield unsafe &uncheckedQueue }
    }

    var loop: EventLoop { connection.loop }
    var server: ServerContext { connection.server }
    var remoteAddress: SocketAddress { connection.remoteAddress }

    /// Resets the stream.
    func reset(_ code: HTTP2ErrorCode) {
        guard isOpen else { return }
        connection.session.reset(self, code)
        connection.changed()
    }

    /// The connection forgets the stream: the response is complete, one side has reset the stream, or the connection has closed.
    func close() {
        guard isOpen else { return }
        isOpen = false
        failBody(RequestError.incomplete)
        outgoing?.end(.connectionClosed)
        if !isResponseSent { task?.cancel() }
        (incoming, outgoing, task, file, fields) = (nil, nil, nil, nil, nil)
        queue.removeAll()
        connection.narrow(self)
        lingersSince = nil
        noteHeld()
        updateInFlight()
    }

    // MARK: The end of an early response

    /// The last frame is written. A client that still sends its body may read the response only afterwards, or not at all after a reset
    /// (curl 7.88 and Java 17): so the rest is read and dropped for a while before the server asks the client to stop (RFC 9113, section
    /// 8.1).
    func responseSent() {
        isResponseSent = true
        guard !isRequestEnded else { return }
        lingersSince = connection.now
        lastReceived = connection.now
        noteHeld()
    }

    /// Whether the client's time to end its request after the response is over.
    ///
    /// - Parameters:
    ///   - pause: the milliseconds from its last bytes.
    ///   - inAll: the milliseconds from the response.
    func hasLingered(_ pause: Int64, inAll: Int64) -> Bool {
        guard let lingersSince else { return false }
        return connection.now >= min(lastReceived + pause, lingersSince + inAll)
    }

    // MARK: Memory that waits for the client

    /// The memory, besides its bytes, of a stream that waits for its client: its state and the library's, its handler's task, and perhaps a
    /// descriptor.
    static let cost = 32 * 1024

    /// Whether bytes of the response, or its end, wait for the client.
    var isResponsePending: Bool { queue.isPending || file.map { !$0.isLoading } ?? false }

    /// The time when the client last made progress, in milliseconds of the loop's clock.
    var lastProgress: Int64 { max(lastReceived, lastSent) }

    /// Reports to the connection how much the stream holds now.
    func noteHeld() {
        let waits = isResponsePending || isBodyAwaited || outgoing?.isWaiting ?? false || lingersSince != nil
        // The head lives as long as the handler. A large body counts separately.
        let now = waits ? Self.cost + queue.capacity + (isUnderWay ? Int(counts.headSize) : 0) : 0
        connection.held += now - held
        held = now
    }
}

/// The handler of the request.
extension HTTP2Stream: Exchange {
    /// Starts the handler, with the head and the part of the body that came with it.
    func begin(_ head: Result<RequestHead, HeaderList.ListError>) {
        guard isOpen else { return }
        switch head {
        case .success(let head): begin(head)
        case .failure(.refused(let error)):
            server.note(error, from: remoteAddress)
            complete(Response(error))
        case .failure(.malformed):
            server.note(
                .malformed,
                "malformed request: the fields of a stream contradict RFC 9113",
                from: remoteAddress
            )
            reset(.protocolError)
        }
    }

    private func begin(_ head: RequestHead) {
        // Handlers of reset streams keep running: a client must not accumulate them without limit.
        guard connection.handlers < server.configuration.limits.streams, !connection.isOverdrawn else {
            return reset(.refusedStream)
        }
        let tls = connection.connection.tls?.details
        var request = Request(
            head: head,
            body: makeBody(head),
            remoteAddress: remoteAddress,
            tls: tls,
            trustedProxies: server.configuration.trustedProxies
        )
        request.attributes = connection.connection.attributes
        if id == 1 { server.noteProxy(of: request) }
        handle(request)
    }

    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void) {
        counts.headSize = UInt16(clamping: request.head.bytes.count)
        counts.network = server.network(of: request)
        connection.handlers += 1
        isUnderWay = true
        let task = Task.immediate(executorPreference: executor) {
            await operation()
            self.ended()
        }
        guard isUnderWay else { return }
        self.task = task
        updateInFlight()
    }

    /// Whether the handler waits for the client: for the request's body, or for room for the response's body.
    var isClientAwaited: Bool { incoming?.isAwaited ?? false || outgoing?.isWaiting ?? false }

    func waitChanged() {
        noteHeld()
        updateInFlight()
    }

    /// The handler has returned. Until then its request counts, even if the stream is over.
    private func ended() {
        loop.preconditionIsCurrent()
        isUnderWay = false
        task = nil
        connection.handlers -= 1
        noteHeld()
        updateInFlight()
    }

    func fail(_ error: any Error, _ request: Request) {
        complete(server.response(to: error, for: request))
    }
}

/// The path of the request from the connection to the handler.
extension HTTP2Stream: BodySource {
    /// Accepts bytes of the body.
    func bodyCame(_ bytes: Span<UInt8>) {
        unconsumed += bytes.count
        connection.input.bytes += bytes.count
        lastReceived = connection.now
        owesContinue = false
        if let incoming, incoming.isArriving {
            incoming.append(bytes)
            noteFed()
        } else if incoming != nil || hasResponse {
            dropBody()
        } else {
            received.append(copying: bytes)
        }
    }

    /// The client has ended its side of the stream.
    func requestEnded() {
        isRequestEnded = true
        if incoming != nil { noteFed() }
    }

    private func noteFed() {
        guard !isFed else { return }
        isFed = true
        connection.state.fed.append(self)
    }

    /// Delivers the received bytes.
    func deliver() {
        isFed = false
        if isRequestEnded { incoming?.finish() } else { incoming?.deliver() }
    }

    /// Whether a handler waits for the client to send its request. The client of a WebSocket may be silent.
    var isBodyAwaited: Bool { !isUpgradable && incoming?.isAwaited ?? false }

    /// Ends the body early: its reader gets `error`.
    func failBody(_ error: @autoclosure () -> any Error) {
        incoming?.fail(error())
        dropBody()
    }

    /// Opens the windows by the bytes that no handler will read.
    private func dropBody() {
        guard unconsumed > 0 else { return }
        connection.session.consume(unconsumed, of: self)
        unconsumed = 0
        connection.changed()
    }

    /// The body in the form that the handler gets.
    func makeBody(_ head: RequestHead) -> RequestBody {
        let limit = server.configuration.limits.body
        isUpgradable = head.asksForWebSocket
        if isRequestEnded, !isUpgradable {
            dropBody()
            var bytes: [UInt8] = []
            swap(&bytes, &received)
            return RequestBody(.bytes(bytes), limit: limit)
        }
        var length: Int?
        if case .length(let declared) = head.framing { length = declared }
        let incoming = IncomingBody(declaredLength: length, loop: loop, source: self, server: server)
        incoming.append(received.span)
        if isRequestEnded { incoming.finish() }
        owesContinue = head.expectsContinue && received.isEmpty
        received = []
        self.incoming = incoming
        return RequestBody(isUpgradable ? .upgradable(incoming) : .incoming(incoming), limit: limit)
    }

    func bodyWanted(taken: Int) {
        guard isOpen else { return }
        lastReceived = connection.now
        if taken > 0 {
            unconsumed -= taken
            connection.session.consume(taken, of: self)
            connection.widen(self, after: taken)
            connection.windowChanged()
        } else if owesContinue {
            sendContinue()
        }
    }

    /// Asks a client that holds back its body to send it (RFC 9110, section 10.1.1).
    func sendContinue() {
        guard owesContinue, !hasResponse else { return }
        owesContinue = false
        connection.session.submitContinue(on: self)
        connection.windowChanged()
    }
}
