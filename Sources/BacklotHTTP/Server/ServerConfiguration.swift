/// The limits that a server sets its clients, and the times that it waits for them. The defaults suit the open internet.
///
/// ```swift
/// var configuration = ServerConfiguration()
/// configuration.limits.body = 5_000_000
/// configuration.timeouts.drain = .seconds(20)
/// try await Server(router, configuration: configuration).run()
/// ```
public struct ServerConfiguration: Sendable {
    /// Limits on what a client may send.
    public struct Limits: Sendable {
        /// The longest request line, in bytes. Longer ones get a 414, or a 400 if already the method is too long.
        public var requestLine = 8 * 1024
        /// The largest head (request line and header section), in bytes, at most 65,535. Larger ones get a 431.
        public var head = 32 * 1024
        /// The maximum number of header fields. Requests with more get a 431.
        public var fields = 100
        /// The largest request body, in bytes, unless a route allows more. Larger ones get a 413.
        public var body = 1024 * 1024
        /// The longest chunk extension, in bytes.
        public var chunkExtension = 256
        /// The maximum number of bytes of chunk extensions in one request.
        public var chunkExtensionsInAll = 4 * 1024
        /// The largest trailer section of a chunked body, in bytes.
        public var trailers = 4 * 1024
        /// The maximum number of empty lines before a request.
        public var leadingEmptyLines = 4
        /// The maximum number of connections at a time; fewer if the process may have fewer descriptors. When nearly as many are
        /// open, the server first closes connections that have been idle longest, then those that have waited for their clients
        /// longest. If it can't close any, further connections wait in the system's queue.
        public var connections = 16_384

        /// The maximum number of connections of one client at a time. Further ones get a 503 and are closed. nil means no limit,
        /// since many clients may share an address. IPv6 addresses count by their first 64 bits. A trusted proxy's connections
        /// don't count. Instead, the requests in flight through it count for the client that the proxy names.
        public var connectionsPerAddress: Int?

        /// The least rate, in bytes per second, at which a client must send a body and accept a response. It applies once
        /// `Timeouts.rateGrace` has passed.
        public var leastRate = 500

        /// The maximum number of requests in flight, in all connections. Further ones get a 503 without a body, with `Retry-After`,
        /// before a handler sees them. The last eighth is kept for clients that have less than an eighth. If at least 1,024
        /// connections may be open, a client has at most seven eighths of that number. `ServerConfiguration.reservedPaths` may
        /// exceed all of these limits.
        ///
        /// A client is an IPv4 address, or the first 64 bits of an IPv6 address; a trusted proxy names its clients. A request
        /// isn't in flight while its handler waits for the client to send the body or to accept the response: `bufferedBytes`
        /// limits those. A request that the client has given up counts until its handler returns. A head of more than 4 KiB counts
        /// as one request for each started 4 KiB. So the heads of all requests take at most 4 KiB times this number.
        public var requestsInFlight = 8_192
        /// The number of bytes of a head that count as one request in flight.
        static let usualHead = 4 * 1024

        /// The maximum number of bytes that the server keeps for slow clients, in all connections. They include unfinished heads,
        /// requests behind one that a handler works on, collected bodies with their heads, and responses that clients haven't
        /// accepted. Each HTTP/2 request that waits for its client adds 32 KiB. Above three quarters of the limit, the server gives
        /// up the requests and connections that hold most and have made no progress for longest. Above the limit, a body of more
        /// than 64 KiB gets a 503 with `Retry-After`.
        ///
        /// 256 MiB by default, or half of the memory that the process's control groups allow, if that is less.
        public var bufferedBytes = defaultBufferedBytes
        private static let defaultBufferedBytes = min(256 * 1024 * 1024, (MemoryLimit.current ?? .max) / 2)

        /// The maximum number of connections at a time that have sent their last response and wait for their clients to close.
        /// Above that, the server cuts those that have waited longest.
        public var lingering = 1_024

        /// The maximum number of requests at a time in one HTTP/2 connection. The server announces the number, and refuses further
        /// requests in a way that lets the client send them again. A request that the client has given up counts until its handler
        /// returns.
        public var streams = 100

        /// Creates the default limits.
        public init() {}
    }

    /// The times that the server waits. Time that an event loop loses doesn't count against its clients, except for about a
    /// second each time: for example when a handler keeps the loop for more than a tenth of a second, or the process is stopped.
    public struct Timeouts: Sendable {
        /// For the handshake of TLS, from the opening of a connection, and for the header of the PROXY protocol.
        public var handshake = Duration.seconds(10)
        /// From the first byte of a head to its last, and from the opening of a connection to its first request.
        public var head = Duration.seconds(10)
        /// The longest time that a client may be slower than `Limits.leastRate`.
        public var rateGrace = Duration.seconds(10)
        /// For the next bytes of a body. A client of HTTP/2 that reads responses slowly has more time, because it learns late that
        /// it may send them.
        public var body = Duration.seconds(20)
        /// For the next request on a connection. Longer than nginx' 60 seconds: the side that sends requests should be the one that
        /// closes an idle connection, or else a request can meet the end.
        public var idle = Duration.seconds(75)
        /// For the client to accept the next bytes of a response.
        public var write = Duration.seconds(30)
        /// For the client to close its side after the last response of a connection, or to send more of a request body that no
        /// handler reads. Closing earlier would send a reset, and the client would lose the response.
        public var linger = Duration.seconds(5)
        /// For the client to close its side, no matter how much it sends.
        public var lingerInAll = Duration.seconds(30)
        /// The time during the stop when the server still accepts new connections, so that a load balancer can notice.
        public var drainDelay = Duration.zero
        /// For one more request on an idle connection when the server stops, so that arriving requests aren't lost.
        public var drainIdle = Duration.seconds(5)
        /// For all requests in flight when the server stops accepting; then the connections are cut.
        public var drain = Duration.seconds(30)

        /// Creates the default timeouts.
        public init() {}
    }

    /// Limits on what a client may send.
    public var limits = Limits()
    /// The times that the server waits.
    public var timeouts = Timeouts() { didSet { waits = Waits(timeouts) } }
    /// The same in the unit of the event loops' clocks.
    private(set) var waits = Waits(Timeouts())
    /// The trusted proxies: their `Forwarded`, `X-Forwarded-For` and `X-Forwarded-Proto` fields count (see
    /// `Request.clientAddress` and `Request.scheme`).
    public var trustedProxies: [AddressRange] = []
    /// The paths of health checks and metrics. They have room for 64 requests besides `Limits.requestsInFlight`, because an
    /// orchestrator restarts a server when its health checks fail.
    public var reservedPaths: Set<String> = ["/healthz", "/readyz", "/metrics"]
    /// The load balancers that begin each connection with the client's address (PROXY protocol, version 1 or 2). They must send
    /// that header; from other addresses, it is a malformed request. If empty, no address may send it.
    public var proxyProtocolSources: [AddressRange] = []
    /// TLS; nil for clear text.
    public var tls: TLSConfiguration?
    /// Whether and how the server speaks HTTP/2, on the same port as HTTP/1.
    public var http2 = HTTP2Support.priorKnowledge
    /// The number of event loops; nil for one per processor that the process may use.
    public var eventLoops: Int?
    /// The number of connections that may wait in the system's queue.
    public var backlog: Int32 = 1024
    /// Whether the response to an unexpected error (500) describes the error. On in debug builds only, since the description may
    /// contain secrets. The log always has it.
    public var showsErrorDetails = BuildDefaults.showsErrorDetails

    /// Creates the default configuration.
    public init() {}

    /// Stops the program if a value makes no sense.
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

/// The methods for starting HTTP/2. Over TLS, clients choose it in the handshake (ALPN), unless it is off.
public enum HTTP2Support: Sendable {
    /// Not at all.
    case off
    /// Without TLS, clients that know that the server speaks HTTP/2, such as proxies and clouds, send its preface at once (RFC
    /// 9113, section 3.3). All others use HTTP/1.
    case priorKnowledge
}

/// The timeouts in milliseconds, the unit of the event loops' clocks: connections add them to points in time with each request.
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
