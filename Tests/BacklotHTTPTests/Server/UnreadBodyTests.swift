import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct UnreadBodyTests {
    private static let handler = FunctionHandler { request in
        guard request.path == "/large" else { return .text(request.path) }
        return Response(body: .bytes([UInt8](repeating: 1, count: 1_500_000)))
    }

    /// Long enough for any machine: the client ends it.
    private static func waitsForClients(_ configuration: inout ServerConfiguration) {
        configuration.timeouts.linger = .seconds(30)
    }

    @Test(arguments: [1, 1000, 65_536])
    func `A small unread body is dropped, and the next request is found`(_ count: Int) async throws {
        try await withTestClient(Self.handler) { client, _ in
            let body = String(repeating: "b", count: count)
            #expect(try await client.response(to: request("POST /a", "Content-Length: \(count)")).text == "/a")
            try await client.send(body + request("POST /b", "Content-Length: \(count)", body: body) + request("GET /c"))
            #expect(try await client.receive(2).map(\.text) == ["/b", "/c"])
            try await client.sendByteByByte(request("POST /d", "Content-Length: 9") + "GET /x HT" + request("GET /e"))
            #expect(try await client.receive(2).map(\.text) == ["/d", "/e"])
        }
    }

    /// A chunked one that has not come yet could have any length.
    @Test(arguments: ["Content-Length: 65537", "Content-Length: 5000000", "Transfer-Encoding: chunked"])
    func `A large or chunked unread body closes the connection`(_ framing: String) async throws {
        try await withTestClient(Self.handler) { client, _ in
            let response = try await client.response(to: request("POST /a", framing))
            #expect(response.text == "/a")
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `A chunked body that has come is dropped`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            try await client.send(
                request("POST /a", "Transfer-Encoding: chunked", body: "1\r\na\r\n0\r\n\r\n") + request("GET /b")
            )
            #expect(try await client.receive(2).map(\.text) == ["/a", "/b"])
        }
    }

    /// A reset must not destroy the response while the client still sends, or has just stopped.
    @Test(arguments: ["/a", "/large"], [false, true])
    func `The response reaches a client that still sends its body`(_ path: String, _ closesItsSide: Bool) async throws {
        try await withTestServer(configure: Self.waitsForClients, Self.handler) { server in
            for _ in 0..<5 {
                let client = try await RawClient.connect(to: server.address, receiveBuffer: 16_384)
                let count = 700_000
                let wire = Array(request("POST \(path)", "Content-Length: \(count)").utf8)
                try await client.send(wire + [UInt8](repeating: 0, count: count))
                if closesItsSide { await client.shutdownSending() }
                let response = try await client.receive()
                #expect(response.status == 200)
                #expect(response["Connection"] == "close")
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
        }
    }

    @Test(arguments: [false, true])
    func `A refusal reaches a client that still sends`(_ closesItsSide: Bool) async throws {
        try await withTestServer(configure: Self.waitsForClients, Self.handler) { server in
            for _ in 0..<5 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(Array("bad\r\n".utf8) + [UInt8](repeating: 0, count: 700_000))
                if closesItsSide { await client.shutdownSending() }
                #expect(try await client.receive().status == 400)
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
        }
    }

    @Test func `A client that never stops sending is cut`() async throws {
        try await withTestClient(configure: { $0.timeouts.lingerInAll = .milliseconds(100) }, Self.handler) {
            client,
            _ in
            try await client.send(request("POST /a", "Transfer-Encoding: chunked"))
            await #expect(throws: RawClientError.self) {
                while true { try await client.send("1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n") }
            }
        }
    }

    @Test func `A small body that never comes times out`() async throws {
        try await withTestClient(
            configure: { $0.timeouts.body = .milliseconds(50) },
            Self.handler
        ) { client, _ async throws in
            #expect(try await client.response(to: request("POST /a", "Content-Length: 5", body: "b")).text == "/a")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `A client can go away in the middle of an unread body`() async throws {
        try await withTestServer(Self.handler) { server in
            for isReset in [false, true] {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.response(to: request("POST /a", "Content-Length: 5", body: "b")).text == "/a")
                if isReset { await client.reset() } else { await client.close() }
            }
        }
    }
}
