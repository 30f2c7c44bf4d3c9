import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// WebSockets on streams of HTTP/2 (RFC 8441), frame by frame, with a client that shares no code with the server.
@Suite(.timeLimit(.minutes(5))) struct WebSocketStreamTests {
    /// The request that opens a WebSocket.
    private static func connect(_ path: String = "/", _ fields: (String, String)...) -> [(String, String)] {
        [(":protocol", "websocket")] + Frame.get(path, method: "CONNECT") + [("sec-websocket-version", "13")] + fields
    }

    /// Opens a WebSocket and returns the status of the response.
    private static func open(
        _ client: HTTP2Client,
        _ stream: UInt32 = 1,
        _ fields: [(String, String)] = connect()
    ) async throws -> Int {
        try await client.send(.headers(stream, fields, endStream: false))
        return try await status(client, stream)
    }

    private static func status(_ client: HTTP2Client, _ stream: UInt32 = 1) async throws -> Int {
        let list = try await client.headerList(on: stream)
        return list.first.flatMap { Int($0.dropFirst(":status: ".count)) } ?? 0
    }

    /// The payloads of the stream's next DATA frames as one frame of a WebSocket; nil at the end of the stream.
    private static func receive(_ client: HTTP2Client, _ stream: UInt32 = 1) async throws -> WebSocketFrame? {
        var bytes: [UInt8] = []
        while let frame = try await client.first(where: { $0.stream == stream && $0.kind != .windowUpdate }) {
            bytes += frame.kind == .data ? frame.payload : []
            if let frame = WebSocketFrame.take(from: &bytes) { return frame }
            if frame.endsStream || frame.kind == .reset { return nil }
        }
        return nil
    }

    private static func send(_ client: HTTP2Client, _ frame: WebSocketFrame, on stream: UInt32 = 1) async throws {
        try await client.send(.data(stream, frame.bytes(), endStream: false))
    }

    private static func webSocket(
        _ options: WebSocketOptions = WebSocketOptions(),
        _ program: @escaping @Sendable (WebSocket) async throws -> Void = echo
    ) -> FunctionHandler {
        FunctionHandler { try .webSocket($0, options: options, program) }
    }

    @Sendable private static func echo(_ socket: WebSocket) async throws {
        for try await message in socket.messages { try await socket.send(message) }
    }

    @Test(arguments: TestTransport.allCases) func anEcho(_ transport: TestTransport) async throws {
        try await withHTTP2Client(over: transport, Self.webSocket()) { client, _ in
            let settings = try #require(try await client.first(.settings)).payload
            let entries = stride(from: 0, to: settings.count, by: 6).map { settings[$0..<($0 + 6)] }
            #expect(entries.contains([0, 8, 0, 0, 0, 1]))
            try await client.send(.headers(1, Self.connect(), endStream: false))
            var fields = try await client.headerList()
            fields.removeAll { $0.hasPrefix("date: ") }
            #expect(fields == [":status: 200"])
            for text in ["Hello", String(repeating: "long", count: 4000)] {
                try await Self.send(client, WebSocketFrame(text))
                #expect(try await Self.receive(client) == WebSocketFrame(text))
            }
            try await Self.send(client, WebSocketFrame(0x89, "p"))
            #expect(try await Self.receive(client) == WebSocketFrame(0x8A, "p"))
            try await Self.send(client, .close(3001))
            #expect(try await Self.receive(client) == .close(3001))
            #expect(try await Self.receive(client) == nil)
            // The connection serves other requests.
            #expect(try await client.exchange(3).status == 426)
        }
    }

    /// Envoy 1.40.0 passes the key of a client of HTTP/1.1 on, and refuses the response without its proof. The values are those of RFC
    /// 6455, section 1.3.
    @Test func `A key is proved, also over HTTP/2`() async throws {
        try await withHTTP2Client(Self.webSocket()) { client, _ in
            try await client.send(
                .headers(1, Self.connect("/", ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")), endStream: false)
            )
            #expect(try await client.headerList().contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            #expect(try await Self.open(client, 3, Self.connect("/", ("sec-websocket-key", "short"))) == 200)
        }
    }

    @Test func severalOnOneConnection() async throws {
        try await withHTTP2Client(Self.webSocket()) { client, _ in
            for stream: UInt32 in [1, 3, 5] { #expect(try await Self.open(client, stream) == 200) }
            for stream: UInt32 in [5, 1, 3] {
                try await Self.send(client, WebSocketFrame("on \(stream)"), on: stream)
                #expect(try await Self.receive(client, stream) == WebSocketFrame("on \(stream)"))
            }
        }
    }

    /// A frame in DATA frames of one byte each.
    @Test func framesInPieces() async throws {
        try await withHTTP2Client(Self.webSocket()) { client, _ in
            #expect(try await Self.open(client) == 200)
            for byte in WebSocketFrame("abc").bytes() { try await client.send(.data(1, [byte], endStream: false)) }
            #expect(try await Self.receive(client) == WebSocketFrame("abc"))
        }
    }

    @Test func whatBothSidesAgreeOn() async throws {
        var options = WebSocketOptions()
        options.subprotocols = ["v2", "v1"]
        try await withHTTP2Client(Self.webSocket(options)) { client, _ in
            let extensions = ("sec-websocket-extensions", "permessage-deflate")
            let fields = Self.connect("/", ("sec-websocket-protocol", "v1, v3"), extensions, ("origin", "http://h"))
            try await client.send(.headers(1, fields, endStream: false))
            let list = try await client.headerList()
            #expect(list.contains("sec-websocket-protocol: v1"))
            #expect(list.contains { $0.hasPrefix("sec-websocket-extensions: permessage-deflate") })
            try await Self.send(client, WebSocketFrame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]))
            #expect(try await Self.receive(client) == WebSocketFrame("Hello"))
        }
    }

    /// Requests that open nothing: further fields, the status, and a part of the reason.
    @Test(arguments: [
        ("sec-websocket-version", "8", 426, "must be 13"),
        ("origin", "https://evil.example", 403, "pages of https://evil"),
    ])
    func refusals(_ name: String, _ value: String, _ status: Int, _ reason: String) async throws {
        try await withHTTP2Client(Self.webSocket()) { client, _ in
            let fields = Self.connect().filter { $0.0 != name } + [(name, value)]
            try await client.send(.headers(1, fields, endStream: false))
            let response = try await client.response()
            #expect(response.status == status)
            #expect(response.text.contains(reason))
        }
    }

    /// A page must not look like a WebSocket that is open, whichever form its body has.
    @Test(arguments: ["bytes", "stream", "error", "streamed error"]) func aPathWithoutAWebSocket(
        _ form: String
    ) async throws {
        let handler = FunctionHandler { _ in
            switch form {
            case "bytes": .text("page")
            case "stream": Response(body: .stream { try await $0.write("page") })
            case "error": .text("no", status: .notFound)
            default: Response(status: .notFound, body: .stream(length: 2) { try await $0.write("no") })
            }
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Self.connect(), endStream: false))
            let response = try await client.response()
            #expect(response.status == (form.hasSuffix("error") ? 404 : 400))
            #expect(
                response.text == (form.hasSuffix("error") ? "no" : "this path isn't a WebSocket: request it with GET")
            )
        }
    }

    /// How a client ends its stream, and the end that the program sees.
    @Test(arguments: ["close frame", "END_STREAM", "RST_STREAM", "END_STREAM at once", "connection"])
    func ends(_ way: String) async throws {
        let ends = Recorder<String>()
        let handler = Self.webSocket { socket in
            // A reset cancels the program, perhaps before it has seen the end.
            defer { ends.record("\(socket.end?.code.rawValue ?? (way == "RST_STREAM" ? 1006 : 0))") }
            for try await message in socket.messages { ends.record(message.text ?? "") }
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Self.connect(), endStream: way == "END_STREAM at once"))
            #expect(try await Self.status(client) == 200)
            if way != "END_STREAM at once" {
                try await Self.send(client, WebSocketFrame("a"))
                try await expectEventually { ends.events == ["a"] }
            }
            switch way {
            case "close frame": try await Self.send(client, .close(1000))
            case "END_STREAM": try await client.send(.data(1))
            case "RST_STREAM": try await client.send(.reset(1))
            case "connection": await client.close()
            default: break
            }
            let code = way == "close frame" ? "1000" : "1006"
            try await expectEventually(within: .seconds(10)) {
                ends.events == (way == "END_STREAM at once" ? [code] : ["a", code])
            }
        }
    }

    @Test func brokenFramesAndLongMessages() async throws {
        var options = WebSocketOptions()
        options.messageLimit = 1000
        let cases: [([UInt8], WebSocketFrame)] = [
            (WebSocketFrame("a").bytes(mask: nil), .close(1002, "a client's frame has no mask")),
            (WebSocketFrame(0x83, "a").bytes(), .close(1002, "an unknown opcode")),
            (
                WebSocketFrame(0x82, [UInt8](repeating: 0, count: 1001)).bytes(),
                .close(1009, "a message may have 1000 bytes")
            ),
        ]
        try await withHTTP2Client(Self.webSocket(options)) { client, _ in
            for (number, (bytes, close)) in cases.enumerated() {
                let stream = UInt32(2 * number + 1)
                #expect(try await Self.open(client, stream) == 200)
                try await client.send(.data(stream, bytes, endStream: false))
                #expect(try await Self.receive(client, stream) == close)
                #expect(try await Self.receive(client, stream) == nil)
            }
        }
    }

    /// A silent client isn't late with its request.
    @Test func silence() async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.timeouts.body = .milliseconds(100)
        }
        try await withHTTP2Client(configure: configure, Self.webSocket()) { client, server in
            #expect(try await Self.open(client) == 200)
            try await Task.sleep(for: .milliseconds(1500))
            #expect(server.context.buffers.use < HTTP2Stream.cost)
            try await Self.send(client, WebSocketFrame("a"))
            #expect(try await Self.receive(client) == WebSocketFrame("a"))
        }
    }

    @Test func aServerThatStopsSaysSo() async throws {
        try await withHTTP2Client(Self.webSocket()) { client, server in
            #expect(try await Self.open(client) == 200)
            async let shutdown: Void = server.shutdown()
            #expect(try await Self.receive(client) == .close(1001, "the server stops"))
            try await Self.send(client, .close(1001))
            #expect(try await Self.receive(client) == nil)
            await shutdown
        }
    }

    /// A program that takes nothing closes its stream's window, and no other one.
    @Test func messagesThatNobodyTakes() async throws {
        let gate = Signal()
        let handler = Self.webSocket { socket in
            guard let first = try await socket.messages.next()?.text else { return }
            if first == "wait" { await gate.wait() }
            var count = 0
            for try await message in socket.messages {
                count += message.bytes.count
                if message.text == "end" { break }
            }
            try await socket.send("\(count)")
        }
        try await withHTTP2Client(handler) { client, server in
            for (stream, first) in [(UInt32(1), "wait"), (3, "go")] {
                #expect(try await Self.open(client, stream) == 200)
                try await Self.send(client, WebSocketFrame(first), on: stream)
            }
            let piece = WebSocketFrame(0x82, [UInt8](repeating: 1, count: 16_000))
            // As much as the window of a stream has, and what the first message took of it.
            for _ in 0..<4 { try await Self.send(client, piece, on: 1) }
            try await client.roundTrip()
            #expect(server.context.buffers.use < 256 * 1024)
            for text in ["abc", "end"] { try await Self.send(client, WebSocketFrame(text), on: 3) }
            #expect(try await Self.receive(client, 3) == WebSocketFrame("6"))
            gate.fire()
            try await Self.send(client, WebSocketFrame("end"), on: 1)
            #expect(try await Self.receive(client, 1) == WebSocketFrame("64003"))
        }
    }

    /// A client that opens no window keeps the program waiting, and is reset in the end.
    @Test func aClientThatReadsNothing() async throws {
        let (sent, ends) = (Recorder<Int>(), Recorder<String>())
        let handler = Self.webSocket { socket in
            do {
                for number in 0..<1000 {
                    try await socket.send(.binary([UInt8](repeating: 1, count: 60_000)))
                    sent.record(number)
                }
            } catch { ends.record("\(error)") }
        }
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.timeouts.write = .milliseconds(400)
        }
        try await withHTTP2Client(configure: configure, handler) { client, _ in
            #expect(try await Self.open(client) == 200)
            _ = try await client.first(.reset)
            try await expectEventually { !ends.events.isEmpty }
            #expect(sent.events.count < 10)
        }
    }
}
