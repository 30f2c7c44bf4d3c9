import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Every refusal is the last answer of its connection: what follows it must never reach a handler.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    private static let smuggled = request("GET /smuggled")

    private static let messages: [(wire: String, status: Int)] = [
        ("bad\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{0}", 400),
        ("\n\n", 400),
        ("GET /\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: h\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nA : b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: \u{0}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0,44\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 44\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 44\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0 \r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\n\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0;\n\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n", 400),
        ("GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", 417),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: \(String(repeating: "a", count: 33_000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n", 431),
        ("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
    ]

    @Test func `No bytes after a refusal are read as a request`() async throws {
        let paths = Recorder<String>()
        let handler = FunctionHandler { request in
            paths.record(request.path)
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withTestServer(handler) { server in
            for (wire, status) in Self.messages {
                for isBytewise in [false, true] where !isBytewise || wire.utf8.count < 1000 {
                    let client = try await RawClient.connect(to: server.address)
                    if isBytewise {
                        // The server may close before all is sent.
                        try? await client.sendByteByByte(bytes(wire + Self.smuggled))
                    } else {
                        try await client.send(bytes(request("GET /before") + wire + Self.smuggled + Self.smuggled))
                        #expect(try await client.receive().status == 200)
                    }
                    let response = try await client.receive()
                    #expect(response.status == status, "\(wire.prefix(120).debugDescription)")
                    #expect(response["Connection"] == "close")
                    #expect(response["Content-Type"] == "text/plain; charset=utf-8")
                    let (rest, _) = try await client.receiveToEnd()
                    #expect(rest == [])
                    await client.close()
                }
            }
            #expect(Set(paths.events).isSubset(of: ["/before", "/"]))
        }
    }

    @Test func `A request inside a body is part of the body`() async throws {
        let paths = Recorder<String>()
        let handler = FunctionHandler { request in
            paths.record(request.path)
            return .text(request.path)
        }
        try await withTestClient(handler) { client, _ in
            let count = Self.smuggled.utf8.count
            try await client.send(
                request("GET /a", "Content-Length: \(count)", body: Self.smuggled)
                    + request(
                        "GET /b",
                        "Transfer-Encoding: chunked",
                        body: "\(String(count, radix: 16))\r\n\(Self.smuggled)\r\n0\r\nHost: x\r\n\r\n"
                    ) + request("GET /c")
            )
            #expect(try await client.receive(3).map(\.text) == ["/a", "/b", "/c"])
            #expect(paths.events == ["/a", "/b", "/c"])
        }
    }

    // MARK: RefusalDelivery

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
    func `A refusal reaches a client that continues to send`(_ closesItsSide: Bool) async throws {
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
                let response = try await client.receive()
                #expect(response.status == status, "\(start.debugDescription)")
                #expect(response["Connection"] == "close", "\(start.debugDescription)")
                #expect(try await client.receiveToEnd() == ([], .closed), "\(start.debugDescription)")
            }
            #expect(!requests.events.contains("/after"))
        }
    }
}
