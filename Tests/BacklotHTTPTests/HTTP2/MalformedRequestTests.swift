import TestSupport
import Testing

@testable import BacklotHTTP

/// Requests that RFC 9113, section 8, calls malformed, and others that no handler sees.
@Suite(.timeLimit(.minutes(5))) struct MalformedRequestTests {
    private static let method = (":method", "GET")
    private static let scheme = (":scheme", "http")
    private static let path = (":path", "/")
    private static let authority = (":authority", "h")
    private static let connect = (":protocol", "websocket")

    private static func reset(_ name: String, _ fields: [(String, String)]) -> HTTP2Case {
        .init(name, .stream(.protocolError), .headers(1, fields))
    }

    private static func response(_ status: Int, _ name: String, _ fields: [(String, String)]) -> HTTP2Case {
        .init(name, .response(status), .headers(1, fields))
    }

    private static let cases: [HTTP2Case] = [
        // 8.2.1: names and values
        reset("8.2.1 a name in upper case", Frame.get("/", ("A", "b"))),
        reset("8.2.1 a name with a space", Frame.get("/", ("a b", "c"))),
        reset("8.2.1 a name with a colon", Frame.get("/", ("a:b", "c"))),
        reset("8.2.1 a name with a control byte", Frame.get("/", ("a\u{1}", "c"))),
        reset("8.2.1 a name beyond ASCII", Frame.get("/", ("a\u{E9}", "c"))),
        reset("8.2.1 an empty name", Frame.get("/", ("", "c"))),
        reset("8.2.1 a value with NUL", Frame.get("/", ("a", "b\u{0}c"))),
        reset("8.2.1 a value with a line feed", Frame.get("/", ("a", "b\nc"))),
        reset("8.2.1 a value with a carriage return", Frame.get("/", ("a", "b\rc"))),
        reset("8.2.1 a value that begins with a space", Frame.get("/", ("a", " b"))),
        reset("8.2.1 a value that ends in a tab", Frame.get("/", ("a", "b\t"))),
        response(200, "8.2.1 bytes beyond ASCII in a value", Frame.get("/", ("a", "\u{E9}\u{FF}"))),
        // 8.2.2: fields of HTTP/1's connections
        reset("8.2.2 connection", Frame.get("/", ("connection", "keep-alive"))),
        reset("8.2.2 keep-alive", Frame.get("/", ("keep-alive", "x"))),
        reset("8.2.2 proxy-connection", Frame.get("/", ("proxy-connection", "keep-alive"))),
        reset("8.2.2 transfer-encoding", Frame.get("/", ("transfer-encoding", "chunked"))),
        reset("8.2.2 upgrade", Frame.get("/", ("upgrade", "h2c"))),
        reset("8.2.2 te with more than trailers", Frame.get("/", ("te", "trailers, gzip"))),
        response(200, "8.2.2 te: trailers", Frame.get("/", ("te", "trailers"))),
        // 8.3: pseudo-header fields
        reset("8.3 an unknown one", Frame.get() + [(":x", "y")]),
        reset("8.3 one of answers", Frame.get() + [(":status", "200")]),
        reset("8.3 one after other fields", [method, scheme, authority, ("a", "b"), path]),
        reset("8.3.1 no method", [scheme, path, authority]),
        reset("8.3.1 no scheme", [method, path, authority]),
        reset("8.3.1 no path", [method, scheme, authority]),
        reset("8.3.1 neither authority nor host", [method, scheme, path]),
        reset("8.3.1 an empty path", [method, scheme, (":path", ""), authority]),
        reset("8.3.1 a path without a slash", [method, scheme, (":path", "a"), authority]),
        reset("8.3.1 a path that is a URL", [method, scheme, (":path", "http://h/"), authority]),
        reset("8.3.1 * without OPTIONS", [method, scheme, (":path", "*"), authority]),
        response(200, "8.3.1 * with OPTIONS", [(":method", "OPTIONS"), scheme, (":path", "*"), authority]),
        reset("8.3.1 two methods", [method] + Frame.get()),
        reset("8.3.1 two schemes", [scheme] + Frame.get()),
        reset("8.3.1 two paths", [path] + Frame.get()),
        reset("8.3.1 two authorities", [authority] + Frame.get()),
        reset("8.3.1 a host that differs", Frame.get("/", ("host", "x"))),
        reset("8.3.1 two hosts", Frame.get("/", authority: nil, ("host", "h"), ("host", "h"))),
        response(200, "8.3.1 a host that agrees", Frame.get("/", authority: "H", ("host", "h"))),
        response(200, "8.3.1 a host alone", Frame.get("/", authority: nil, ("host", "h"))),
        reset("8.3.1 a method with a space", Frame.get("/", method: "G T")),
        reset("8.5 CONNECT with a path", Frame.get("/", method: "CONNECT")),
        response(501, "8.5 CONNECT", [(":method", "CONNECT"), (":authority", "h:80")]),
        // RFC 8441, section 4
        reset("8441 a protocol without CONNECT", [(":protocol", "websocket")] + Frame.get()),
        reset("8441 two protocols", [connect, connect] + Frame.get("/", method: "CONNECT")),
        reset("8441 no scheme", [connect, (":method", "CONNECT"), path, authority]),
        reset("8441 no path", [connect, (":method", "CONNECT"), scheme, authority]),
        reset("8441 no authority", [connect, (":method", "CONNECT"), scheme, path]),
        response(501, "8441 another protocol", [(":protocol", "connect-udp")] + Frame.get("/", method: "CONNECT")),
        reset("8441 an empty protocol", [(":protocol", "")] + Frame.get("/", method: "CONNECT")),
        response(400, "8441 a page", [connect] + Frame.get("/", method: "CONNECT")),
        // 8.1.1: lengths
        reset("8.1.1 two lengths", Frame.post("/", ("content-length", "0"), ("content-length", "0"))),
        reset("8.1.1 a length that is no number", Frame.post("/", ("content-length", "x"))),
        reset("8.1.1 a length, and no body", Frame.post("/", ("content-length", "1"))),
        .init(
            "8.1.1 less than the length",
            .stream(.protocolError),
            .headers(1, Frame.post("/", ("content-length", "3")), endStream: false),
            .data(1, [1, 2])
        ),
        .init(
            "8.1.1 more than the length, in two frames",
            .stream(.protocolError),
            .headers(1, Frame.post("/", ("content-length", "1")), endStream: false),
            .data(1, [1], endStream: false),
            .data(1, [2])
        ),
        // 8.1: trailers
        .init(
            "8.1 trailers",
            .response(200),
            .headers(1, Frame.post(), endStream: false),
            .data(1, [1], endStream: false),
            .headers(1, [("a", "b")])
        ),
        .init(
            "8.1 trailers that don't end the stream",
            .stream(.protocolError),
            .headers(1, Frame.post(), endStream: false),
            .headers(1, [("a", "b")], endStream: false)
        ),
        .init(
            "8.1 pseudo-header fields in trailers",
            .stream(.protocolError),
            .headers(1, Frame.post(), endStream: false),
            .headers(1, [(":path", "/")])
        ),
        .init(
            "8.1 trailers with a name in upper case",
            .stream(.protocolError),
            .headers(1, Frame.post(), endStream: false),
            .headers(1, [("A", "b")])
        ),
        // As in HTTP/1
        response(400, "a path that must be percent-encoded", Frame.get("/\u{E9}")),
        response(400, "a path with a broken percent sign", Frame.get("/%zz")),
        response(400, "an authority with a user", Frame.get("/", authority: "u@h")),
        response(414, "a long path", Frame.get("/" + String(repeating: "a", count: 8192))),
        response(417, "an unknown expectation", Frame.get("/", ("expect", "x"))),
        response(431, "many fields", Frame.get() + Array(repeating: ("a", "b"), count: 101)),
        .init(
            "a large header list",
            .response(431),
            .headers(1, Frame.get("/", ("a", String(repeating: "b", count: 16_000))), endHeaders: false),
            .continuation(1, HPACKLiterals.encode("a", String(repeating: "b", count: 16_000)), endHeaders: false),
            .continuation(1, HPACKLiterals.encode("a", String(repeating: "b", count: 1000)))
        ),
    ]

    @Test(arguments: cases)
    func `A malformed request leaves the connection usable`(_ example: HTTP2Case) async throws {
        let handler = FunctionHandler { request in Response(body: .bytes(try await request.body.collect())) }
        try await withHTTP2Client(handler) { client, _ in
            try await client.raw.send(example.bytes)
            let verdict = try await HTTP2Case.verdict(client, hasResponse: example.verdict.isResponse)
            #expect(example.verdict.allows(verdict), "\(verdict) instead of \(example.verdict)")
            // The connection stays usable, and the tables of both sides agree.
            #expect(try await client.exchange(3).status == 200)
        }
    }

    @Test func `No handler sees a malformed request`() async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.path)
            return Response()
        }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(
                .headers(1, Frame.get("/1", ("A", "b"))),
                .headers(3, Frame.get("/3", ("connection", "x"))),
                .headers(5, Frame.get("/5", ("host", "x"))),
                .headers(7, Frame.get("/7"))
            )
            #expect(try await client.response(on: 7).status == 200)
            #expect(seen.events == ["/7"])
        }
    }

    @Test func `A refused HEAD has no body`() async throws {
        try await withHTTP2Client(FunctionHandler { _ in Response() }) { client, _ in
            let many = Array(repeating: ("a", "b"), count: 101)
            let response = try await client.exchange(1, Frame.get("/", method: "HEAD") + many)
            #expect(response.status == 431 && response.body == [])
        }
    }
}
