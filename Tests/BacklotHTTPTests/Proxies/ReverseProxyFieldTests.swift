import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// The head of messages that go through a proxy (RFC 9110, section 7.6).
@Suite(.timeLimit(.minutes(5))) struct ReverseProxyFieldTests {
    /// What a client sends, and the head that the backend gets, `Host` left out.
    @Test(arguments: [
        ("GET /a?b=%20c HTTP/1.1\r\nHost: h\r\nX: 1\r\nx: 2", "GET /a?b=%20c HTTP/1.1|X: 1|x: 2"),
        ("GET http://other/a?b HTTP/1.1\r\nHost: other", "GET /a?b HTTP/1.1"),
        ("OPTIONS * HTTP/1.1\r\nHost: h", "OPTIONS * HTTP/1.1"),
        ("GET / HTTP/1.0\r\nHost: h", "GET / HTTP/1.1"),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: close, x-Own, Host ,Content-Length\r\nX-Own: 1\r\nX-Other: 2",
            "GET / HTTP/1.1|X-Other: 2"
        ),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: Via, Forwarded\r\nA: 1", "GET / HTTP/1.1|A: 1"),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\nTE: trailers\r\n"
                + "Trailer: X\r\nProxy-Connection: close\r\nHTTP2-Settings: AAAA",
            "GET / HTTP/1.1"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br\r\nRange: bytes=0-1\r\nIf-None-Match: \"a\"\r\nCookie: a=1",
            "GET / HTTP/1.1|Accept-Encoding: br|Range: bytes=0-1|If-None-Match: \"a\"|Cookie: a=1"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nCookie: a=1\r\nA: 1\r\nCookie: b=2",
            "GET / HTTP/1.1|Cookie: a=1; b=2|A: 1"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nForwarded: for=1.2.3.4\r\nX-Forwarded-For: 1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\nA: 1",
            "GET / HTTP/1.1|A: 1"
        ),
        ("GET / HTTP/1.1\r\nHost: h\r\nProxy: http://evil.test/\r\npROXY: a\r\nA: 1", "GET / HTTP/1.1|A: 1"),
        // Backends that get fields as variables can't tell these from what is dropped.
        (
            "GET / HTTP/1.1\r\nHost: h\r\nX_Forwarded_For: 1.2.3.4\r\nX-Forwarded_Host: a\r\nx.real.ip: 1.2.3.4\r\nX_Real-IP: 1"
                + "\r\nTransfer_Encoding: chunked\r\ncontent_length: 7\r\nKeep_Alive: 5\r\nProxy~Connection: a\r\nA: 1",
            "GET / HTTP/1.1|A: 1"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\napi_key: 1\r\nX_Forwarder: 2\r\nX_Real_IPs: 3\r\n_: 4\r\nX_Forwarded_: 5",
            "GET / HTTP/1.1|api_key: 1|X_Forwarder: 2|X_Real_IPs: 3|_: 4"
        ),
        ("OPTIONS /a HTTP/1.1\r\nHost: h\r\nMax-Forwards: 3", "OPTIONS /a HTTP/1.1|Max-Forwards: 2"),
        ("GET /a HTTP/1.1\r\nHost: h\r\nMax-Forwards: 0", "GET /a HTTP/1.1|Max-Forwards: 0"),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0", "POST / HTTP/1.1|Content-Length: 0"),
        ("DELETE / HTTP/1.1\r\nHost: h", "DELETE / HTTP/1.1"),
        ("GET / HTTP/1.1\r\nHost: h\r\nA: \u{E4}\u{FF}", "GET / HTTP/1.1|A: \u{E4}\u{FF}"),
    ])
    func `A backend gets a request's fields without those of its connection`(
        _ sent: String,
        _ expected: String
    ) async throws {
        let backend = try HeadBackend()
        try await withProxy(to: backend.address) { server in
            let client = try await RawClient.connect(to: server.address)
            #expect(try await client.response(to: bytes(sent + "\r\n\r\n")).status == 200)
        }
        let head = try #require(backend.heads.events.first).split(separator: "\r\n").map { String($0) }
        #expect(head[1] == "Host: \(backend.address)")
        let hasLength = head.last == "Content-Length: 0"
        let added = head.dropLast(hasLength ? 1 : 0).suffix(2)
        let version = sent.contains("HTTP/1.0") ? "1.0" : "1.1"
        let host = sent.contains("Host: other") ? "other" : "h"
        #expect(added.first == "Forwarded: for=127.0.0.1;host=\(host);proto=http")
        #expect(added.last?.hasPrefix("Via: \(version) backlot-") == true)
        let passed = head[2...].filter { !added.contains($0) }
        #expect(([head[0]] + passed).joined(separator: "|") == expected)
    }

    /// What the backend answers, and what the client gets, `Via` left out.
    @Test(arguments: [
        ("200 OK\r\nContent-Length: 2\r\nX: 1\r\nx: 2\r\n\r\nok", "200 OK|Content-Length: 2|X: 1|x: 2|ok"),
        (
            "201 Fine\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 2\r\n\r\nok",
            "201 Fine|Content-Length: 2|Date: Sun, 06 Nov 1994 08:49:37 GMT|ok"
        ),
        (
            "200 OK\r\nConnection: x-own, close\r\nX-Own: 1\r\nKeep-Alive: 1\r\nUpgrade: h2\r\nContent-Length: 0\r\n\r\n",
            "200 OK|Content-Length: 0|"
        ),
        (
            "200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n",
            "200 OK|Content-Length: 2|ok"
        ),
        (
            "200 OK\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\nContent-Length: 3\r\n\r\n\u{1F}\u{8B}\u{0}",
            "200 OK|Content-Length: 3|Content-Encoding: gzip|Vary: Accept-Encoding|\u{1F}\u{8B}\u{0}"
        ),
        ("204 No Content\r\n\r\n", "204 No Content|"),
        ("304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\n", "304 Not Modified|ETag: \"a\"|"),
        ("205 Reset Content\r\nContent-Length: 0\r\n\r\n", "205 Reset Content|Content-Length: 0|"),
        (
            "206 Partial Content\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nok",
            "206 Partial Content|Content-Length: 2|Content-Range: bytes 0-1/9|ok"
        ),
        (
            "200 OK\r\nStrict-Transport-Security: max-age=9\r\nAlt-Svc: h3=\":443\"\r\nContent-Length: 0\r\n\r\n",
            "200 OK|Content-Length: 0|"
        ),
        (
            "103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 418 I'm a teapot\r\nContent-Length: 0\r\n\r\n",
            "418 I'm a teapot|Content-Length: 0|"
        ),
        ("200 OK\r\nX: \u{E4}\u{FF}\r\nContent-Length: 0\r\n\r\n", "200 OK|Content-Length: 0|X: \u{E4}\u{FF}|"),
        ("200 OK\r\nX: a\u{1}b\rc\r\nContent-Length: 0\r\n\r\n", "200 OK|Content-Length: 0|X: a b c|"),
        (
            "200 OK\r\nSet-Cookie: a=1 ; Secure\r\nx: \t 1 \t\r\nContent-Length: 0\r\n\r\n",
            "200 OK|Content-Length: 0|Set-Cookie: a=1|x: 1|"
        ),
        ("200 OK\r\nProxy: x\r\nContent-Length: 0\r\n\r\n", "200 OK|Content-Length: 0|Proxy: x|"),
    ])
    func `A client gets a response's fields without those of its connection`(
        _ sent: String,
        _ expected: String
    ) async throws {
        let backend = try RecordingBackend { _ in "HTTP/1.1 \(sent)" }
        try await withProxy(to: backend.address) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET /", "Connection: close"))
            let response = spelled(try await client.receiveToEnd().bytes)
            await client.close()
            let end = try #require(response.firstRange(of: "\r\n\r\n"))
            let lines = response[..<end.lowerBound].split(separator: "\r\n").map { String($0) }
            #expect(lines.count { $0.hasPrefix("Via: 1.1 backlot-") } == 1)
            let isOld = sent.contains("1994")
            let kept = lines.filter {
                !$0.hasPrefix("Via:") && $0 != "Connection: close" && (isOld || !$0.hasPrefix("Date:"))
            }
            let text = (kept + [String(response[end.upperBound...])]).joined(separator: "|")
            #expect(text == "HTTP/1.1 \(expected)")
        }
    }

    /// A comparison of each field with each option would take longer than the time limit.
    @Test func `A backend's response may have many fields, and a Connection field with many options`() throws {
        var fields = FieldList()
        let options = (0..<200_000).map { "x-a-long-name-of-a-field-\($0)" }
        fields.append("Connection", options.joined(separator: ", "))
        fields.append("X-A-Long-Name-Of-A-Field-77", "1")
        for _ in 0..<60_000 { fields.append("X-A-Long-Name-Of-A-Field-Too", "2") }
        let origin = try #require(Origin("http://back:81"))
        let kept = BackendResponse(origin: origin, isSecure: false).fields(of: fields)
        #expect(kept.count == 60_000 && kept["x-a-long-name-of-a-field-77"] == nil)
    }

    @Test func `A handler may change the fields of a backend's response`() throws {
        var fields = FieldList()
        for (name, value) in [("Date", "then"), ("X", "1"), ("Connection", "x"), ("x", "2")] as [(StaticString, String)]
        {
            fields.append(name, value)
        }
        func written(_ response: Response) -> String {
            let date = Array("Date: now\r\n".utf8)
            var bytes: [UInt8] = []
            ResponseEncoder(isHead: false, isHTTP10: false, isPersistent: true, dateLine: date).write(
                response,
                into: &bytes
            )
            return spelled(bytes)
        }
        var response = Response(status: .ok, passing: fields)
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nDate: then\r\nX: 1\r\nx: 2\r\n"
        #expect(written(response) == start + "\r\n")
        #expect(response.headers[values: try #require(HTTPField.Name("X"))] == ["1", "2"])
        response.headers[.contentType] = "a/b"
        #expect(written(response) == start + "Content-Type: a/b\r\n\r\n")
        response.headers[.date] = nil
        #expect(written(response).hasPrefix("HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\nX: 1\r\n"))
    }

    @Test func `A proxy that is believed may say who is behind it`() async throws {
        let heads = try HeadBackend()
        try await withProxy(
            to: heads.address,
            configure: { $0.trustedProxies = AddressRange.loopback },
            { server in
                let client = try await RawClient.connect(to: server.address)
                try await client.send(
                    request(
                        "GET /",
                        "Forwarded: for=1.2.3.4;proto=https",
                        "X-Forwarded-For: 1.2.3.4",
                        // No proxy writes it like this: a client has sent it.
                        "X_Forwarded_For: 6.6.6.6",
                        "Via: 1.1 front"
                    )
                )
                #expect(try await client.receive().status == 200)
            }
        )
        let head = try #require(heads.heads.events.first)
        #expect(
            head.contains("\r\nForwarded: for=1.2.3.4;proto=https\r\nX-Forwarded-For: 1.2.3.4\r\nVia: 1.1 front\r\n")
        )
        #expect(head.contains("\r\nForwarded: for=127.0.0.1;host=h;proto=https\r\nVia: 1.1 backlot-"))
        #expect(!head.contains("6.6.6.6"))
    }

    @Test func `HEAD says what GET would get`() async throws {
        let backend = try RecordingBackend { request in
            request.line.hasPrefix("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"a\"\r\n\r\n" : nil
        }
        try await withProxy(to: backend.address) { server in
            let client = try await RawClient.connect(to: server.address)
            for _ in 0..<2 {
                let response = try await client.response(to: request("HEAD /"), method: "HEAD")
                #expect(response["Content-Length"] == "1000" && response["ETag"] == "\"a\"" && response.body.isEmpty)
            }
            await client.close()
        }
        #expect(backend.connections.events.count == 1)
    }

    @Test(arguments: [
        ("OPTIONS", 204, ""), ("TRACE", 200, "TRACE /a HTTP/1.1\r\nHost: h\r\nMax-Forwards: 0\r\n\r\n"),
    ])
    func `A request that may not go on is answered here`(_ method: String, _ status: Int, _ text: String) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address) { server in
            let client = try await RawClient.connect(to: server.address)
            let response = try await client.response(to: request("\(method) /a", "Max-Forwards: 0", "Cookie: a=1"))
            #expect(response.status == status && response.text == text)
            await client.close()
        }
        #expect(backend.requests.events.isEmpty)
    }

    /// Where the backend sends clients, and where the proxy does.
    @Test(arguments: [
        ("http://back:81/", "/"), ("http://back:81", "/"), ("http://BACK:81/v1/a?b#c", "/a?b#c"),
        ("http://back:81/v1", "/"), ("http://back:81?a", "/?a"), ("http://back:81/v2/a", "/v2/a"),
        ("/v1/a", "/a"), ("/v1", "/"), ("/v10", "/v10"), ("/other", "/other"), ("a/b", "a/b"), ("?a", "?a"),
        ("http://back/", "http://back/"), ("https://back:81/", "https://back:81/"),
        ("http://other/v1", "http://other/v1"),
        ("//back:81/a", "//back:81/a"), ("http://back:81/v1//evil", "/.//evil"), ("http://back:81//evil/", "/.//evil/"),
        ("http://back:81/\\evil", "/./\\evil"), ("/v1/\\evil", "/./\\evil"),
        ("http://u@back:81/", "http://u@back:81/"), ("mailto:a@b", "mailto:a@b"), ("", ""),
    ])
    func `Redirects to the backend lead to the proxy`(_ sent: String, _ expected: String) throws {
        let response = BackendResponse(origin: try #require(Origin("http://back:81/v1")), isSecure: false)
        #expect(response.location(sent) == expected)
    }

    @Test(arguments: [
        ("a=b", "a=b", "a=b"),
        ("a=b; Domain=back.example.com; Path=/v1/x; HttpOnly", "a=b; Path=/x; HttpOnly", "a=b; Path=/x; HttpOnly"),
        ("a=b; domain=.example.com;Secure;SameSite=Lax", "a=b;SameSite=Lax", "a=b;Secure;SameSite=Lax"),
        ("a=b; Domain=ample.com", "a=b; Domain=ample.com", "a=b; Domain=ample.com"),
        ("a=b; Secure; SameSite=None; Partitioned", "a=b", "a=b; Secure; SameSite=None; Partitioned"),
        ("secure; secure", "secure", "secure; secure"), ("a=b; Path=/v1", "a=b; Path=/", "a=b; Path=/"),
        ("a=b; Path=/", "a=b; Path=/", "a=b; Path=/"),
    ])
    func `Cookies are the proxy's`(_ sent: String, _ inClearText: String, _ overTLS: String) throws {
        let origin = try #require(Origin("https://back.example.com/v1"))
        #expect(BackendResponse(origin: origin, isSecure: false).cookie(sent) == inClearText)
        #expect(BackendResponse(origin: origin, isSecure: true).cookie(sent) == overTLS)
    }

    @Test(arguments: [
        ("http://h", "h", 80, "", "h"), ("https://h/", "h", 443, "", "h"),
        ("http://h:81/a/b/", "h", 81, "/a/b", "h:81"),
        ("HTTPS://[::1]:8443", "::1", 8443, "", "[::1]:8443"), ("http://[::1]", "::1", 80, "", "[::1]"),
    ])
    func `An origin has a host, a port, a base path and an authority`(
        _ url: String,
        _ host: String,
        _ port: UInt16,
        _ path: String,
        _ authority: String
    ) throws {
        let origin = try #require(Origin(url))
        #expect(origin.host == host && origin.port == port && origin.basePath == path && origin.authority == authority)
    }

    @Test(arguments: [
        "", "h", "ftp://h", "http://", "http:///a", "http://h:", "http://h:x", "http://h:65536", "http://u@h",
        "http://h/?a", "http://h/#a", "http://h /", "http://[::1", "http://a:b:1", "http://h/\r\nA: b",
    ])
    func `What is no origin`(_ url: String) {
        #expect(Origin(url) == nil)
    }
}

/// A backend that remembers the heads it gets, byte for byte.
private final class HeadBackend: Sendable {
    let heads = Recorder<String>()
    private let server: RawServer

    init() throws {
        let heads = heads
        server = try RawServer { connection in
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = connection.receive(upTo: 1).first {
                head.append(byte)
            }
            heads.record(spelled(head))
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
    }

    var address: SocketAddress { server.address }
}
