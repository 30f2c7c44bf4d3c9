import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Spaces, line ends, NUL and their like at every offset of what a request line is made of: no handler sees such a request,
/// and no backend behind a proxy.
@Suite(.timeLimit(.minutes(5))) struct ControlByteTests {
    private static let intruders: [[UInt8]] = [
        [0x20], [0x0D], [0x0A], [0x00], [0x09], [0x0B], [0x0C], [0x7F], [0x80], [0x85], [0xA0], [0x0D, 0x0A],
        Array(" HTTP/1.1\r\nX: y\r\n\r\nGET /smuggled".utf8),
    ]
    private static let path = "/a/b?c=d"

    /// The text with an intruder at each offset.
    private static func spoiled(_ text: String, from start: Int = 0) -> [String] {
        let text = bytes(text)
        return intruders.flatMap { intruder in
            (start...text.count).map { spelled(text[..<$0] + intruder + text[$0...]) }
        }
    }

    /// Each with the value of one pseudo-header field spoiled, or the name or the value of another field.
    private static let lists: [[(String, String)]] =
        spoiled(path).map { Frame.get($0) }
        + spoiled("GET").map { Frame.get("/", method: $0) }
        + spoiled("h:80").map { Frame.get("/", authority: $0) }
        + spoiled("h:80").map { Frame.get("/", authority: nil, ("host", $0)) }
        + spoiled("ab").map { Frame.get("/", ($0, "c")) }
        + ["\r", "\n", "\u{0}", "\r\nx: y"].flatMap { text in
            ["\(text)ab", "a\(text)b", "ab\(text)"].map { Frame.get("/", ("c", $0)) }
        }

    private static let heads: [String] =
        spoiled(path).map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
        // An empty line before a request doesn't belong to it (RFC 9112, section 2.2).
        + spoiled("GET", from: 1).map { "\($0) / HTTP/1.1\r\nHost: h\r\n\r\n" }
        + spoiled("HTTP/1.1").map { "GET / \($0)\r\nHost: h\r\n\r\n" }
        + spoiled("http://h:80/a").map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }
        + spoiled("Host").map { "GET / HTTP/1.1\r\n\($0): h\r\n\r\n" }

    @Test(arguments: TestTransport.allCases)
    func `No handler sees control bytes from HTTP/2`(_ transport: TestTransport) async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.target)
            return Response()
        }
        try await withTestServer(over: transport, handler) { server in
            try await sendLists(to: server, transport)
            #expect(seen.events == [])
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `No handler sees control bytes from HTTP/1`(_ transport: TestTransport) async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.target)
            return Response()
        }
        try await withTestServer(over: transport, handler) { server in
            try await sendHeads(to: server, transport)
            #expect(seen.events == [])
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `No control byte reaches a backend`(_ transport: TestTransport) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address, over: transport) { server in
            try await sendLists(to: server, transport)
            try await sendHeads(to: server, transport)
            #expect(backend.requests.events.map(\.line) == [])
        }
    }

    private func sendLists(to server: RunningServer, _ transport: TestTransport) async throws {
        var rest = Self.lists[...]
        while !rest.isEmpty {
            let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
            // A client may not make any number of mistakes.
            let some = Array(rest.prefix(50))
            rest = rest.dropFirst(some.count)
            for (index, list) in some.enumerated() {
                let stream = UInt32(2 * index + 1)
                try await client.send(.headers(stream, list))
                let frame = try await client.first { $0.stream == stream }
                if frame?.kind == .headers {
                    #expect(await client.status(on: stream) == 400, "\(list)")
                } else {
                    #expect(frame == .reset(stream, ErrorCode.protocolError.rawValue), "\(list)")
                }
            }
            await client.close()
        }
    }

    private func sendHeads(to server: RunningServer, _ transport: TestTransport) async throws {
        // A handshake for each takes its time.
        for index in stride(from: 0, to: Self.heads.count, by: transport == .tls ? 7 : 1) {
            let head = Self.heads[index]
            let client = try await RawClient.connect(to: server.address, tls: transport.http1)
            let response = try await client.response(to: bytes(head + head))
            #expect([400, 505].contains(response.status), "\(head.debugDescription)")
            #expect(try await client.receiveToEnd() == ([], .closed), "\(head.debugDescription)")
        }
    }
}
