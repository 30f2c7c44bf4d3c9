import TestSupport
import Testing

@testable import BacklotHTTP

/// No answer to HEAD has a body, refusals included (RFC 9110, section 9.3.2); a body that HEAD brings is framed like any.
@Suite(.timeLimit(.minutes(5))) struct HeadMethodTests {
    private static let echo = FunctionHandler { Response(body: .bytes(try await $0.body.collect() + [1, 2, 3])) }

    @Test(arguments: [
        "\r\n", "Content-Length: 0\r\n\r\n",
        "Content-Length: 47\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\nA: bcdefgh\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2f\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\nA: bcdefgh\r\n\r\n\r\n0\r\n\r\n",
    ])
    func `HEAD gets its response, and the next request is found`(_ rest: String) async throws {
        try await withTestServer(Self.echo) { server in
            for isBytewise in [false, true] {
                let client = try await RawClient.connect(to: server.address)
                let wire = "HEAD / HTTP/1.1\r\nHost: h\r\n" + rest + request()
                if isBytewise { try await client.sendByteByByte(wire) } else { try await client.send(wire) }
                let response = try await client.receive(responseTo: "HEAD")
                #expect(response.status == 200)
                #expect(response["Content-Length"] == (rest.contains("smuggled") ? "50" : "3"))
                #expect(try await client.receive().body == [1, 2, 3])
            }
        }
    }

    @Test(arguments: [
        ("A b\r\n\r\n", 400), ("Content-Length: x\r\n\r\n", 400), ("Host: i\r\n\r\n", 400), (" a\r\n\r\n", 400),
        ("Expect: x\r\n\r\n", 417), ("Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("Transfer-Encoding: chunked\r\n\r\nx", 400), ("Transfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
        ("Content-Length: 1048577\r\n\r\n", 413), ("A: \u{0}", 400),
        ("A: \(String(repeating: "a", count: 33_000))", 431),
    ])
    func `A refused HEAD has no body`(_ rest: String, _ status: Int) async throws {
        try await withTestServer(Self.echo) { server in
            // In one piece, and so that the head is worked on before its body comes.
            for isCut in [false, true] {
                let client = try await RawClient.connect(to: server.address)
                let pieces = isCut ? rest.components(cutAfter: "\r\n\r\n") : [rest]
                try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n")
                for piece in pieces {
                    await server.forEachConnection { _ in }
                    await server.forEachConnection { _ in }
                    try? await client.send(piece)
                }
                let response = try await client.receive(responseTo: "HEAD")
                #expect(response.status == status)
                #expect(response["Connection"] == "close")
                #expect(response["Content-Length"] != nil)
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
        }
    }

    @Test func `A HEAD that times out has no body`() async throws {
        try await withTestServer(configure: { $0.timeouts.head = .milliseconds(50) }, Self.echo) { server in
            let client = try await server.client(sending: "HEAD / HTTP/1.1\r\nHost: h\r\n")
            #expect(try await client.receive(responseTo: "HEAD").status == 408)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    /// What is known of the request before does not count.
    @Test func `A refusal after a HEAD has a body`() async throws {
        try await withTestClient(Self.echo) { client, _ in
            #expect(try await client.response(to: request("HEAD /") + "bad\r\n\r\n", method: "HEAD").status == 200)
            let response = try await client.receive()
            #expect(response.status == 400)
            #expect(response.text.hasPrefix("malformed request: "))
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }
}

extension String {
    /// The text up to the end of a separator, and the rest.
    fileprivate func components(cutAfter separator: String) -> [String] {
        guard let end = firstRange(of: separator)?.upperBound else { return [self] }
        return [String(self[..<end]), String(self[end...])]
    }
}
