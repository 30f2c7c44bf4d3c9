import Dispatch
import Logging
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Runs `body` against a server, checks that none of its connections is left over, and shuts it down.
///
/// - Parameter transport: whether it speaks TLS.
func withTestServer(
    over transport: TestTransport = .clearText,
    host: String = "127.0.0.1",
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ handler: any Handler,
    _ body: (RunningServer) async throws -> Void
) async throws {
    try await ServerSlots.shared.run {
        let running = try startServer(
            host: host,
            configure: {
                transport.configure(&$0)
                configure(&$0)
            },
            log: log,
            handler
        )
        do {
            try await body(running)
            let isEmpty = try await eventually { running.connectionCount == 0 }
            #expect(isEmpty, "\(running.connectionCount) connections are left", sourceLocation: sourceLocation)
            await running.shutdown()
        } catch {
            await running.shutdown()
            throw error
        }
    }
}

/// Runs `body` with a server, and a function as its handler.
func withTestServer(
    over transport: TestTransport = .clearText,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation,
    handler: @escaping @Sendable (Request) async throws -> Response,
    _ body: (RunningServer) async throws -> Void
) async throws {
    let handler = FunctionHandler(handler)
    try await withTestServer(over: transport, configure: configure, sourceLocation: sourceLocation, handler, body)
}

/// A server on a free port that somebody else shuts down: two loops, and short waits for clients that don't close.
func startServer(
    host: String = "127.0.0.1",
    port: Int = 0,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    _ handler: any Handler
) throws -> RunningServer {
    var configuration = ServerConfiguration()
    configuration.eventLoops = 2
    configuration.timeouts.linger = .milliseconds(500)
    configuration.timeouts.drainIdle = .milliseconds(50)
    configure(&configuration)
    let logger = Logger(label: "test") { _ -> any LogHandler in
        log.map { LogLines(lines: $0) } ?? SwiftLogNoOpLogHandler()
    }
    return try Server(handler, host: host, port: port, configuration: configuration, logger: logger).start()
}

extension RunningServer {
    /// The number of open connections.
    var connectionCount: Int { context.connections.load(ordering: .relaxed) }

    /// Runs `body` while the server accepts no connection. The bytes that a client sends in it arrive before the timeouts of its
    /// connection begin.
    func whileNothingIsAccepted<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let (stands, goOn) = (Signal(), DispatchSemaphore(value: 0))
        // The listener is on this loop.
        loops[0].execute {
            stands.fire()
            goOn.wait()
        }
        await stands.wait()
        defer { goOn.signal() }
        return try await body()
    }

    /// A client that has sent its first bytes before the timeouts of its connection begin.
    func client(sending text: String, timeout: Duration = .seconds(10)) async throws -> RawClient {
        try await whileNothingIsAccepted {
            let client = try await RawClient.connect(to: address, timeout: timeout)
            try await client.send(text)
            return client
        }
    }

    /// Calls `body` with every open connection, on its loop.
    func forEachConnection(_ body: @escaping @Sendable (Connection) -> Void) async {
        for loop in loops {
            await withCheckedContinuation { continuation in
                loop.execute {
                    for case let connection as Connection in loop.openChannels { body(connection) }
                    continuation.resume()
                }
            }
        }
    }
}

/// A request with a Host, for `RawClient`.
func request(_ line: String = "GET /", _ fields: String..., version: String = "HTTP/1.1", body: String = "") -> String {
    (["\(line) \(version)", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n" + body
}

/// Runs `body` with an HTTP/1 client of a new server, and closes the client.
func withTestClient(
    over transport: TestTransport = .clearText,
    timeout: Duration = .seconds(10),
    receiveBuffer: Int32? = nil,
    tls: ClientTLSSettings? = nil,
    host: String = "127.0.0.1",
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ handler: any Handler,
    _ body: (RawClient, RunningServer) async throws -> Void
) async throws {
    try await withTestServer(
        over: transport,
        host: host,
        configure: configure,
        log: log,
        sourceLocation: sourceLocation,
        handler
    ) {
        let client = try await RawClient.connect(
            to: $0.address,
            timeout: timeout,
            receiveBuffer: receiveBuffer,
            tls: tls ?? transport.http1
        )
        try await body(client, $0)
    }
}

/// Runs `body` with a client of a new server, and a function as its handler.
func withTestClient(
    over transport: TestTransport = .clearText,
    timeout: Duration = .seconds(10),
    receiveBuffer: Int32? = nil,
    tls: ClientTLSSettings? = nil,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation,
    handler: @escaping @Sendable (Request) async throws -> Response,
    _ body: (RawClient, RunningServer) async throws -> Void
) async throws {
    try await withTestClient(
        over: transport,
        timeout: timeout,
        receiveBuffer: receiveBuffer,
        tls: tls,
        configure: configure,
        sourceLocation: sourceLocation,
        FunctionHandler(handler),
        body
    )
}

/// Runs `body` with an HTTP/2 client of a new server, and closes the client.
func withHTTP2Client(
    over transport: TestTransport = .clearText,
    timeout: Duration = .seconds(10),
    receiveBuffer: Int32? = nil,
    settings: [(UInt16, UInt32)]? = [],
    tls: ClientTLSSettings? = nil,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ handler: any Handler,
    _ body: (HTTP2Client, RunningServer) async throws -> Void
) async throws {
    try await withTestServer(
        over: transport,
        configure: configure,
        log: log,
        sourceLocation: sourceLocation,
        handler
    ) {
        let client = try await HTTP2Client.connect(
            to: $0.address,
            timeout: timeout,
            receiveBuffer: receiveBuffer,
            settings: settings,
            tls: tls ?? transport.http2
        )
        try await body(client, $0)
    }
}

/// Waits until something has come true, and records an issue where it doesn't.
func expectEventually(
    _ comment: Comment? = nil,
    within time: Duration = .seconds(8),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async -> Bool
) async throws {
    let isTrue = try await eventually(within: time, condition)
    #expect(isTrue, comment, sourceLocation: sourceLocation)
}

/// A handler that writes its response's body piece by piece.
func streaming(
    length: Int? = nil,
    _ write: @escaping @Sendable (BodyWriter) async throws -> Void
) -> FunctionHandler {
    FunctionHandler { _ in Response(body: .stream(length: length, write)) }
}

/// An authority, its certificates, and the settings of clients for tests over TLS.
enum TestTLS {
    static let authority = TLSPair.authority

    /// Certificates for a server, from texts.
    static func certificates(_ identities: TestIdentity...) throws -> TLSCertificates {
        try TLSCertificates(
            identities.map { TLSCertificates.Pair(certificates: .text($0.certificate), key: .text($0.key)) }
        )
    }

    /// TLS with a certificate for localhost.
    static let configuration: TLSConfiguration? = try? TLSConfiguration(certificates: certificates(authority.issue()))

    /// The settings of HTTP/1 and HTTP/2 clients.
    static let http1 = ClientTLSSettings(serverName: "localhost")
    static let http2 = ClientTLSSettings(protocols: ["h2"], serverName: "localhost")
}

/// The transport between a test's clients and its server.
enum TestTransport: CaseIterable {
    case clearText, tls

    func configure(_ configuration: inout ServerConfiguration) {
        if self == .tls { configuration.tls = TestTLS.configuration }
    }

    var http1: ClientTLSSettings? { self == .tls ? TestTLS.http1 : nil }
    var http2: ClientTLSSettings? { self == .tls ? TestTLS.http2 : nil }
}

/// Collects the log of a server.
struct LogLines: LogHandler {
    let lines: Recorder<String>
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.record("\(event.level): \(event.message)")
    }
}
