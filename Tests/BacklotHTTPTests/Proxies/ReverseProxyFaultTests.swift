import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Backends that fail.
@Suite(.timeLimit(.minutes(5))) struct ReverseProxyFaultTests {
    private static func bounds(idle: Duration) -> ClientBounds {
        ClientBounds(head: 1000, body: .max, idle: idle, total: nil)
    }

    /// The bytes that the backend sends before it closes, or its silence, and the response to the client.
    @Test(arguments: [
        ("", 502, "the connection ended before the head of the response was complete. Look into its log."),
        ("HTTP/1.1 200 OK\r\nContent-Le", 502, "the connection ended before the head of the response was complete."),
        ("SSH-2.0-x\r\n", 502, "the response is not HTTP: it doesn't begin as HTTP/1.1 does: \"SSH-2.0-x..\". Look"),
        (
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", 502,
            "the response is not HTTP: a line of its head begins with a blank, as no header field does."
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 502, "its Content-Lengths differ: 5, 6."),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", 502,
            "its Content-Length is not a number, or is too large: +5."
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", 502, "its transfer coding is unknown: gzip."),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", 502, "it changes to a protocol that nobody asked for."),
        ("HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 1000))\r\n\r\n", 502, "head is larger than 1000 bytes"),
        (
            "silence", 504,
            "it took too long: no byte came for 200 ms. It may be stuck, or too far away: look into its log."
        ),
    ])
    func `A backend that gives no response is a gateway error that says why`(
        _ sent: String,
        _ status: Int,
        _ text: String
    ) async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            if sent == "silence" { _ = connection.receive(upTo: 1) } else { connection.send(sent) }
        }
        let bounds = Self.bounds(idle: sent == "silence" ? .milliseconds(200) : .seconds(10))
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: server.address, bounds: bounds, observed: observed) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            let response = try await client.response(to: request("GET /a"))
            #expect(response.status == status)
            #expect(
                response.text.hasPrefix("http://\(server.address) did not respond to GET /a: ")
                    && response.text.contains(text)
            )
            await client.close()
        }
        #expect(observed.events.count == 1 && observed.events.first?.failure != nil)
        #expect(observed.events.first?.status.code == status)
    }

    @Test func `A backend that is not there is a 502`() async throws {
        let server = try RawServer { _ in }
        let address = server.address
        server.stop()
        try await expectEventually { (try? await RawClient.connect(to: address)) == nil }
        try await withProxy(to: address) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            let response = try await client.response(to: request())
            #expect(response.status == 502)
            #expect(response.text.hasSuffix("Start it there, or correct its address.\n"))
            await client.close()
        }
    }

    @Test func `A backend whose certificate is not trusted is a 502`() async throws {
        let server = try RawServer(tls: TestAuthority().issue()) { _ in }
        try await withProxy(to: server.address, scheme: "https") { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            let response = try await client.response(to: request())
            #expect(response.status == 502)
            #expect(
                response.text
                    == "https://localhost:\(server.address.port) did not respond to GET /: there is no secure connection: "
                    + "no trusted authority has issued the server's certificate. "
                    + "Correct its certificate, or configure it as trusted.\n"
            )
            await client.close()
        }
    }

    /// Responses that are cut: the client must notice.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n",
    ])
    func `A backend that doesn't finish its response cuts the client's connection`(_ sent: String) async throws {
        let isMalformed = sent.hasSuffix("x\r\n")
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send(sent)
            if !isMalformed { _ = connection.receive(upTo: 1) }
        }
        // A backend that falls silent must have sent what it sends in that time.
        let bounds = Self.bounds(idle: .seconds(isMalformed ? 10 : 3))
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: server.address, bounds: bounds, observed: observed) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            try await client.send(request("GET /", "Connection: close"))
            let (bytes, end) = try await client.receiveToEnd()
            let text = spelled(bytes)
            // The proxy may find the mistake before it sends the head.
            let isRefused = text.hasPrefix("HTTP/1.1 502 ") && text.contains("a chunk's size that is not")
            #expect(isRefused || text.contains("hello") && !text.hasSuffix("0\r\n\r\n"))
            #expect(end != .stillOpen)
            await client.close()
        }
        try await expectEventually { observed.events.count == 1 }
        #expect(observed.events.first?.failure != nil)
    }

    @Test func `A backend that sends a request back gets a 508`() async throws {
        let back = Locked<SocketAddress?>(nil)
        let server = try RawServer { connection in
            // It passes the head on as it came.
            let head = connection.receiveHead()
            let response = Signal()
            let text = Recorder<String>()
            let address = back.withLock { $0 }
            Task {
                if let address, let client = try? await RawClient.connect(to: address) {
                    try? await client.send(head)
                    text.record((try? await client.receive()).map { "\($0.status)" } ?? "none")
                    await client.close()
                }
                response.fire()
            }
            while !response.hasFired {}
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\(text.events.first ?? "---")")
        }
        try await withProxy(to: server.address) { proxy in
            back.withLock { $0 = proxy.address }
            let client = try await RawClient.connect(to: proxy.address)
            #expect(try await client.response(to: request()).text == "508")
        }
    }
}
