import Foundation
import TestSupport
import Testing

/// The program's responses, which suites of request cases rely on.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EchoResponseTests {
    private static let fields = "Host: h\r\nCookie: a=1; b=2\r\nX-Odd:  two  words \r\n"

    @Test(arguments: [
        ("GET / HTTP/1.1", "", "GET /\n"),
        ("GET /any/path?q=1 HTTP/1.1", "", "GET /any/path?q=1\n"),
        ("OPTIONS * HTTP/1.1", "", "OPTIONS *\n"),
        ("BREW /pot HTTP/1.1", "", "BREW /pot\n"),
        ("POST / HTTP/1.1", "hello", "hello"),
        ("GET / HTTP/1.1", "hello", "hello"),
        ("GET /echo HTTP/1.1", "", "Host: h\nCookie: a=1; b=2\nX-Odd: two  words\n"),
        ("GET /cookie HTTP/1.1", "", "a=1\nb=2\n"),
        ("GET /slow?ms=1 HTTP/1.1", "", "waited 1 ms\n"),
        ("GET /stream?n=2 HTTP/1.1", "", "line 0\nline 1\n"),
        ("GET /static/LICENSE HTTP/1.1", "", try! String(contentsOfFile: root + "LICENSE", encoding: .utf8)),
    ])
    func `A request is answered by its path`(line: String, body: String, expected: String) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--static", "."])
        let address = try #require(server.address())
        let client = try await RawClient.connect(to: address)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        let isEcho = line.contains("/echo")
        try await client.send("\(line)\r\n\(Self.fields)\(isEcho ? "" : length)\r\n\(body)")
        let response = try await client.receive()
        #expect(response.status == 200)
        #expect(response.text == expected)
        await client.close()
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }

    @Test(arguments: [
        "/", "/any/path?q=1", "/echo", "/cookie", "/slow?ms=1", "/stream?n=2", "/stream", "/static/LICENSE",
        "/static/nothing", "/redirect?to=/home", "/redirect", "/slow?ms=-1", "/stream?n=x",
    ])
    func `HEAD and GET agree`(target: String) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--static", "."])
        let address = try #require(server.address())
        let client = try await RawClient.connect(to: address)
        var responses: [ReceivedResponse] = []
        for method in ["GET", "HEAD"] {
            try await client.send("\(method) \(target) HTTP/1.1\r\n\(Self.fields)\r\n")
            responses.append(try await client.receive(responseTo: method))
        }
        let heads = responses.map { $0.fields.filter { $0.name != "Date" } }
        #expect(responses[0].status == responses[1].status)
        #expect(heads[0] == heads[1])
        #expect(responses[1].body.isEmpty)
        await client.close()
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }

    @Test(arguments: [
        ("/redirect?to=/home", 302, ""),
        ("/redirect", 400, "say where: /redirect?to=/"),
        ("/slow?ms=-1", 400, "ms is '-1': write a number from 0 to 60000"),
        ("/static/../LICENSE", 404, "nothing answers at /static/../LICENSE"),
        (
            "/redirect?to=%2F%0D%0AX:1", 400,
            "'/\\r\\nX:1' can't be the value of Location: it takes no control characters and no blanks around it"
        ),
    ])
    func `What can't be answered says why`(target: String, status: Int, text: String) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--static", "Sources"])
        let address = try #require(server.address())
        let client = try await RawClient.connect(to: address)
        try await client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try await client.receive()
        #expect(response.status == status)
        #expect(response.text == text)
        if status == 302 { #expect(response["Location"] == "/home") }
        await client.close()
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }
}

private let root =
    URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/"
