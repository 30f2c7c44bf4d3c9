import Backlot
import BacklotTesting
import TestSupport
import Testing

/// The client over HTTP/2: what it sends to a real server, and what it makes of frames that no server should send.
@Suite(.timeLimit(.minutes(5))) struct HTTP2TransportTests {
    /// The way to HTTP/2: prior knowledge in clear text, or agreement over TLS.
    enum Way: CaseIterable {
        case priorKnowledge, agreement
    }

    private func withClient(
        _ way: Way,
        _ handler: any Handler,
        _ body: (SocketTransport, String) async throws -> Void
    ) async throws {
        let authority = TestAuthority.shared
        let isSecure = way == .agreement
        let configuration = try isSecure ? authority.serverConfiguration : ServerConfiguration()
        try await withServer(handler, configuration: configuration) { address in
            var transport = try SocketTransport(trusting: authority.trust, versions: .http2)
            // Longer than the limits: who waits in vain fails.
            transport.continueWait = .seconds(60)
            try await body(transport, "\(isSecure ? "https" : "http")://localhost:\(address.port)")
        }
    }

    @Test(arguments: Way.allCases)
    func `A large request and a large response arrive whole`(way: Way) async throws {
        let echo = FunctionHandler { request in
            let body = try await request.body.collect(upTo: 8_000_000)
            var response = Response(status: .created, body: .bytes(body + body))
            response.headers[.server] = "\(request.method) \(request.target) \(request.headers[.accept] ?? "")"
            return response
        }
        try await withClient(way, echo) { transport, base in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let request = ClientRequest(
                .put,
                try HTTPURL("\(base)/a?b=c"),
                headers: [.accept: "x/y", .connection: "keep-alive"],
                body: bytes
            )
            let response = try await transport.response(to: request, limits: ClientLimits())
            #expect(response.status == .created)
            #expect(response.headers[.server] == "PUT /a?b=c x/y")
            #expect(response.body == bytes + bytes)
            #expect(response.firstByte <= response.total)
            var limits = ClientLimits()
            limits.body = 5_000_000
            await #expect(throws: ClientError.bodyTooLarge(limit: 5_000_000)) {
                _ = try await transport.response(to: request, limits: limits)
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `A body waits for 100 Continue, and isn't sent where it is refused`(way: Way) async throws {
        let handler = FunctionHandler { request in
            guard request.path == "/wanted" else { return .text("no", status: .forbidden) }
            return .text("\(try await request.body.collect(upTo: 1_000_000).count)")
        }
        try await withClient(way, handler) { transport, base in
            for (path, status, text) in [("/wanted", 200, "300000"), ("/unwanted", 403, "no")] {
                let request = ClientRequest(
                    .put,
                    try HTTPURL(base + path),
                    body: [UInt8](repeating: 7, count: 300_000),
                    waitsForContinue: true
                )
                let response = try await transport.response(to: request, limits: ClientLimits())
                #expect(response.status.code == status)
                #expect(response.text == text)
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `HEAD has no body, whatever its length says`(way: Way) async throws {
        let handler = FunctionHandler { _ in Response(body: .bytes([UInt8](repeating: 1, count: 100_000))) }
        try await withClient(way, handler) { transport, base in
            var limits = ClientLimits()
            limits.body = 1000
            let request = ClientRequest(.head, try HTTPURL("\(base)/"))
            let response = try await transport.response(to: request, limits: limits)
            #expect(response.headers[.contentLength] == "100000")
            #expect(response.body == [])
        }
    }

    @Test func `A server that speaks HTTP/1 alone over TLS is spoken to in that`() async throws {
        let authority = TestAuthority.shared
        var configuration = try authority.serverConfiguration
        configuration.http2 = .off
        try await withServer(FunctionHandler { _ in .text("ok") }, configuration: configuration) { address in
            let request = ClientRequest(.get, try HTTPURL("https://localhost:\(address.port)/"))
            let any = try SocketTransport(trusting: authority.trust)
            #expect(try await any.response(to: request, limits: ClientLimits()).text == "ok")
            let alone = try SocketTransport(trusting: authority.trust, versions: .http2)
            let failure = await #expect(throws: ClientError.self) {
                _ = try await alone.response(to: request, limits: ClientLimits())
            }
            guard case .notSecured? = failure else {
                Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
                return
            }
        }
    }

    // MARK: Bad servers

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ payload: [UInt8]) -> [UInt8] {
        [
            UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255), type, flags, 0, 0,
            0, stream,
        ]
            + payload
    }

    private static let settings = frame(4, stream: 0, [])
    /// `:status: 200`, and perhaps a length of 5.
    private static let head = frame(1, flags: 4, [0x88])
    private static let headOfFive = frame(1, flags: 4, [0x88, 0x0F, 0x0D, 1, UInt8(ascii: "5")])
    private static let ended: UInt8 = 1

    /// The bytes of a server, and the client's error; nil for bytes that aren't HTTP/2.
    static let bad: [(name: String, bytes: [UInt8], failure: ClientError?)] = [
        ("nothing", [], .cutShort(bodyBytes: nil)), ("settings alone", settings, .cutShort(bodyBytes: nil)),
        ("a head alone", settings + head, .cutShort(bodyBytes: 0)),
        ("a part of a body", settings + head + frame(0, Array("hel".utf8)), .cutShort(bodyBytes: 3)),
        (
            "a body shorter than its length", settings + headOfFive + frame(0, flags: ended, Array("hel".utf8)),
            .cutShort(bodyBytes: 3)
        ),
        ("a stream that is reset", settings + head + frame(3, [0, 0, 0, 2]), .cutShort(bodyBytes: 0)),
        (
            "a connection that is given up", settings + frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]),
            .cutShort(bodyBytes: nil)
        ),
        ("HTTP/1", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), nil), ("no settings first", head, nil),
        ("a head that is no HPACK", settings + frame(1, flags: 4, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), nil),
        ("a body before a head", settings + frame(0, Array("hel".utf8)), nil),
        ("a head without a status", settings + frame(1, flags: 5, []), nil),
        ("a frame larger than any", settings + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1], nil),
    ]

    @Test(arguments: bad)
    func `What no server should send`(bad: (name: String, bytes: [UInt8], failure: ClientError?)) async throws {
        let server = try RawServer { connection in
            _ = connection.receive(upTo: 1000)
            connection.send(bad.bytes)
        }
        defer { server.stop() }
        let request = ClientRequest(.get, try HTTPURL("http://\(server.address)/"))
        let failure = await #expect(throws: ClientError.self) {
            _ = try await SocketTransport(versions: .http2).response(to: request, limits: ClientLimits())
        }
        if let expected = bad.failure {
            #expect(failure == expected)
        } else if case .malformed(let what)? = failure {
            #expect(what.hasPrefix("it is not HTTP/2: "))
        } else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
        }
    }

    @Test func `Frames may come byte by byte after an interim response`() async throws {
        // 103 (Early Hints), then the response.
        let interim = Self.frame(1, flags: 4, [0x08, 3] + Array("103".utf8))
        let bytes = Self.settings + interim + Self.headOfFive + Self.frame(0, flags: Self.ended, Array("hello".utf8))
        let server = try RawServer { connection in
            _ = connection.receive(upTo: 1000)
            for byte in bytes { connection.send([byte]) }
            while !connection.receive(upTo: 1000).isEmpty {}
        }
        defer { server.stop() }
        let request = ClientRequest(.get, try HTTPURL("http://\(server.address)/"))
        let response = try await SocketTransport(versions: .http2).response(to: request, limits: ClientLimits())
        #expect(response.status == .ok)
        #expect(response.text == "hello")
    }

    @Test func `A head that is too large is an error`() async throws {
        let field: [UInt8] = [0x00, 1, UInt8(ascii: "a"), 100] + [UInt8](repeating: 98, count: 100)
        let list: [UInt8] = [0x88] + Array([[UInt8]](repeating: field, count: 100).joined())
        let server = try RawServer { connection in
            _ = connection.receive(upTo: 1000)
            connection.send(Self.settings + Self.frame(1, flags: 5, list))
        }
        defer { server.stop() }
        var limits = ClientLimits()
        limits.head = 1000
        let request = ClientRequest(.get, try HTTPURL("http://\(server.address)/"))
        await #expect(throws: ClientError.headTooLarge(limit: 1000)) {
            _ = try await SocketTransport(versions: .http2).response(to: request, limits: limits)
        }
    }
}
