import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Requests and responses as handlers and clients see them.
@Suite(.timeLimit(.minutes(5))) struct HTTP2ExchangeTests {
    private struct AtOnce: Handler {
        let called = Recorder<String>()

        func respond(to request: Request) throws -> HandlerResult {
            if request.path == "/fails" { throw RequestError.bodyTooLarge(limit: 7) }
            guard request.path == "/later" else { return .ready(.text("at once")) }
            return .pending {
                called.record(request.path)
                return .text("later")
            }
        }
    }

    @Test(arguments: TestTransport.allCases) func `A handler sees the request's line, fields and body`(
        _ transport: TestTransport
    ) async throws {
        let handler = FunctionHandler { request in
            let fields = request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
            let body = try await request.body.collect()
            return .text(
                "\(request.method) \(request.path)?\(request.rawQuery ?? "none") \(fields) \(body.count) bytes"
            )
        }
        try await withHTTP2Client(over: transport, handler) { client, _ in
            var response = try await client.exchange(
                1,
                Frame.get("/a%20b?c=d", ("x", "y"), ("cookie", "e"), ("cookie", "f"))
            )
            #expect(response.text == "GET /a%20b?c=d host=h|x=y|cookie=e; f 0 bytes")
            response = try await client.exchange(3, Frame.post("/", ("content-length", "3")), body: [1, 2, 3])
            #expect(response.text == "POST /?none host=h|content-length=3 3 bytes")
            response = try await client.exchange(5, Frame.post(), body: [1, 2, 3, 4])
            #expect(response.text == "POST /?none host=h 4 bytes")
            response = try await client.exchange(7, Frame.get("*", method: "OPTIONS", authority: nil, ("host", "h:1")))
            #expect(response.text == "OPTIONS *?none host=h:1 0 bytes")
        }
    }

    @Test(arguments: TestTransport.allCases) func `A client sees the response's status, fields and body`(
        _ transport: TestTransport
    ) async throws {
        let handler = FunctionHandler { request in
            switch request.path {
            case "/204": Response(status: .noContent)
            case "/304": Response(status: .notModified, headers: [.eTag: "\"a\""], body: .bytes([1]))
            case "/205": Response(status: .resetContent, body: .bytes([1]))
            case "/close": Response(headers: [.connection: "keep-alive", .init("X-A")!: "b"], body: .bytes([1, 2]))
            default: .text("hello")
            }
        }
        try await withHTTP2Client(over: transport, handler) { client, _ in
            var response = try await client.exchange(1)
            #expect(response.status == 200 && response.text == "hello")
            #expect(response.fields.keys.sorted() == ["content-length", "content-type", "date"])
            #expect(response.fields["content-length"] == "5")
            #expect(response.fields["date"]?.hasSuffix(" GMT") == true)
            response = try await client.exchange(3, Frame.get("/", method: "HEAD"))
            #expect(response.status == 200 && response.body == [] && response.fields["content-length"] == "5")
            response = try await client.exchange(5, Frame.get("/204"))
            #expect(response.status == 204 && response.body == [] && response.fields["content-length"] == nil)
            response = try await client.exchange(7, Frame.get("/304"))
            #expect(response.status == 304 && response.body == [] && response.fields["etag"] == "\"a\"")
            response = try await client.exchange(9, Frame.get("/205"))
            #expect(response.status == 205 && response.body == [] && response.fields["content-length"] == "0")
            response = try await client.exchange(11, Frame.get("/close"))
            #expect(response.body == [1, 2] && response.fields["x-a"] == "b" && response.fields["connection"] == nil)
        }
    }

    @Test func `Handlers that needn't suspend respond at once`() async throws {
        let handler = AtOnce()
        try await withHTTP2Client(handler) { client, _ in
            var response = try await client.exchange(1)
            #expect(response.text == "at once")
            #expect(handler.called.events == [])
            response = try await client.exchange(3, Frame.get("/later"))
            #expect(response.text == "later")
            #expect(handler.called.events == ["/later"])
            response = try await client.exchange(5, Frame.get("/fails"))
            #expect(response.status == 413)
        }
    }

    @Test func `Errors of handlers become responses`() async throws {
        struct Unexpected: Error {}
        let handler = FunctionHandler { request in
            if request.path == "/100" { return Response(status: .continue) }
            throw request.path == "/413" ? RequestError.bodyTooLarge(limit: 7) : Unexpected() as any Error
        }
        try await withHTTP2Client(configure: { $0.showsErrorDetails = false }, handler) { client, server in
            var response = try await client.exchange(1, Frame.get("/413"))
            #expect(response.status == 413 && response.text == "the body is larger than 7 bytes")
            response = try await client.exchange(3)
            #expect(response.status == 500 && response.text.hasPrefix("The server failed"))
            response = try await client.exchange(5, Frame.get("/100"))
            #expect(response.status == 500 && response.interim == [])
        }
    }

    @Test func `Handlers run and resume on their connection's loop`() async throws {
        let handler = FunctionHandler { request in
            let before = ThreadIdentity.current
            _ = try await request.body.collect()
            try await Blocking.run {}
            return .text(before == ThreadIdentity.current ? "same" : "another")
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            try await client.roundTrip()
            try await client.send(.data(1, [1]))
            #expect(try await client.response().text == "same")
        }
    }

    @Test func `A hundred streams at once get responses in any order`() async throws {
        let begun = Recorder<String>()
        let goOn = Signal()
        let handler = FunctionHandler { request in
            begun.record(request.path)
            await goOn.wait()
            return .text(request.path)
        }
        try await withHTTP2Client(handler) { client, _ in
            let streams = (0..<100).map { UInt32(2 * $0 + 1) }
            try await client.send(streams.map { .headers($0, Frame.get("/\($0)")) })
            try await expectEventually { begun.events.count == 100 }
            goOn.fire()
            for stream in streams.reversed() {
                #expect(try await client.response(on: stream).text == "/\(stream)")
            }
        }
    }

    @Test func `A response whose head is too large resets only its stream`() async throws {
        let handler = FunctionHandler { request in
            guard request.path == "/large" else { return .text("small") }
            return Response(headers: [.init("x-a")!: String(repeating: "a", count: 100_000)])
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1, Frame.get("/large")))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, ErrorCode.internalError.rawValue))
            #expect(try await client.exchange(3).text == "small")
        }
    }

    /// HTTP/1's way to say that this is the last response.
    @Test func `A handler can close the connection after its response`() async throws {
        let handler = FunctionHandler { _ in Response(headers: [.connection: "close"], body: .bytes([1])) }
        try await withHTTP2Client(handler) { client, _ in
            let response = try await client.exchange()
            #expect(response.body == [1] && response.fields["connection"] == nil)
            let ping = try #require(try await client.first(.ping))
            try await client.send(Frame(.ping, flags: Frame.acknowledgement, ping.payload))
            let frames = try await client.receiveToEnd()
            #expect(frames.last?.kind == .goAway && frames.last?.errorCode == 0)
            let end = await client.end
            #expect(end == .closed)
        }
    }
}
