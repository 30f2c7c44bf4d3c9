internal import Logging
internal import Synchronization

/// One request and its answer on an HTTP/2 connection (RFC 9113, section 5).
///
/// Confined to the connection's loop. It outlives its connection as long as its handler runs.
final class HTTP2Stream: @unchecked Sendable {
    /// How many bytes of a streamed answer may wait before the handler must.
    static let highWater = 64 * 1024

    let id: Int32
    let connection: HTTP2Connection
    /// Where it stands among the connection's streams.
    var index: Int
    /// Whether the connection knows it.
    private(set) var isOpen = true

    // MARK: The request

    /// Whether all of the request is there.
    var isRequestEnded = false
    /// Whether the client may send no more on the stream: it has sent its end, perhaps a premature one, or a reset.
    var isClientDone = false
    /// Whether the client has opened the stream's window too far.
    var isWindowBroken = false
    /// Bytes of the body that came before the handler began.
    var received: [UInt8] = []
    var incoming: IncomingBody?
    /// Bytes of the body that count against the windows.
    var unconsumed = 0
    /// Whether the body has got bytes that have not been handed on.
    var isFed = false
    /// Whether a 100 is due when a handler asks for the body.
    var owesContinue = false
    /// When the client last sent something of the body, or a handler asked for it, in milliseconds of the loop's clock.
    var lastReceived: Int64 = 0

    // MARK: The answer

    /// Whether the method is HEAD: the answer has no body.
    var isHead = false
    /// Whether an answer has been begun.
    var hasResponse = false
    /// Whether the last frame of the answer is written.
    var isResponseSent = false
    var outgoing: OutgoingBody?
    @exclusivity(unchecked) private var uncheckedQueue = ResponseQueue()
    /// The other fields of the head, where the library reads them.
    var fields: NGHTTP2Fields?
    /// A large body that is sent instead of `queue`.
    var file: OutgoingSlice?
    /// How much of the budget it holds, as its connection counts it, in bytes.
    private(set) var held = 0
    /// Whether the library has found the queue empty, and waits to be told when it isn't.
    var isDeferred = false
    /// When the client last took bytes of the answer, or there began to be some.
    var lastSent: Int64 = 0

    // MARK: The handler

    var task: Task<Void, Never>?
    /// Whether a task of the handler has begun, and not returned.
    var isUnderWay = false
    var counts = RequestCounts()

    init(id: Int32, index: Int, connection: HTTP2Connection) {
        self.id = id
        self.index = index
        self.connection = connection
    }

    /// The bytes that wait. They are confined to the loop, as `HTTP2Connection.state` is.
    var queue: ResponseQueue {
        @inline(__always) _read { yield unsafe uncheckedQueue }
        @inline(__always) _modify { yield unsafe &uncheckedQueue }
    }

    var loop: EventLoop { connection.loop }
    var server: ServerContext { connection.server }
    var remoteAddress: SocketAddress { connection.remoteAddress }

    /// Ends the stream early.
    func reset(_ code: HTTP2ErrorCode) {
        guard isOpen else { return }
        connection.session.reset(self, code)
        connection.changed()
    }

    /// The connection knows the stream no longer: the answer is whole, or one side has reset it, or the connection is
    /// gone.
    func close() {
        guard isOpen else { return }
        isOpen = false
        failBody(RequestError.incomplete)
        outgoing?.end(.connectionClosed)
        if !isResponseSent { task?.cancel() }
        (incoming, outgoing, task, file, fields) = (nil, nil, nil, nil, nil)
        queue.removeAll()
        noteHeld()
        updateInFlight()
    }

    // MARK: Memory that waits for the client

    /// How much memory a stream holds that waits for its client, beside its bytes: its state and the library's, its
    /// handler's task, and perhaps a descriptor.
    static let cost = 32 * 1024

    /// Whether bytes of the answer, or its end, wait for the client to take them.
    var isResponsePending: Bool { queue.isPending || file.map { !$0.isLoading } ?? false }

    /// When the client last made progress, in milliseconds of the loop's clock.
    var lastProgress: Int64 { max(lastReceived, lastSent) }

    /// Tells the connection what the stream holds now.
    func noteHeld() {
        let waits = isResponsePending || isClientAwaited
        // The head lives as long as the handler. A large body counts by itself.
        let now = waits ? Self.cost + queue.capacity + (isUnderWay ? Int(counts.headSize) : 0) : 0
        connection.held += now - held
        held = now
    }
}

/// The handler of the request.
extension HTTP2Stream: Exchange {
    /// Starts the handler: the head is there, and as much of the body as came with it.
    func begin(_ head: Result<RequestHead, HeaderList.ListError>) {
        guard isOpen else { return }
        switch head {
        case .success(let head): begin(head)
        case .failure(.refused(let error)):
            server.logger.debug("refused a request from \(remoteAddress): \(error.reason)")
            complete(Response(error))
        case .failure(.malformed): reset(.protocolError)
        }
    }

    private func begin(_ head: RequestHead) {
        // Handlers of reset streams run on: a client must not collect any number of them.
        guard connection.handlers < server.configuration.limits.streams, !connection.isOverdrawn else {
            return reset(.refusedStream)
        }
        let tls = connection.connection.tls?.details
        let request = Request(
            head: head,
            body: makeBody(head),
            remoteAddress: remoteAddress,
            tls: tls,
            trustedProxies: server.configuration.trustedProxies
        )
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

    /// Whether the handler waits for the client: for the request's body, or for room for the answer's.
    var isClientAwaited: Bool { isBodyAwaited || outgoing?.isWaiting ?? false }

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

/// The way of the request from the connection to the handler.
extension HTTP2Stream: BodySource {
    /// Takes bytes of the body.
    func bodyCame(_ bytes: Span<UInt8>) {
        unconsumed += bytes.count
        connection.input.bytes += bytes.count
        lastReceived = connection.now
        owesContinue = false
        if let incoming {
            incoming.append(bytes)
            noteFed()
        } else if hasResponse {
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

    /// Hands on what has come.
    func deliver() {
        isFed = false
        if isRequestEnded { incoming?.finish() } else { incoming?.deliver() }
    }

    /// Whether a handler waits for the client to send.
    var isBodyAwaited: Bool { incoming?.isAwaited ?? false }

    /// Ends the body early: its reader gets `error`.
    func failBody(_ error: @autoclosure () -> any Error) {
        incoming?.fail(error())
        dropBody()
    }

    /// Opens the connection's window again by the bytes that no handler will take.
    private func dropBody() {
        guard unconsumed > 0 else { return }
        connection.session.consume(unconsumed)
        unconsumed = 0
        connection.changed()
    }

    /// The body as the handler will see it.
    func makeBody(_ head: RequestHead) -> RequestBody {
        let limit = server.configuration.limits.body
        if isRequestEnded {
            dropBody()
            var bytes: [UInt8] = []
            swap(&bytes, &received)
            return RequestBody(.bytes(bytes), limit: limit)
        }
        var length: Int?
        if case .length(let declared) = head.framing { length = declared }
        let incoming = IncomingBody(declaredLength: length, loop: loop, source: self, server: server)
        incoming.append(received.span)
        owesContinue = head.expectsContinue && received.isEmpty
        received = []
        self.incoming = incoming
        return RequestBody(.incoming(incoming), limit: limit)
    }

    func bodyWanted(taken: Int) {
        guard isOpen else { return }
        lastReceived = connection.now
        if taken > 0 {
            unconsumed -= taken
            connection.session.consume(taken, of: self)
            connection.changed()
        } else if owesContinue {
            sendContinue()
        }
    }

    /// Tells a client that waits with the body to send it (RFC 9110, section 10.1.1).
    func sendContinue() {
        guard owesContinue, !hasResponse else { return }
        owesContinue = false
        connection.session.submitContinue(on: self)
        connection.changed()
    }
}
