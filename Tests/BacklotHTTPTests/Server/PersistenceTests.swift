import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct PersistenceTests {
    private static let echoPath = FunctionHandler { .text($0.path) }

    @Test func `Many requests share one connection`() async throws {
        try await withTestClient(Self.echoPath) { client, server in
            for number in 0..<20 {
                let response = try await client.response(to: request("GET /\(number)"))
                #expect(response.status == 200)
                #expect(response.text == "/\(number)")
                #expect(response["Connection"] == nil)
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `Requests can come one byte at a time`() async throws {
        try await withTestClient(handler: { .text("\($0.path) \(try await $0.body.collect().count)") }) { client, _ in
            try await client.sendByteByByte(
                "\r\n" + request("GET /a", "A: b") + request("POST /b", "Content-Length: 5", body: "hello")
                    + request(
                        "POST /c",
                        "Transfer-Encoding: chunked",
                        body: "3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nT: u\r\n\r\n"
                    )
                    + request("GET /d")
            )
            #expect(try await client.receive(4).map(\.text) == ["/a 0", "/b 5", "/c 4", "/d 0"])
        }
    }

    @Test(arguments: ["close", "Close", "x, close"])
    func `The connection closes when the client asks`(_ value: String) async throws {
        try await withTestClient(Self.echoPath) { client, _ in
            let response = try await client.response(to: request("GET /a", "Connection: \(value)") + request("GET /b"))
            #expect(response.text == "/a")
            #expect(response["Connection"] == "close")
            let (rest, end) = try await client.receiveToEnd()
            #expect(rest == [])
            #expect(end == .closed)
        }
    }

    @Test func `The connection closes when the handler asks`() async throws {
        try await withTestClient(
            handler: { _ in Response(headers: [.connection: "close"]) }
        ) { client, _ async throws in
            #expect(try await client.response(to: request() + request())[values: "Connection"] == ["close"])
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `An HTTP/1.0 connection closes unless the client asks to keep it`() async throws {
        try await withTestClient(Self.echoPath) { kept, _ in
            for _ in 0..<2 {
                let response = try await kept.response(to: "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(response.text == "/a")
                #expect(response["Connection"] == "keep-alive")
            }
            let last = try await kept.response(to: "GET /b HTTP/1.0\r\n\r\n")
            #expect(last.text == "/b")
            #expect(last["Connection"] == "close")
            #expect(try await kept.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `An HTTP/1.0 response of unknown length ends with the connection`() async throws {
        let handler = streaming { writer in
            try await writer.write("hel")
            try await writer.write("lo")
        }
        try await withTestClient(handler) { client, _ in
            let response = try await client.response(to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(response.text == "hello")
            #expect(response["Connection"] == "close")
            #expect(response["Transfer-Encoding"] == nil)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `A response to HEAD has no body`() async throws {
        let called = Signal()
        let handler = FunctionHandler { request in
            switch request.path {
            case "/bytes": return .text("hello")
            case "/sized": return Response(body: .stream(length: 7) { _ in called.fire() })
            case "/unsized": return Response(body: .stream { _ in called.fire() })
            default: throw RequestError.malformed("x")
            }
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(["/bytes", "/sized", "/unsized"].map { request("HEAD \($0)") }.joined())
            #expect(try await client.receive(responseTo: "HEAD")["Content-Length"] == "5")
            #expect(try await client.receive(responseTo: "HEAD")["Content-Length"] == "7")
            #expect(try await client.receive(responseTo: "HEAD")["Transfer-Encoding"] == "chunked")
            try await client.send("HEAD /unsized HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.receive(responseTo: "HEAD")["Connection"] == "keep-alive")
            #expect(try await client.response(to: request("HEAD /error"), method: "HEAD").status == 400)
            #expect(try await client.receiveToEnd() == ([], .closed))
            #expect(!called.hasFired)
        }
    }

    @Test func `A 204 and a 304 have no body`() async throws {
        let handler = FunctionHandler {
            Response(status: $0.path == "/204" ? .noContent : .notModified, body: .bytes([1]))
        }
        try await withTestClient(handler) { client, _ in
            try await client.send(request("GET /204") + request("GET /304") + request("GET /204"))
            #expect(try await client.receive(3).map(\.status) == [204, 304, 204])
        }
    }

    @Test func `The date is now`() async throws {
        try await withTestClient(Self.echoPath) { client, _ in
            let before = HTTPDate.now
            let line = try #require(try await client.response(to: request())["Date"])
            let after = HTTPDate.now
            let date = try #require(HTTPDate(line))
            #expect(before <= date && date <= after, "\(line), between \(before) and \(after)")
            #expect(line == date.description)
        }
    }

    @Test func `A server can listen on IPv6`() async throws {
        try await withTestServer(host: "::1", FunctionHandler { .text($0.remoteAddress.host) }) { server in
            #expect(server.address.family == .ipv6)
            let client = try await RawClient.connect(to: server.address)
            #expect(try await client.response(to: "GET http://[::1]:80/ HTTP/1.1\r\nHost: [::1]\r\n\r\n").text == "::1")
        }
    }

    @Test func `An IPv6 server of every interface serves IPv4`() async throws {
        try await withTestServer(host: "::", FunctionHandler { .text($0.remoteAddress.host) }) { server in
            let address = try #require(SocketAddress(host: "127.0.0.1", port: server.address.port))
            let client = try await RawClient.connect(to: address)
            #expect(try await client.response(to: request()).text == "127.0.0.1")
        }
    }
}
