import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clear text on a port of TLS, and what sends clients from http to https.
@Suite(.timeLimit(.minutes(5))) struct StrayClearTextTests {
    private static let handler = FunctionHandler { request in
        .text("\(request.scheme(trusting: [])) \(request.path)")
    }

    private static func ask(_ text: String) async throws -> (ReceivedResponse, ConnectionEnd) {
        var response: ReceivedResponse?
        var end = ConnectionEnd.stillOpen
        try await withTestClient(
            configure: {
                $0.tls = TestTLS.configuration
                $0.tls?.clearTextPath = "/__tls"
            },
            handler
        ) { client, _ in
            try await client.send(text)
            response = try await client.receive(responseTo: text.hasPrefix("HEAD") ? "HEAD" : "GET")
            end = try await client.receiveToEnd().end
        }
        return (try #require(response), end)
    }

    @Test(arguments: [
        ("GET /a?b=c", "speak https here: https://h/a\n"), ("POST /__tls", "speak https here: https://h/__tls\n"),
        ("GET /__tlsx", "speak https here: https://h/__tlsx\n"),
        ("GET /__tls/../a", "speak https here: https://h/__tls/../a\n"),
        ("GET /__tls/%2e%2e/a", "speak https here: https://h/__tls/%2e%2e/a\n"),
    ])
    func `A request in clear text learns the https URL`(_ line: String, _ text: String) async throws {
        let (response, end) = try await Self.ask(request(line))
        #expect(response.status == 400)
        #expect(response.text == text + "to trust this server first: http://h/__tls\n")
        #expect(response["Connection"] == "close" && end == .closed)
    }

    @Test(arguments: ["GET /__tls", "GET /__tls/ca.crt", "HEAD /__tls"])
    func `Paths for devices without trust get responses`(_ line: String) async throws {
        let (response, end) = try await Self.ask(request(line))
        #expect(response.status == 200 && response["Connection"] == "close" && end == .closed)
        #expect(line.hasPrefix("HEAD") || response.text == "http " + line.dropFirst(4))
    }

    @Test func `A malformed request in clear text is a 400`() async throws {
        #expect(try await Self.ask("nonsense\r\n\r\n").0.status == 400)
        // Without TLS, HTTP/2 isn't spoken on this port.
        let upgrade = request(
            "GET /",
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAMAAABk"
        )
        #expect(try await Self.ask(upgrade).0.status == 400)
    }

    // MARK: Redirects

    @Test(arguments: [
        ("/a?b=c", "example.com:8080", 443, "https://example.com/a?b=c"),
        ("/", "example.com", 8443, "https://example.com:8443/"),
        ("/a", "[::1]:8080", 8443, "https://[::1]:8443/a"), ("/a", "127.0.0.1", 443, "https://127.0.0.1/a"),
    ])
    func `A redirect keeps the host, the path and the query`(
        _ target: String,
        _ host: String,
        _ port: Int,
        _ location: String
    ) throws {
        var headers = HTTPFields()
        try headers.set("Host", to: host)
        let request = try Request(.post, target, headers: headers)
        guard case .ready(let response) = RedirectToHTTPS(port: port).respond(to: request) else { return }
        #expect(response.status == .permanentRedirect && response.headers[.location] == location)
    }

    // MARK: Schemes

    @Test(arguments: [
        ([:], "http"), (["X-Forwarded-Proto": "https"], "https"), (["X-Forwarded-Proto": "https, http"], "http"),
        (["Forwarded": "proto=https"], "https"), (["Forwarded": "proto=https", "X-Forwarded-Proto": "http"], "http"),
    ])
    func `A trusted proxy names the scheme`(_ fields: [String: String], _ scheme: String) throws {
        var headers = HTTPFields()
        for (name, value) in fields { try headers.set(name, to: value) }
        let request = try Request(.get, "/", headers: headers)
        #expect(request.scheme(trusting: AddressRange.loopback) == scheme)
        #expect(request.scheme(trusting: []) == "http")
    }

    @Test func `A trusted proxy's scheme replaces that of its TLS connection`() async throws {
        let handler = FunctionHandler { request in
            .text("own \(request.scheme(trusting: [])), trusted \(request.scheme(trusting: AddressRange.loopback))")
        }
        try await withTestClient(
            tls: TestTLS.http1,
            configure: { $0.tls = TestTLS.configuration },
            handler
        ) { client, _ async throws in
            for (field, text) in [
                ("X-A: b", "own https, trusted https"), ("X-Forwarded-Proto: http", "own https, trusted http"),
            ] {
                #expect(try await client.response(to: request("GET /", field)).text == text)
            }
        }
    }
}
