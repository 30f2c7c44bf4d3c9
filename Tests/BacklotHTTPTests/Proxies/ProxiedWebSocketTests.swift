import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// WebSockets through a proxy.
@Suite(.timeLimit(.minutes(5))) struct ProxiedWebSocketTests {
    private static let echo = FunctionHandler { request in
        var options = WebSocketOptions()
        options.subprotocols = ["v1"]
        return try .webSocket(request, options: options) { socket in
            for try await message in socket.messages {
                guard message.text != "bye" else { return await socket.close(WebSocketClose.Code(rawValue: 3001)) }
                try await socket.send(message)
            }
        }
    }

    private static func withEcho(
        isSecure: Bool = false,
        over transport: TestTransport = .clearText,
        limit: Int = 1000,
        observed: Recorder<ProxiedExchange> = Recorder(),
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let backend = try startServer(configure: { if isSecure { $0.tls = TestTLS.configuration } }, echo)
        try await withProxy(
            to: backend.address,
            scheme: isSecure ? "https" : "http",
            observedBodyLimit: limit,
            over: transport,
            observed: observed,
            body
        )
        await backend.shutdown()
    }

    private static func events(_ exchange: ProxiedExchange) -> [String] {
        (exchange.messages ?? []).map { message in
            let side = message.isClients ? "client" : "backend"
            return switch message.event {
            case .message(.text(let text)): "\(side): \(text)"
            case .message(.binary(let bytes)): "\(side): \(bytes)"
            case .end(let close): "\(side) ends: \(close?.code.rawValue ?? 0)"
            }
        }
    }

    @Test(arguments: [false, true], TestTransport.allCases)
    func `Messages go both ways`(_ isSecure: Bool, _ transport: TestTransport) async throws {
        let observed = Recorder<ProxiedExchange>()
        try await Self.withEcho(isSecure: isSecure, over: transport, observed: observed) { server in
            let client = try await WebSocketClient.open(
                server.address,
                more: ["Sec-WebSocket-Protocol: v1", "Sec-WebSocket-Extensions: permessage-deflate"],
                tls: transport.http1
            )
            let response = await client.response
            #expect(response.status == 101)
            #expect(response["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(response["Upgrade"] == "websocket" && response["Connection"] == "Upgrade")
            #expect(response["Sec-WebSocket-Protocol"] == "v1")
            // An observer reads no compressed messages.
            #expect(response["Sec-WebSocket-Extensions"] == nil)
            for (sent, received) in [
                (WebSocketFrame("hello"), WebSocketFrame("hello")),
                (WebSocketFrame(0x89, "p"), WebSocketFrame(0x8A, "p")),
                (WebSocketFrame(0x82, [1, 2]), WebSocketFrame(0x82, [1, 2])),
            ] {
                try await client.send(sent)
                #expect(try await client.receive() == received)
            }
            try await client.send("bye")
            #expect(try await client.receive() == .close(3001))
            try await client.send(.close(3001))
            #expect(try await client.receive() == nil)
            try await expectEventually { observed.events.count == 1 }
            let exchange = try #require(observed.events.first)
            #expect(exchange.status.code == 101 && exchange.failure == nil)
            #expect(exchange.requestBody == [] && exchange.responseBody == [])
            let events = Self.events(exchange)
            #expect(
                events.filter { $0.hasPrefix("client") } == [
                    "client: hello", "client: [1, 2]", "client: bye", "client ends: 3001",
                ]
            )
            #expect(
                events.filter { $0.hasPrefix("backend") }.prefix(3) == [
                    "backend: hello", "backend: [1, 2]", "backend ends: 3001",
                ]
            )
        }
    }

    /// A client of HTTP/2 has no key, and its backend speaks HTTP/1.1.
    @Test func `A stream of HTTP/2 leads to an upgrade`() async throws {
        try await Self.withEcho { server in
            let client = try await HTTP2Client.connect(to: server.address)
            let fields = [(":protocol", "websocket")] + Frame.get(method: "CONNECT") + [("sec-websocket-version", "13")]
            try await client.send(.headers(1, fields, endStream: false))
            let list = try await client.headerList()
            #expect(list.contains(":status: 200") && list.contains { $0.hasPrefix("via: ") })
            #expect(!list.contains { $0.hasPrefix("sec-websocket-accept") || $0.hasPrefix("upgrade") })
            try await client.send(.data(1, WebSocketFrame("hello").bytes(), endStream: false))
            #expect(try await client.first(.data)?.payload == WebSocketFrame("hello").bytes(mask: nil))
            try await client.send(.data(1, WebSocketFrame.close(1000).bytes(), endStream: false))
            #expect(try await client.first(.data)?.payload == WebSocketFrame.close(1000).bytes(mask: nil))
        }
    }

    @Test func `Compression is the two sides' affair where nobody observes`() async throws {
        let backend = try startServer(Self.echo)
        let proxy = ReverseProxy(origin: try #require(Origin("http://\(backend.address)")))
        try await withTestServer(FunctionHandler { await proxy.respond(to: $0) }) { server in
            let client = try await WebSocketClient.open(
                server.address,
                more: ["Sec-WebSocket-Extensions: permessage-deflate"]
            )
            #expect(await client.response["Sec-WebSocket-Extensions"]?.hasPrefix("permessage-deflate") == true)
            try await client.send(WebSocketFrame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]))
            #expect(try await client.receive() == WebSocketFrame("Hello"))
        }
        await backend.shutdown()
    }

    /// The proxy passes on messages that are too large to keep, and the observer gets no part of them.
    @Test func `Large messages are passed on`() async throws {
        let observed = Recorder<ProxiedExchange>()
        try await Self.withEcho(limit: 2000, observed: observed) { server in
            let client = try await WebSocketClient.open(server.address)
            for count in [1500, 1_000_000] {
                let frame = WebSocketFrame(0x82, [UInt8](repeating: 7, count: count))
                try await client.send(frame)
                #expect(try await client.receive() == frame)
            }
            try await client.send(.close(1000))
            #expect(try await client.receive() == .close(1000))
            try await expectEventually { observed.events.count == 1 }
            #expect(observed.events.first?.responseBody == nil)
        }
    }

    /// Responses of a backend that opens no WebSocket, and the status that the client gets.
    @Test(arguments: [
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", 403),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", 200),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n", 502),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404),
    ])
    func `A backend that refuses`(_ response: String, _ status: Int) async throws {
        let rest = Recorder<[UInt8]>()
        let backend = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send(response)
            rest.record(connection.receive(upTo: 1))
        }
        try await withProxy(to: backend.address) { server in
            // The messages come early: a backend that refuses would read them as another request.
            let client = try await RawClient.connect(to: server.address)
            let request = "GET / HTTP/1.1\r\n" + WebSocketClient.fields.map { $0 + "\r\n" }.joined() + "\r\n"
            try await client.send(Array(request.utf8) + WebSocketFrame("early").bytes())
            #expect(try await client.receive().status == status)
            try await expectEventually { rest.events == [[]] }
            let stream = try await HTTP2Client.connect(to: server.address)
            let fields = [(":protocol", "websocket")] + Frame.get(method: "CONNECT") + [("sec-websocket-version", "13")]
            try await stream.send(
                .headers(1, fields, endStream: false),
                .data(1, WebSocketFrame("early").bytes(), endStream: false)
            )
            let list = try await stream.headerList()
            #expect(list.first == ":status: \(status == 200 ? 400 : status)")
            try await expectEventually { rest.events == [[], []] }
        }
    }

    /// Fields of a request, and those that the backend gets.
    @Test(arguments: [
        (["Upgrade: websocket"], []), (["Connection: Upgrade", "Upgrade: h2c"], []),
        (["connection: a, UPGRADE", "upgrade: WebSocket", "A: 1"], ["Connection: Upgrade", "Upgrade: websocket"]),
        (
            ["Connection: Upgrade", "Upgrade: websocket", "X: 1"],
            ["X: 1", "Connection: Upgrade", "Upgrade: websocket"]
        ),
    ])
    func `Only a request for a WebSocket is passed on as one`(_ sent: [String], _ passed: [String]) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET /", sent.joined(separator: "\r\n")))
            #expect(try await client.receive().text == "ok")
            #expect(backend.requests.events.first?.fields.filter { !$0.hasPrefix("Host") } == passed)
        }
    }

    /// A side, or the stop of the proxy, ends the WebSocket without a close frame, and the observer gets the exchange.
    @Test(arguments: ["client", "backend", "server"]) func `An end without a close frame`(_ side: String) async throws {
        let (observed, gone) = (Recorder<ProxiedExchange>(), Recorder<Bool>())
        let backend = try RawServer { connection in
            let head = connection.receiveHead()
            let key = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
            connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\nSec-WebSocket-Accept: \(WebSocketHandshake.accept(String(key)))\r\n\r\n"
            )
            connection.send(WebSocketFrame("hello").bytes(mask: nil))
            _ = connection.receive(exactly: WebSocketFrame("hi").bytes().count)
            if side == "backend" { return }
            gone.record(connection.receive(upTo: 1).isEmpty)
        }
        try await withProxy(to: backend.address, observed: observed) { server in
            let client = try await WebSocketClient.open(server.address)
            #expect(try await client.receive() == WebSocketFrame("hello"))
            try await client.send("hi")
            switch side {
            case "client": await client.raw.close()
            case "server":
                async let shutdown: Void = server.shutdown()
                #expect(try await client.receive() == nil)
                await shutdown
            default: #expect(try await client.receive() == nil)
            }
            try await expectEventually { observed.events.count == 1 }
            if side != "backend" { try await expectEventually { gone.events == [true] } }
            let exchange = try #require(observed.events.first)
            let end = side == "backend" ? "backend ends: 0" : "client ends: 0"
            #expect(Self.events(exchange) == ["backend: hello", "client: hi", end])
            #expect(exchange.failure == nil && exchange.responseBody == [])
        }
    }

    /// A side that reads nothing lets the other one wait.
    @Test func `A backend that reads nothing`() async throws {
        let (gate, sent) = (Signal(), Recorder<Int>())
        let handler = FunctionHandler { request in
            try .webSocket(request) { socket in
                await gate.wait()
                var count = 0
                for try await message in socket.messages {
                    count += message.bytes.count
                    if message.text == "end" { break }
                }
                try await socket.send("\(count)")
            }
        }
        let backend = try startServer(handler)
        try await withProxy(to: backend.address) { server in
            // 40 MB take long on a busy machine.
            let client = try await WebSocketClient.open(server.address, timeout: .seconds(50))
            let sending = Task {
                let frame = WebSocketFrame(0x82, [UInt8](repeating: 1, count: 100_000)).bytes()
                for number in 0..<400 {
                    try await client.raw.send(frame)
                    sent.record(number)
                }
                try await client.raw.send(WebSocketFrame("end").bytes())
            }
            var count = 0
            while count == 0 || sent.events.count != count {
                count = sent.events.count
                try await Task.sleep(for: .milliseconds(200))
            }
            // The systems' buffers hold some of them, and the proxy little.
            #expect(count < 380)
            gate.fire()
            #expect(try await client.receive() == WebSocketFrame("40000003"))
            try await sending.value
        }
        await backend.shutdown()
    }
}
