internal import Synchronization

/// One client's connection: reads requests, hands them to the handler one after the other, sends the answers in order.
///
/// Confined to its loop. It executes what the parsers and encoders decide; bytes stay with it only while a message is
/// incomplete, so that an idle connection is this object and nothing else.
final class Connection: Channel, @unchecked Sendable {
    /// The stage that the connection is in.
    enum Phase {
        /// In what comes before the first request: a header of the PROXY protocol, the handshake of TLS.
        case opening
        /// Waiting for a request, or in the middle of its head.
        case head
        /// A handler has the request; its answer is not complete. The body may still be arriving.
        case exchange
        /// The answer is complete; what is left of the request's body is read and dropped.
        case discarding
        /// HTTP/2 is spoken: what goes on is in `http2`.
        case http2
        /// The last answer is on its way or sent; what the client still sends is dropped until it closes.
        case lingering
    }

    /// An incomplete message: the bytes so far, and how far they have been parsed.
    final class Partial {
        var bytes: [UInt8] { didSet { hold.set(bytes.capacity) } }
        var parser: HeadParser
        /// The bytes, as the server counts them.
        let hold: BufferShare
        /// When the first of the bytes came, in milliseconds of the loop's clock.
        var began: Int64
        /// Whether a request has begun. Empty lines between two requests don't count.
        var isRequest: Bool {
            let bytes = bytes
            return parser.hasBegun(bytes.span)
        }

        /// Whether the request is known to be HEAD.
        var isHead: Bool {
            let bytes = bytes
            return parser.isHead(bytes.span)
        }

        init(bytes: [UInt8], parser: HeadParser, began: Int64, server: ServerContext) {
            self.bytes = bytes
            self.parser = parser
            self.began = began
            hold = BufferShare(server)
            hold.set(bytes.capacity)
        }
    }

    /// What only a connection has that does something: a request is in hand, or a client has to be waited for.
    private final class Activity {
        var incoming: FramedBody?
        var outgoing: OutgoingBody?
        var task: Task<Void, Never>?
        var outputMeter: OutputMeter?
        /// The network of the request's client, while its handler is suspended.
        var network: UInt64?

        var isOver: Bool {
            incoming == nil && outgoing == nil && task == nil && outputMeter == nil && network == nil
        }
    }

    /// How many bytes of answers may wait before the client must catch up.
    static let highWater = 256 * 1024
    /// How many requests of one connection are begun before others get their turn.
    static let requestsPerTurn = 64
    /// How much of an unwanted body is read to keep the connection.
    static let discardLimit = 64 * 1024

    // The flags stand together, and next to those of `Channel`: scattered among references, each would take eight bytes
    // of every idle connection.
    var phase = Phase.head
    /// Whether another request may follow the one in hand.
    var isPersistent = true
    var isHead = false
    var isHTTP10 = false
    var counts = RequestCounts()
    /// Whether the client has sent its last byte.
    var inputEnded = false
    /// Whether the client was probed after its last byte.
    var isProbed = false
    /// Whether this side has sent its last byte.
    var sendingEnded = false
    var isDraining = false
    /// Whether a request has been read.
    var hasHadRequest = false
    /// While the server stops: whether bytes follow the request that is being begun.
    var hasFollower = false
    /// Whether bytes are being taken apart further up the stack: answers then wait to be sent together.
    var isProcessing = false
    /// Whether a 100 is due when a handler asks for the body.
    var owesContinue = false
    /// Whether requests wait in `partial` for room for their answers.
    var waitsForRoom = false
    /// Whether requests wait in `partial` until other connections had their turn.
    var waitsForTurn = false
    /// Whether the client speaks clear text on a port of TLS.
    var isStray = false
    /// Whether a header of the PROXY protocol has yet to come.
    var awaitsProxyHeader = false
    /// Whether bytes that TLS has decrypted already are received in the next round of the loop.
    var isReceiveScheduled = false
    /// Whether a flush is due after this round of the loop.
    var isFlushScheduled = false
    let server: ServerContext
    /// The client's address: the peer's, or the one that the PROXY protocol names.
    var remoteAddress: SocketAddress
    /// When the client last made progress, in milliseconds of the loop's clock.
    var lastProgress: Int64
    var partial: Partial?
    /// nil while the connection is idle, which makes it 24 bytes smaller.
    private var activity: Activity?
    var http2: HTTP2Connection?
    /// Bytes that the system has not taken yet, from `sent` on.
    var output: [UInt8] = []
    var sent = 0
    /// A large body that is sent after `output`.
    var file: OutgoingSlice?
    private var session: TLSSession?

    /// The session, once the client has begun its handshake; nil in clear text.
    var tls: TLSSession? {
        // A server of clear text is known by what never changes: each look at a variable of a class is checked at run time.
        get { server.tls == nil ? nil : session }
        set { session = newValue }
    }

    /// The body of the request in hand, while it may still be arriving.
    var incoming: FramedBody? {
        get { activity?.incoming }
        set { change(begins: newValue != nil) { $0.incoming = newValue } }
    }

    /// The body of the answer, while a handler writes it.
    var outgoing: OutgoingBody? {
        get { activity?.outgoing }
        set { change(begins: newValue != nil) { $0.outgoing = newValue } }
    }

    /// The handler, once it has suspended.
    var task: Task<Void, Never>? {
        get { activity?.task }
        set { change(begins: newValue != nil) { $0.task = newValue } }
    }

    /// The network of the current request's client, once its handler has suspended.
    var network: UInt64? {
        get { activity?.network }
        set { change(begins: newValue != nil) { $0.network = newValue } }
    }

    /// How fast the client takes what is in `output`, while it has to be waited for.
    var outputMeter: OutputMeter? {
        get { activity?.outputMeter }
        set { change(begins: newValue != nil) { $0.outputMeter = newValue } }
    }

    private func change(begins: Bool, _ change: (Activity) -> Void) {
        guard begins || activity != nil else { return }
        let activity = activity ?? Activity()
        change(activity)
        self.activity = activity.isOver ? nil : activity
    }

    init(socket: Socket, remoteAddress: SocketAddress, loop: EventLoop, server: ServerContext) {
        self.server = server
        self.remoteAddress = remoteAddress
        lastProgress = loop.clock.now
        super.init(socket: socket, loop: loop)
    }

    /// Whether a head has begun, and not ended.
    var isInHead: Bool { phase == .head && partial?.isRequest ?? false }

    /// Starts to read.
    func start() {
        open(.readable)
        guard !server.hasOpening(remoteAddress) else { return beginOpening() }
        setDeadline(loop.clock.now + server.configuration.waits.head)
    }

    override func ready(_ readiness: Readiness) {
        loop.fileRoom = OutgoingSlice.window
        if phase == .opening { return goOnOpening(readiness) }
        if readiness.contains(.hungUp) {
            // When both sides have ended, what the client sent before must be read: closing on top of it would send a
            // reset, and take the answer with it.
            return phase == .lingering && !inputEnded ? receive() : abort()
        }
        // The client has taken some bytes: what had to wait for that goes on.
        if readiness.contains(.writable) { resumeInput() }
        if readiness.contains(.readable) || tls?.readingWantsWrite ?? false, isOpen { receive() }
    }

    override func deadlineReached() { timeOut() }

    /// Cuts the connection. A handler in the middle of an answer is cancelled.
    override func abort() {
        guard isOpen else { return }
        // Before the socket closes: code that waits for the last one to close may read the count.
        server.connections.subtract(1, ordering: .relaxed)
        loop.connections.subtract(1, ordering: .relaxed)
        server.release(connectionFrom: remoteAddress)
        if phase == .lingering, loop.lingering.remove(self) { server.lingering.subtract(1, ordering: .relaxed) }
        closeSocket()
        incoming?.fail(RequestError.incomplete)
        outgoing?.end(.connectionClosed)
        task?.cancel()
        task = nil
        updateInFlight()
        network = nil
        http2?.close()
        (incoming, outgoing, partial, http2) = (nil, nil, nil, nil)
        tls = nil
        output = []
        file = nil
    }

    override func drain() {
        isDraining = true
        if let http2 { return http2.drain() }
        if phase == .opening {
            lastProgress = loop.clock.now
            return updateDeadline()
        }
        if phase == .lingering { return updateDeadline() }
        guard phase == .head, !isInHead else { return }
        lastProgress = loop.clock.now
        // A request that the system has already is answered, however short the time for others is.
        receive()
        updateDeadline()
    }
}
