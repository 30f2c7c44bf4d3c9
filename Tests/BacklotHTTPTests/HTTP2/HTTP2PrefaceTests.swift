import TestSupport
import Testing

@testable import BacklotHTTP

/// The start of HTTP/2 by prior knowledge (RFC 9113, sections 3.3 and 3.4).
@Suite(.timeLimit(.minutes(5))) struct HTTP2PrefaceTests {
    private static let path = FunctionHandler { .text($0.target) }

    @Test func `The server's first frames are its settings and its window`() async throws {
        try await withHTTP2Client(Self.path) { client, _ in
            let settings = try #require(try await client.next())
            #expect(settings.kind == .settings && settings.flags == 0)
            // MAX_CONCURRENT_STREAMS 100, MAX_HEADER_LIST_SIZE 32 KB, NO_RFC7540_PRIORITIES 1, ENABLE_CONNECT_PROTOCOL 1
            #expect(
                settings.payload == [0, 3, 0, 0, 0, 100, 0, 6, 0, 0, 0x80, 0, 0, 9, 0, 0, 0, 1, 0, 8, 0, 0, 0, 1]
            )
            let next = [try await client.next(), try await client.next()]
            #expect(next == [.settingsAcknowledgement, .windowUpdate(0, 256 * 1024 - 65_535)])
        }
    }

    /// Everything one byte at a time: the preface must not be taken for a request of HTTP/1.
    @Test func `A preface can come byte by byte`() async throws {
        try await withHTTP2Client(settings: nil, Self.path) { client, _ in
            let frames = Frame.settings().bytes() + Frame.headers(1, Frame.get("/a?b")).bytes()
            try await client.raw.sendByteByByte(Frame.preface + frames)
            #expect(try await client.response().text == "/a?b")
        }
    }

    /// RFC 9113 has no change of versions within a connection: such a request is one of HTTP/1.1.
    @Test(arguments: [HTTP2Support.off, .priorKnowledge])
    func `A request to upgrade is served in HTTP/1.1`(_ support: HTTP2Support) async throws {
        try await withTestClient(configure: { $0.http2 = support }, Self.path) { client, _ in
            let fields = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAQAAAAD"]
            let response = try await client.response(to: request("GET /a", fields[0], fields[1], fields[2]))
            #expect(response.status == 200 && response.text == "/a")
        }
    }

    @Test(arguments: [1, 3, 14, 15, 16, 17, 20, 23, 24, 25, 33, 40])
    func `A preface can come in two pieces`(_ cut: Int) async throws {
        try await withHTTP2Client(settings: nil, Self.path) { client, server in
            let wire = Frame.preface + Frame.settings().bytes() + Frame.headers(1).bytes()
            try await client.raw.send(Array(wire[..<cut]))
            try await expectEventually { await server.hasReceived(cut) }
            try await client.raw.send(Array(wire[cut...]))
            #expect(try await client.response().text == "/")
        }
    }

    @Test(arguments: [
        "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "PRI * HTTP/2.0\r\nHost: h\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ])
    func `Bytes that only begin like a preface end the connection`(_ start: String) async throws {
        try await withHTTP2Client(settings: nil, Self.path) { client, _ in
            try await client.raw.send(start + String(repeating: "\u{0}", count: 30))
            let frames = try await client.receiveToEnd()
            #expect(frames.last?.kind == .goAway && frames.last?.errorCode == ErrorCode.protocolError.rawValue)
            let end = await client.end
            #expect(end == .closed)
        }
    }

    /// RFC 9113, section 3.4: SETTINGS come first.
    @Test func `A preface without SETTINGS is an error`() async throws {
        try await withHTTP2Client(settings: nil, Self.path) { client, _ in
            try await client.raw.send(Frame.preface + Frame.ping().bytes())
            #expect(try await client.receiveToEnd().last?.errorCode == ErrorCode.protocolError.rawValue)
        }
    }

    /// A request of HTTP/1 has come before: a client that could put one there must not speak another protocol past a
    /// proxy.
    @Test(arguments: [false, true])
    func `A preface after a request is a 505`(_ isPipelined: Bool) async throws {
        try await withTestClient(Self.path) { client, _ in
            let preface = String(decoding: Frame.preface, as: UTF8.self)
            #expect(try await client.response(to: request("GET /a") + (isPipelined ? preface : "")).text == "/a")
            if !isPipelined { try await client.send(preface) }
            #expect(try await client.receive().status == 505)
            #expect(try await client.receiveToEnd().end == .closed)
        }
    }

    @Test func `A preface is a 505 if HTTP/2 is off`() async throws {
        try await withTestClient(configure: { $0.http2 = .off }, Self.path) { client, _ async throws in
            #expect(try await client.response(to: Frame.preface + Frame.settings().bytes()).status == 505)
            #expect(try await client.receiveToEnd().end == .closed)
        }
    }

    @Test func `Other requests of version 2.0 are refused`() async throws {
        try await withTestServer(Self.path) { server in
            for start in [
                "GET / HTTP/2.0\r\n\r\n", "PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
            ] {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.response(to: start).status == 505)
            }
        }
    }
}

extension RunningServer {
    /// Whether the only connection has read so many bytes of a preface, or speaks HTTP/2 already.
    fileprivate func hasReceived(_ count: Int) async -> Bool {
        let received = Recorder<Bool>()
        await forEachConnection { received.record($0.http2 != nil || $0.partial?.bytes.count == count) }
        return received.events == [true]
    }
}
