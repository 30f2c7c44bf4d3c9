/// The limits that a server sets its clients, and how long it waits for them. The defaults suit the open internet.
public struct ServerConfiguration: Sendable {
    /// Bounds on what a client may send.
    public struct Limits: Sendable {
        /// The longest request line, in bytes: longer ones are answered with 414, or with 400 where all of that is the
        /// method.
        public var requestLine = 8 * 1024
        /// The largest head (request line and header section), in bytes, at most 65,535: larger ones are answered with
        /// 431.
        public var head = 32 * 1024
        /// The most header fields: more are answered with 431.
        public var fields = 100
        /// The largest request body, in bytes, unless a route allows more: larger ones are answered with 413.
        public var body = 1024 * 1024
        /// The longest chunk extension, in bytes.
        public var chunkExtension = 256
        /// The most bytes of chunk extensions in one request.
        public var chunkExtensionsInAll = 4 * 1024
        /// The largest trailer section of a chunked body, in bytes.
        public var trailers = 4 * 1024
        /// The most empty lines before a request.
        public var leadingEmptyLines = 4
        /// The most connections at a time; fewer where the process may have fewer descriptors. When nearly as many are
        /// open, the server closes those that have been idle for longest, then those that have waited for their clients
        /// for longest. If it can't close any, further connections wait in the system's queue.
        public var connections = 16_384

        /// The most connections of one client at a time: further ones are answered with 503 and closed. nil means no
        /// limit, since many clients may share an address. IPv6 addresses count by their first 64 bits. A trusted
        /// proxy's connections aren't counted, but the requests in flight through it are, for the client that the proxy
        /// names.
        public var connectionsPerAddress: Int?

        /// The least rate, in bytes a second, at which a client must send a body and take an answer. It applies once
        /// `Timeouts.rateGrace` has passed.
        public var leastRate = 500

        /// The most requests in flight, in all connections: more are answered with 503, no body, and `Retry-After`,
        /// before a handler sees them. The last eighth is kept for clients that have less than an eighth, and where at
        /// least 1,024 connections may be open, no client has more than seven eighths of that number. `ServerConfiguration.reservedPaths` may go beyond all
        /// of it. A client is an IPv4 address, or the first 64 bits of
        /// an IPv6 address; a trusted proxy names its clients. A request whose handler waits for the client, to send the body or to take the
        /// answer, is not in flight: `bufferedBytes` bounds those. A head of more than 4 KiB counts as one request for
        /// each 4 KiB that it has begun, so that the heads of all of them take at most 4 KiB times this number.
        public var requestsInFlight = 8_192
        /// How many bytes of a head count as one request in flight.
        static let usualHead = 4 * 1024

        /// The most bytes that the server keeps for slow clients, in all connections: heads that haven't ended, requests
        /// behind one that a handler works on, bodies that it collects, with their heads, answers that clients haven't
        /// taken, and 32 KiB for each request of HTTP/2 that waits for its client. Above three quarters of it, the server
        /// gives up the requests and connections that hold most and have made no progress for longest. Above all of it,
        /// a body of more than 64 KiB is answered with 503 and `Retry-After`.
        ///
        /// 256 MiB by default, or half of the memory that the process's control groups allow, where that is less.
        public var bufferedBytes = defaultBufferedBytes
        private static let defaultBufferedBytes = min(256 * 1024 * 1024, (MemoryLimit.current ?? .max) / 2)

        /// The most connections at a time that have sent their last answer and wait for their clients to close. Past
        /// that, the server cuts those that have waited longest.
        public var lingering = 1_024

        /// The most requests at a time in one connection of HTTP/2. The server announces the number, and refuses
        /// further requests in a way that lets the client send them again. A request that the client has given up
        /// counts until its handler returns.
        public var streams = 100

        /// The default limits.
        public init() {}
    }

    /// How long the server waits. Time that an event loop loses, as while a handler keeps it for more than a tenth of a second or the
    /// process stands still, isn't counted against its clients, but for about a second each time.
    public struct Timeouts: Sendable {
        /// For the handshake of TLS, from the opening of a connection, and for the header of the PROXY protocol.
        public var handshake = Duration.seconds(10)
        /// From the first byte of a head to its last, and from the opening of a connection to its first request.
        public var head = Duration.seconds(10)
        /// How long a client may be slower than `Limits.leastRate`.
        public var rateGrace = Duration.seconds(10)
        /// For the next bytes of a body.
        public var body = Duration.seconds(20)
        /// For the next request on a connection.
        public var idle = Duration.seconds(60)
        /// For the client to take the next bytes of an answer.
        public var write = Duration.seconds(30)
        /// For the client to close its side after the last answer of a connection, or to send more of a request body
        /// that no handler reads. To close earlier would send a reset, and the client would lose the answer.
        public var linger = Duration.seconds(5)
        /// For the client to close its side, however much it sends.
        public var lingerInAll = Duration.seconds(30)
        /// How long new connections are still accepted when the server stops: for a load balancer that has yet to
        /// notice.
        public var drainDelay = Duration.zero
        /// For one more request on an idle connection when the server stops, so that none is lost that is on its way.
        public var drainIdle = Duration.seconds(5)
        /// For everything that is in flight when the server stops accepting; then the connections are cut.
        public var drain = Duration.seconds(30)

        /// The default timeouts.
        public init() {}
    }

    /// Bounds on what a client may send.
    public var limits = Limits()
    /// How long the server waits.
    public var timeouts = Timeouts() { didSet { waits = Waits(timeouts) } }
    /// The same in the unit of the event loops' clocks.
    private(set) var waits = Waits(Timeouts())
    /// The proxies whose `Forwarded`, `X-Forwarded-For` and `X-Forwarded-Proto` fields are believed (see
    /// `Request.clientAddress` and `Request.scheme`).
    public var trustedProxies: [AddressRange] = []
    /// The paths of health checks and metrics. They have 64 places beside `Limits.requestsInFlight`: an orchestrator restarts a
    /// server whose health checks fail.
    public var reservedPaths: Set<String> = ["/healthz", "/readyz", "/metrics"]
    /// The load balancers that begin each connection with the client's address (PROXY protocol, version 1 or 2). They
    /// must send that header; from other addresses it is a malformed request. Empty: no address may send it.
    public var proxyProtocolSources: [AddressRange] = []
    /// TLS; nil for clear text.
    public var tls: TLSConfiguration?
    /// Whether HTTP/2 is spoken, on the same port as HTTP/1.
    public var http2 = HTTP2Support.priorKnowledge
    /// How many event loops there are; nil for one for each processor that the process may run on.
    public var eventLoops: Int?
    /// How many connections may wait in the system's queue to be accepted.
    public var backlog: Int32 = 1024
    /// Whether the answer to an unexpected error (500) describes the error. On in debug builds only, since the
    /// description may hold secrets. The log always has it.
    public var showsErrorDetails = BuildDefaults.showsErrorDetails

    /// The default configuration.
    public init() {}

    /// Stops the program when a value makes no sense.
    func validate() {
        precondition((1...65_535).contains(limits.head), "limits.head must be 1 to 65,535 bytes, but is \(limits.head)")
        let counts = [
            ("limits.connections", limits.connections), ("limits.requestsInFlight", limits.requestsInFlight),
            ("limits.connectionsPerAddress", limits.connectionsPerAddress ?? 1),
            ("limits.bufferedBytes", limits.bufferedBytes), ("limits.lingering", limits.lingering),
            ("limits.leastRate", limits.leastRate), ("limits.streams", limits.streams),
            ("eventLoops", eventLoops ?? 1),
        ]
        for (name, value) in counts { precondition(value > 0, "\(name) must be at least 1, but is \(value)") }
        precondition(limits.streams <= Int32.max, "limits.streams must be at most \(Int32.max)")
        precondition(
            tls?.clearTextPath?.hasPrefix("/") ?? true,
            "tls.clearTextPath must begin with '/', but is '\(tls?.clearTextPath ?? "")'"
        )
    }
}

/// How clients may start HTTP/2. Over TLS they choose it in the handshake (ALPN), unless it is off.
public enum HTTP2Support: Sendable {
    /// Not at all.
    case off
    /// Without TLS, clients that know that the server speaks HTTP/2, such as proxies and clouds, send its preface at once
    /// (RFC 9113, section 3.3). All others get HTTP/1.
    case priorKnowledge
}

/// The timeouts in milliseconds, the unit of the event loops' clocks: connections add them to instants with each
/// request.
struct Waits: Sendable {
    let handshake: Int64
    let head: Int64
    let rateGrace: Int64
    let body: Int64
    let idle: Int64
    let write: Int64
    let linger: Int64
    let lingerInAll: Int64
    let drainIdle: Int64
    let drain: Int64

    init(_ timeouts: ServerConfiguration.Timeouts) {
        handshake = timeouts.handshake.milliseconds
        head = timeouts.head.milliseconds
        rateGrace = timeouts.rateGrace.milliseconds
        body = timeouts.body.milliseconds
        idle = timeouts.idle.milliseconds
        write = timeouts.write.milliseconds
        linger = timeouts.linger.milliseconds
        lingerInAll = timeouts.lingerInAll.milliseconds
        drainIdle = timeouts.drainIdle.milliseconds
        drain = timeouts.drain.milliseconds
    }
}
