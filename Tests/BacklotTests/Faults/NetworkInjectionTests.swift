import Logging
import TestSupport
import Testing

@testable import Backlot

/// Networks before a router, in process and over sockets, in a time that passes at once.
@Suite(.timeLimit(.minutes(5))) struct NetworkInjectionTests {
    /// A router that counts the calls of its handlers.
    private final class App: Sendable {
        let world: VirtualWorld
        let board: FaultBoard
        let seen = Locked<[String]>([])
        /// The number of written pieces of the endless stream.
        let written = Locked(0)

        init(draw: Double = 0.99, mostWaits: Int = .max) {
            world = VirtualWorld(mostWaits: mostWaits) { draw }
            board = FaultBoard(world: world.world)
        }

        var calls: Int { seen.withLock { $0.count } }

        func handler(access: LocalAccess? = nil) -> any Handler {
            let router = Router()
            // Preview's stands further in than that of mocks.
            for _ in 1...2 { router.use(FaultInjection(board, access: access, exempt: ["/__admin"])) }
            router.use(Compression())
            for path in ["/", "/__admin/network"] { router.get(path) { self.note($0, "fine") } }
            router.get("/large") { self.note($0, String(repeating: "x", count: 100_000)) }
            router.post("/save") { request in
                let body = try await request.body.collect()
                return self.note(request, "saved \(body.count)")
            }
            router.get("/taken") { _ in throw StatusError(.conflict, "taken") }
            router.get("/taken/late") { _ async throws -> Response in throw StatusError(.conflict, "taken") }
            router.get("/pieces") { _ in
                Response(
                    body: .stream { writer in
                        for number in 0..<10 { try await writer.write("piece \(number) of 1000 bytes") }
                    }
                )
            }
            router.get("/endless") { _ in
                Response(
                    body: .stream { writer in
                        while true {
                            try await writer.write([UInt8](repeating: 0x78, count: 1000))
                            self.written.withLock { $0 += 1 }
                        }
                    }
                )
            }
            return router.handler()
        }

        private func note(_ request: Request, _ text: String) -> Response {
            seen.withLock { $0.append(request.path) }
            return .text(text)
        }
    }

    private static func ask(
        _ handler: any Handler,
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        _ fields: (String, String)...
    ) async throws -> Response {
        var headers = HTTPFields()
        for (name, value) in fields { try headers.set(name, to: value) }
        let request = try Request(method, path, headers: headers)
        do {
            return try await handler(request)
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    @Test(arguments: [HTTPRequest.Method.head, .get])
    func `The end of a response is told once, also where its body isn't asked for`(
        method: HTTPRequest.Method
    ) async throws {
        let ends = Locked(0)
        let inner = App().handler()
        let handler = FunctionHandler { request in
            let response = try await inner(request)
            response.networkTrip?.onEnd { _ in ends.withLock { $0 += 1 } }
            return response
        }
        let network = try #require(HTTPField.Name("Backlot-Network"))
        let request = try Request(method, "/large", headers: [network: "3g"])
        let server = InProcessServer(handler, logger: Logger(label: "test"))
        _ = try await server.response(to: request, bodyLimit: 1_000_000)
        #expect(ends.withLock { $0 } == 1)
    }

    private static func head(_ path: String, _ network: String, method: String = "GET", more: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: h\r\nBacklot-Network: \(network)\r\n\(more)\r\n"
    }

    @Test(arguments: [("Backlot-Network", "3g"), ("Cookie", "a=b; backlot-network=latency=300&downlink=7")])
    func `A field or a cookie asks for a network, and the response says so`(name: String, value: String) async throws {
        let app = App()
        let response = try await Self.ask(app.handler(), .get, "/", (name, value))
        #expect(response.bodyText == "fine")
        #expect(response.headers[named: "Backlot-Network"] == (name == "Cookie" ? "downlink=7; latency=300" : "3g"))
        #expect(app.world.now >= .milliseconds(150))
        let plain = try await Self.ask(app.handler())
        #expect(plain.headers[named: "Backlot-Network"] == nil && plain.networkTrip == nil)
    }

    @Test(arguments: [("6g", "; did you mean"), ("captive-portal", "; write one of")])
    func `What can't be is a 400 that names what can`(name: String, next: String) async throws {
        let app = App()
        let response = try await Self.ask(app.handler(), .get, "/", ("Backlot-Network", name))
        #expect(response.status == .badRequest && app.calls == 0)
        #expect(
            response.bodyText.hasPrefix(
                "the field Backlot-Network can't be '\(name)': the network '\(name)' is unknown\(next)"
            )
        )
        #expect(response.bodyText.contains("write one of online, 4g, 3g, slow-3g, edge, lossy, offline"))
    }

    @Test func `Only who is let in can ask for one, and the board can for everybody`() async throws {
        let app = App()
        let handler = app.handler(access: LocalAccess(host: "0.0.0.0", token: "open sesame"))
        #expect(try await Self.ask(handler, .get, "/", ("Backlot-Network", "offline")).bodyText == "fine")
        app.board.set(NetworkProfile(isOffline: true), for: .anyone)
        #expect(try await Self.ask(handler).isBroken)
        app.board.removeNetworks()
        let token = ("Authorization", "Bearer open sesame")
        #expect(try await Self.ask(handler, .get, "/", ("Backlot-Network", "offline"), token).isBroken)
        #expect(app.calls == 1)
    }

    @Test func `A session can be offline and return`() async throws {
        let app = App()
        let handler = app.handler()
        app.board.set(NetworkProfile(isOffline: true), for: .anyone)
        app.board.set(NetworkProfile(), for: .session(cookie: "ada"))
        #expect(try await Self.ask(handler).isBroken)
        #expect(try await Self.ask(handler, .get, "/", ("Cookie", "session=bob")).isBroken)
        #expect(try await Self.ask(handler, .get, "/", ("Cookie", "session=ada")).bodyText == "fine")
        #expect(try await Self.ask(handler, .get, "/", ("Backlot-Network", "online")).bodyText == "fine")
        #expect(app.calls == 2)
        #expect(app.board.removeNetworks(for: .anyone) == 1)
        #expect(try await Self.ask(handler).bodyText == "fine")
        #expect(try await Self.ask(handler, .get, "/__admin/network", ("Backlot-Network", "offline")).status == .ok)
    }

    @Test(arguments: [("cuts=100", 0.1, 0), ("cuts=100", 0.9, 1)])
    func `A cut keeps the request from the server, or its response from the client`(
        network: String,
        draw: Double,
        calls: Int
    ) async throws {
        let app = App(draw: draw)
        let response = try await Self.ask(app.handler(), .post, "/save", ("Backlot-Network", network))
        #expect(response.isBroken && app.calls == calls)
        #expect(response.networkTrip?.loss == (calls == 0 ? .request : .response))
    }

    @Test func `A fault can lose a response too`() async throws {
        let app = App()
        let response = try await Self.ask(app.handler(), .post, "/save", ("Backlot-Fault", "answer=lost"))
        #expect(response.isBroken && response.status == .ok && app.calls == 1)
        #expect(response.headers[named: "Backlot-Fault"] == "answer=lost")
    }

    @Test(arguments: [("/nowhere", 404), ("/taken", 409), ("/taken/late", 409)])
    func `A fault applies to errors that become responses, too`(path: String, status: Int) async throws {
        let handler = App().handler()
        for fault in ["answer=lost", "delay=1"] {
            let response = try await Self.ask(handler, .get, path, ("Backlot-Fault", fault))
            #expect(response.status.code == status && response.isBroken == (fault == "answer=lost"))
            #expect(response.headers[named: "Backlot-Fault"] == fault)
        }
    }

    @Test func `Of two that stand in a row one does something`() async throws {
        let app = App()
        #expect(try await Self.ask(app.handler(), .get, "/", ("Backlot-Network", "latency=1000")).bodyText == "fine")
        #expect(app.world.now == .milliseconds(500))
    }

    // MARK: Over sockets

    @Test(arguments: [
        // 100,000 bytes and a head of 67.
        ("/large", "downlink=10000; latency=200", Duration.milliseconds(10_206.7)),
        ("/large", "latency=200", .milliseconds(200)),
        ("/pieces", "downlink=100", .milliseconds(2600)),
    ])
    func `A response over HTTP/1.1 and HTTP/2 takes its time`(
        path: String,
        network: String,
        expected: Duration
    ) async throws {
        for versions in [HTTPVersions.http1, .http2] {
            let app = App()
            try await withServer(app.handler()) { address in
                let response = try await ClientLoop.exchange(
                    OutgoingRequest(
                        method: .get,
                        target: path,
                        authority: "h",
                        headers: [try #require(HTTPField.Name("Backlot-Network")): network],
                        body: [],
                        waitsForContinue: false
                    ),
                    host: address.host,
                    port: address.port,
                    versions: versions,
                    bounds: ClientBounds(head: 10_000, body: 1_000_000, idle: .seconds(20), total: .seconds(60))
                )
                #expect(response.status == .ok && response.body.count == (path == "/large" ? 100_000 : 210))
                #expect(app.world.now >= expected * 0.95 && app.world.now <= expected * 1.05, "\(app.world.now)")
            }
        }
    }

    @Test func `Compressed bytes are what is paced`() async throws {
        let app = App()
        try await withServer(app.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.head("/large", "downlink=1000", more: "Accept-Encoding: gzip\r\n"))
            let response = try await client.receive()
            #expect(response["content-encoding"] == "gzip" && response.body.count < 1000)
            #expect(app.world.now < .seconds(2))
        }
    }

    @Test func `A request's body takes its time, and the next request of the connection is answered`() async throws {
        let app = App()
        try await withServer(app.handler()) { address in
            let client = try await RawClient.connect(to: address)
            let body = String(repeating: "x", count: 70_000)
            try await client.send(
                Self.head("/save", "uplink=10000", method: "POST", more: "Content-Length: 70000\r\n") + body
            )
            #expect(try await client.receive().text == "saved 70000")
            #expect(app.world.now >= .seconds(7) && app.world.now < .milliseconds(7100), "\(app.world.now)")
            try await client.send("HEAD /large HTTP/1.1\r\nHost: h\r\nBacklot-Network: edge\r\n\r\n")
            let head = try await client.receive(responseTo: "HEAD")
            #expect(head["content-length"] == "100000" && head["backlot-network"] == "edge")
            try await client.send(Self.head("/", "offline"))
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `A stream is written as it goes out, and ends when its client goes`() async throws {
        let app = App(mostWaits: 5)
        try await withServer(app.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.head("/endless", "downlink=1000000"))
            while app.world.waits < 6 { await Task.yield() }
            // One wait was for the head, and the sixth doesn't end.
            #expect(app.written.withLock { $0 } == 4)
            await client.reset()
            while app.board.links.count > 0 { await Task.yield() }
            #expect(app.written.withLock { $0 } == 4)
        }
    }

    @Test func `A server stops within its time, however many responses are under way`() async throws {
        var configuration = ServerConfiguration()
        configuration.timeouts.drain = .milliseconds(200)
        // The machine's own time, since these responses would take days.
        let board = FaultBoard()
        let router = Router()
        router.use(FaultInjection(board))
        let calls = Locked(0)
        router.get("/") { _ in
            calls.withLock { $0 += 1 }
            return .text(String(repeating: "x", count: 10_000))
        }
        let start = Locked(ContinuousClock.now)
        try await withServer(router.handler(), configuration: configuration) { address in
            var clients: [RawClient] = []
            for _ in 0..<200 {
                let client = try await RawClient.connect(to: address)
                try await client.send(Self.head("/", "downlink=1"))
                clients.append(client)
            }
            while calls.withLock({ $0 }) < 200 { try await Task.sleep(for: .milliseconds(1)) }
            start.withLock { $0 = .now }
            withExtendedLifetime(clients) {}
        }
        #expect(start.withLock { $0 }.duration(to: .now) < .seconds(60))
        // The handlers' tasks end a moment after their connections.
        while board.links.count > 0 { await Task.yield() }
    }
}

extension Response {
    /// Whether the connection closes without a response.
    fileprivate var isBroken: Bool {
        if case .fault(.emptyResponse) = body { true } else { false }
    }
}

extension HTTPFields {
    fileprivate subscript(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
