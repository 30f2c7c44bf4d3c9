import TestSupport
import Testing

@testable import BacklotHTTP

/// A refusal reaches a client that sends megabytes more before it looks at the answer: closing on top of unread bytes
/// would send a reset, which takes the answer with it (RFC 9112, section 9.6).
@Suite(.timeLimit(.minutes(5))) struct RefusalDeliveryTests {
    private static let more = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000_000)

    private static let refusals: [(start: String, status: Int)] = [
        ("bad\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nf4240\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3d0900\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n", 413),
        ("GET /", 414),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\nExpect: x\r\n\r\n", 417),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: ", 431),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\n\r\n", 505),
    ]

    @Test(arguments: [false, true])
    func reachesAClientThatSendsOn(_ closesItsSide: Bool) async throws {
        let requests = Recorder<String>()
        let handler = FunctionHandler { request in
            requests.record(request.path)
            return Response(body: .bytes(try await request.body.collect()))
        }
        // Long enough for any machine: the client ends it.
        try await withTestServer(configure: { $0.timeouts.linger = .seconds(30) }, handler) { server in
            for (start, status) in Self.refusals {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /before") + start)
                try await client.send(Self.more)
                try await client.send(request("GET /after"))
                if closesItsSide { await client.shutdownSending() }
                #expect(try await client.receive().status == 200, "\(start.debugDescription)")
                let answer = try await client.receive()
                #expect(answer.status == status, "\(start.debugDescription)")
                #expect(answer["Connection"] == "close", "\(start.debugDescription)")
                #expect(try await client.receiveToEnd() == ([], .closed), "\(start.debugDescription)")
                await client.close()
            }
            #expect(!requests.events.contains("/after"))
        }
    }
}
