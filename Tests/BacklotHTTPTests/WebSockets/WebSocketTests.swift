import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// WebSockets over sockets, with a client that shares no code with the server.
@Suite(.timeLimit(.minutes(5))) struct WebSocketTests {
    /// Runs `body` with a server that opens a WebSocket for every request.
    private static func withWebSocket(
        over transport: TestTransport = .clearText,
        options: WebSocketOptions = WebSocketOptions(),
        bufferLimit: Int? = nil,
        _ program: @escaping @Sendable (WebSocket) async throws -> Void,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let handler = FunctionHandler { try .webSocket($0, options: options, program) }
        let configure = { (configuration: inout ServerConfiguration) in
            if let bufferLimit { configuration.limits.bufferedBytes = bufferLimit }
        }
        try await withTestServer(over: transport, configure: configure, handler, body)
    }

    @Sendable private static func echo(_ socket: WebSocket) async throws {
        for try await message in socket.messages { try await socket.send(message) }
    }

    @Test(arguments: TestTransport.allCases) func anEcho(_ transport: TestTransport) async throws {
        try await Self.withWebSocket(over: transport, Self.echo) { server in
            let client = try await WebSocketClient.open(server.address, tls: transport.http1)
            let response = await client.response
            #expect(response.status == 101)
            #expect(response["Connection"] == "Upgrade")
            #expect(response["Upgrade"] == "websocket")
            // RFC 6455, section 1.3.
            #expect(response["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(response["Sec-WebSocket-Extensions"] == nil)
            #expect(response["Transfer-Encoding"] == nil && response["Content-Length"] == nil)
            try await client.send("Hello")
            #expect(try await client.receive() == WebSocketFrame("Hello"))
            try await client.send(WebSocketFrame(0x02, [1]), WebSocketFrame(0x89, "p"), WebSocketFrame(0x80, [2]))
            #expect(try await client.receive() == WebSocketFrame(0x8A, "p"))
            #expect(try await client.receive() == WebSocketFrame(0x82, [1, 2]))
            let large = WebSocketFrame(0x82, [UInt8](repeating: 9, count: 1_000_000))
            try await client.send(large)
            #expect(try await client.receive() == large)
            try await client.send(.close(3001, "bye"))
            #expect(try await client.receive() == .close(3001))
            #expect(try await client.receive() == nil)
        }
    }

    @Test func framesThatCameWithTheRequest() async throws {
        try await Self.withWebSocket(Self.echo) { server in
            let client = try await RawClient.connect(to: server.address)
            let request = "GET / HTTP/1.1\r\n" + WebSocketClient.fields.map { $0 + "\r\n" }.joined() + "\r\n"
            try await client.sendByteByByte(Array(request.utf8) + WebSocketFrame("a").bytes())
            #expect(try await client.receive().status == 101)
            var bytes: [UInt8] = []
            while bytes.count < 3 { bytes += try await client.receivePiece() }
            #expect(bytes == [0x81, 1, 0x61])
        }
    }

    @Test func compressedMessages() async throws {
        try await Self.withWebSocket(Self.echo) { server in
            let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
            let client = try await WebSocketClient.open(server.address, more: [offer])
            let extensions = await client.response["Sec-WebSocket-Extensions"]
            #expect(extensions == "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
            try await client.send(WebSocketFrame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]))
            #expect(try await client.receive() == WebSocketFrame("Hello"))
            for count in [200, 300_000] {
                try await client.send(String(repeating: "abc", count: count))
                let frame = try #require(try await client.receive())
                #expect(frame.first == 0xC1)
                #expect(frame.payload.count < count)
                let message = try WebSocketCompression.inflate(frame.payload, upTo: 1_000_000)
                #expect(message == Array(String(repeating: "abc", count: count).utf8))
            }
        }
    }

    /// Requests that open nothing: what changes in a usual handshake, the status, and a part of the reason.
    @Test(arguments: [
        ("Connection: close", 426, "open it with one"),
        ("Upgrade: h2c", 426, "open it with one"),
        ("Sec-WebSocket-Version: 8", 426, "must be 13"),
        ("Sec-WebSocket-Key: abc", 400, "16 bytes in base64"),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ!=", 400, "16 bytes in base64"),
        ("Origin: https://evil.example", 403, "pages of https://evil.example"),
        ("Origin: null", 403, "pages of null"),
    ])
    func refusals(_ field: String, _ status: Int, _ reason: String) async throws {
        try await Self.withWebSocket(Self.echo) { server in
            let name = field.prefix { $0 != ":" }
            let fields = WebSocketClient.fields.filter { !$0.hasPrefix(name) } + [field]
            let response = try await WebSocketClient.open(server.address, fields: fields).response
            #expect(response.status == status)
            #expect(response.text.contains(reason), "\(response.text)")
            if status == 426 {
                #expect(response["Sec-WebSocket-Version"] == "13" && response["Upgrade"] == "websocket")
            }
        }
    }

    @Test func originsAndSubprotocols() async throws {
        var options = WebSocketOptions()
        options.subprotocols = ["v2", "v1"]
        options.origins = ["https://app.example.com"]
        try await Self.withWebSocket(options: options) { socket in
            try await socket.send(socket.subprotocol ?? "none")
        } _: { server in
            for (fields, chosen) in [
                (["Sec-WebSocket-Protocol: v1, v2", "Origin: https://APP.example.com"], "v2"),
                (["Sec-WebSocket-Protocol: v0", "Sec-WebSocket-Protocol: v1", "Origin: http://h"], "v1"),
                (["Sec-WebSocket-Protocol: v3"], "none"),
            ] {
                let client = try await WebSocketClient.open(server.address, more: fields)
                let named = await client.response["Sec-WebSocket-Protocol"]
                #expect(named ?? "none" == chosen)
                #expect(try await client.receive() == WebSocketFrame(chosen))
                #expect(try await client.receive() == .close(1000))
                try await client.send(.close(1000))
                #expect(try await client.receive() == nil)
            }
        }
    }

    @Test func aRequestWithoutAWebSocketKeepsItsConnection() async throws {
        let handler = FunctionHandler { request in
            .text(String(decoding: try await request.body.collect(), as: UTF8.self) + "!")
        }
        try await withTestClient(handler) { client, _ in
            let request = "GET / HTTP/1.1\r\n" + WebSocketClient.fields.map { $0 + "\r\n" }.joined() + "\r\n"
            for _ in 0..<2 {
                let response = try await client.response(to: request)
                #expect(response.text == "!")
            }
        }
    }

    @Test func programsThatThrowAndBrokenFrames() async throws {
        struct Mistake: Error {}
        try await Self.withWebSocket { socket in
            for try await message in socket.messages where message.text == "throw" { throw Mistake() }
        } _: { server in
            let client = try await WebSocketClient.open(server.address)
            try await client.send("throw")
            #expect(try await client.receive() == .close(1011, "the server has failed"))
            try await client.send(.close(1011))
            #expect(try await client.receive() == nil)
            let broken = try await WebSocketClient.open(server.address)
            try await broken.raw.send(WebSocketFrame("a").bytes(mask: nil))
            #expect(try await broken.receive() == .close(1002, "a client's frame has no mask"))
            #expect(try await broken.receive() == nil)
        }
    }

    @Test func theEndIsSeenByThePrograms() async throws {
        let ends = Recorder<String>()
        try await Self.withWebSocket { socket in
            var count = 0
            for try await _ in socket.messages { count += 1 }
            ends.record("\(count) \(socket.end?.code.rawValue ?? 0)")
            await #expect(throws: WebSocketError.closed(socket.end)) { try await socket.send("late") }
        } _: { server in
            let closing = try await WebSocketClient.open(server.address)
            try await closing.send(WebSocketFrame("a"), WebSocketFrame("b"), .close(1001))
            #expect(try await closing.receive() == .close(1001))
            var vanishing: WebSocketClient? = try await WebSocketClient.open(server.address)
            try await vanishing?.send("a")
            vanishing = nil
            try await expectEventually { Set(ends.events) == ["2 1001", "1 1006"] }
        }
    }

    @Test func aServerThatStopsSaysSo() async throws {
        try await Self.withWebSocket(Self.echo) { server in
            let client = try await WebSocketClient.open(server.address)
            try await client.send("a")
            #expect(try await client.receive() == WebSocketFrame("a"))
            async let shutdown: Void = server.shutdown()
            #expect(try await client.receive() == .close(1001, "the server stops"))
            try await client.send(.close(1001))
            #expect(try await client.receive() == nil)
            await shutdown
        }
    }

    @Test func silenceIsNoticed() async throws {
        var options = WebSocketOptions()
        options.pingInterval = .milliseconds(30)
        options.closeTimeout = .milliseconds(30)
        // A client may take long for its pong.
        options.pongTimeout = .seconds(60)
        try await Self.withWebSocket(options: options, Self.echo) { server in
            let client = try await WebSocketClient.open(server.address)
            #expect(try await client.receive() == WebSocketFrame(0x89))
            try await client.send(WebSocketFrame(0x8A))
            #expect(try await client.receive() == WebSocketFrame(0x89))
        }
        options.pongTimeout = .milliseconds(30)
        try await Self.withWebSocket(options: options, Self.echo) { server in
            let client = try await WebSocketClient.open(server.address)
            #expect(try await client.receive() == WebSocketFrame(0x89))
            #expect(try await client.receive() == nil)
        }
    }

    /// Both a client that doesn't close and a program that continues are stopped in time.
    @Test func stubbornSidesHaveTheirTime() async throws {
        var options = WebSocketOptions()
        options.closeTimeout = .milliseconds(50)
        let ends = Recorder<String>()
        try await Self.withWebSocket(options: options) { socket in
            guard try await socket.messages.next()?.text == "sleep" else { return }
            do { try await Task.sleep(for: .seconds(60)) } catch { ends.record("cancelled") }
        } _: { server in
            let silent = try await WebSocketClient.open(server.address)
            try await silent.send("end")
            #expect(try await silent.receive() == .close(1000))
            #expect(try await silent.receive() == nil)
            let sleeping = try await WebSocketClient.open(server.address)
            try await sleeping.send(WebSocketFrame("sleep"), .close(1000))
            #expect(try await sleeping.receive() == .close(1000))
            #expect(try await sleeping.receive() == nil)
            #expect(ends.events == ["cancelled"])
        }
    }

    /// A program that takes nothing lets its client wait, and the server keeps little meanwhile.
    @Test func messagesThatNobodyTakes() async throws {
        let gate = Signal()
        try await Self.withWebSocket { socket in
            await gate.wait()
            var count = 0
            for try await message in socket.messages {
                count += 1
                if message.text == "last" { break }
            }
            try await socket.send("\(count)")
        } _: { server in
            let client = try await WebSocketClient.open(server.address)
            let sending = Task {
                let frame = WebSocketFrame(0x82, [UInt8](repeating: 1, count: 60_000)).bytes()
                for _ in 0..<60 { try await client.raw.send(frame) }
                try await client.raw.send(WebSocketFrame("last").bytes())
            }
            try await expectEventually { server.context.buffers.use > 64 * 1024 }
            try await Task.sleep(for: .milliseconds(200))
            #expect(server.context.buffers.use < 1024 * 1024)
            gate.fire()
            #expect(try await client.receive() == WebSocketFrame("61"))
            try await sending.value
            try await client.send(.close(1000))
        }
    }

    /// A client that reads nothing lets the program wait.
    @Test func aClientThatReadsNothing() async throws {
        let sent = Recorder<Int>()
        try await Self.withWebSocket { socket in
            for number in 0..<1000 {
                try await socket.send(.binary([UInt8](repeating: 1, count: 60_000)))
                sent.record(number)
            }
        } _: { server in
            let client = try await WebSocketClient.open(server.address)
            try await expectEventually { !sent.events.isEmpty }
            var count = 0
            repeat {
                count = sent.events.count
                try await Task.sleep(for: .milliseconds(100))
            } while sent.events.count != count
            #expect(count < 900)
            for _ in 0..<1000 { #expect(try await client.receive()?.payload.count == 60_000) }
            #expect(try await client.receive() == .close(1000))
            try await client.send(.close(1000))
        }
    }

    @Test func memoryThatIsSpent() async throws {
        try await Self.withWebSocket(bufferLimit: 200_000, Self.echo) { server in
            let client = try await WebSocketClient.open(server.address)
            try await client.raw.send(WebSocketFrame(0x82, [UInt8](repeating: 1, count: 900_000)).bytes())
            #expect(try await client.receive()?.closeCode == 1013)
        }
    }
}
