import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// One after the other, because they start servers by themselves, beyond those that `ServerSlots` counts.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StartTests {
    private struct Unprepared: Error, Equatable {}

    private struct UnpreparedHandler: Handler {
        func prepare() throws { throw Unprepared() }
        func respond(to request: Request) -> HandlerResult { .ready(Response()) }
    }

    private static let handler = FunctionHandler { _ in Response() }

    private func makeServer(host: String = "127.0.0.1", port: Int = 0, _ handler: any Handler = Self.handler) -> Server
    {
        Server(handler, host: host, port: port, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `A port in use is an error that says what to do`() async throws {
        let first = try startServer(Self.handler)
        let port = Int(first.address.port)
        let error = #expect(throws: SocketError.self) { try makeServer(port: port).start() }
        #expect(error?.call == "bind")
        #expect(error?.code == SystemErrors.addressInUse)
        #expect(
            error?.description == "bind 127.0.0.1:\(port): Address already in use "
                + "(another program listens there: stop it, or choose another port)"
        )
        await first.shutdown()
    }

    @Test func `An address of another machine is an error`() {
        let error = #expect(throws: SocketError.self) { try makeServer(host: "192.0.2.1").start() }
        #expect(error?.code == SystemErrors.addressNotAvailable)
    }

    @Test func `A host or port that isn't one is an error`() {
        #expect(throws: AddressError.host("example.com")) { try makeServer(host: "example.com").start() }
        #expect(throws: AddressError.host("")) { try makeServer(host: "").start() }
        #expect(throws: AddressError.port(65_536)) { try makeServer(port: 65_536).start() }
        #expect(throws: AddressError.port(-1)) { try makeServer(port: -1).start() }
    }

    @Test func `A handler that isn't prepared keeps the server from starting`() {
        let called = Signal()
        var server = makeServer(UnpreparedHandler())
        server.onListening = { _ in called.fire() }
        #expect(throws: Unprepared()) { try server.start() }
        #expect(!called.hasFired)
    }

    @Test func `The server reports its address once it responds`() async throws {
        let addresses = Recorder<SocketAddress>()
        var server = makeServer()
        server.onListening = { addresses.record($0) }
        let running = try server.start()
        #expect(addresses.events == [running.address])
        #expect(running.address.host == "127.0.0.1")
        #expect(running.address.port != 0)
        await running.shutdown()
    }

    /// Starting and stopping leaves no descriptor behind.
    @Test func `A server can start and stop many times`() async throws {
        for _ in 0..<20 {
            let running = try startServer(Self.handler)
            let client = try await RawClient.connect(to: running.address)
            #expect(try await client.response(to: request("GET /", "Connection: close")).status == 200)
            await client.close()
            await running.shutdown()
        }
    }

    /// Neither a connection nor a loop is kept by what it was used for.
    @Test func `Connections and loops are freed`() async throws {
        let objects = Recorder<Weak>()
        let handler = FunctionHandler { request in
            let body = request.body
            return Response(body: .stream { writer in for try await piece in body { try await writer.write(piece) } })
        }
        var running: RunningServer? = try startServer(handler)
        for loop in running?.loops ?? [] { objects.record(Weak(loop)) }
        for isReset in [false, true] {
            let client = try await RawClient.connect(to: #require(running).address)
            try await client.send(request("POST /", "Content-Length: 6"))
            try await client.send("abc")
            _ = try await client.receivePiece()
            await running?.forEachConnection { objects.record(Weak($0)) }
            if !isReset {
                try await client.send("def")
                await client.shutdownSending()
                _ = try await client.receiveToEnd()
            }
            await client.reset()
        }
        await running?.shutdown()
        running = nil
        let areFreed = try await eventually { objects.events.allSatisfy { $0.object == nil } }
        #expect(areFreed, "left: \(objects.events.compactMap { $0.object.map { String(describing: $0) } })")
        #expect(objects.events.count >= 4)
    }

    @Test func `withServer shuts the server down, also on failure`() async throws {
        let addresses = Recorder<SocketAddress>()
        await #expect(throws: Unprepared.self) {
            try await withServer(Self.handler) { address in
                addresses.record(address)
                throw Unprepared()
            }
        }
        let address = try #require(addresses.events.first)
        await #expect(throws: RawClientError.self) { try await RawClient.connect(to: address) }
    }

    // MARK: Defaults

    @Test(arguments: [
        ("request line", \ServerConfiguration.Limits.requestLine, 8 * 1024),
        ("head", \.head, 32 * 1024),
        ("fields", \.fields, 100),
        ("body", \.body, 1024 * 1024),
        ("extension of one chunk", \.chunkExtension, 256),
        ("extensions of all chunks", \.chunkExtensionsInAll, 4 * 1024),
        ("trailers", \.trailers, 4 * 1024),
        ("empty lines before a request", \.leadingEmptyLines, 4),
        ("bytes per second", \.leastRate, 500),
        ("streams of HTTP/2", \.streams, 100),
    ])
    func `Each limit has its default`(
        _ name: String,
        _ limit: any KeyPath<ServerConfiguration.Limits, Int> & Sendable,
        _ expected: Int
    ) {
        #expect(ServerConfiguration().limits[keyPath: limit] == expected, "\(name)")
    }

    @Test(arguments: [
        ("head", \ServerConfiguration.Timeouts.head, Duration.seconds(10)),
        ("grace of the least rate", \.rateGrace, .seconds(10)),
        ("idle", \.idle, .seconds(75)),
    ])
    func `Each timeout has its default`(
        _ name: String,
        _ timeout: any KeyPath<ServerConfiguration.Timeouts, Duration> & Sendable,
        _ expected: Duration
    ) {
        #expect(ServerConfiguration().timeouts[keyPath: timeout] == expected, "\(name)")
    }
}
