import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HTTP2FieldsTests {
    private static let start = ["date: now"]

    /// Expects the header list that a client gets, with `now` for the server's time.
    private static func expect(_ response: Response, _ expected: [String]) async throws {
        let handler = FunctionHandler { (_: Request) throws -> Response in response }
        try await withHTTP2Client(handler) { client, _ in
            try await client.send(.headers(1))
            let list = try await client.headerList()
            #expect(list.map { $0.hasPrefix("date: ") && $0.hasSuffix(" GMT") ? "date: now" : $0 } == expected)
        }
    }

    @Test(arguments: [
        (Response(), [":status: 200"] + start + ["content-length: 0"]),
        (Response(status: .notFound, body: .bytes([1, 2])), [":status: 404"] + start + ["content-length: 2"]),
        (Response(status: .noContent), [":status: 204"] + start),
        (Response(status: .notModified, body: .bytes([1])), [":status: 304"] + start),
        (Response(status: .resetContent, body: .bytes([1])), [":status: 205"] + start + ["content-length: 0"]),
        (Response(body: .stream { _ in }), [":status: 200"] + start),
        (
            Response(body: .stream(length: 2) { try await $0.write("ab") }),
            [":status: 200"] + start + ["content-length: 2"]
        ),
        (
            .text("\u{E9}"),
            [":status: 200"] + start + ["content-length: 2", "content-type: text/plain; charset=utf-8"]
        ),
    ])
    func `A response has its status and fields, and a length if it is known`(
        _ response: Response,
        _ expected: [String]
    ) async throws {
        try await Self.expect(response, expected)
    }

    /// RFC 9113, section 8.2: names are in lower case, and HTTP/1's connection fields are left out.
    @Test func `A handler's names become lower case, and connection fields are dropped`() async throws {
        let names = [
            "X-A", "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade", "Content-Length",
            "Date",
            "Set-Cookie",
        ]
        var headers = HTTPFields()
        for name in names { headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "v")) }
        let expected = [":status: 200"] + Self.start + ["content-length: 0", "x-a: v", "set-cookie: v"]
        try await Self.expect(Response(headers: headers), expected)
    }

    @Test func `Another server's fields keep their date and lose its connection's`() async throws {
        var fields = FieldList()
        for (name, value) in [
            ("Date", "then"), ("Connection", "X-A"), ("TE", "trailers"), ("Keep-Alive", "timeout=5"), ("X-A", "1"),
            ("Set-Cookie", "a=1"), ("Content-Length", "7"), ("set-cookie", "b=2"),
        ] as [(StaticString, String)] {
            fields.append(name, value)
        }
        let expected = [
            ":status: 200", "content-length: 0", "date: then", "x-a: 1", "set-cookie: a=1", "set-cookie: b=2",
        ]
        try await Self.expect(Response(status: .ok, passing: fields), expected)
    }

    @Test func `Common fields become lower case, and connection fields are dropped`() async throws {
        var headers: HTTPFields = [.contentType: "A/b"]
        for name in ["X-Mixed-Case", "Upgrade"] { headers[try #require(HTTPField.Name(name))] = "V" }
        let response = Response(common: CommonFields(headers), body: .bytes([1]))
        let expected = [":status: 200"] + Self.start + ["content-length: 1", "content-type: A/b", "x-mixed-case: V"]
        try await Self.expect(response, expected)
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, true), (.noContent, false), (.notModified, false), (.resetContent, false),
    ])
    func `Only some statuses have a body`(_ status: HTTPResponse.Status, _ mayHave: Bool) {
        #expect(FieldList.mayHaveBody(Response(status: status), isHead: false) == mayHave)
        #expect(!FieldList.mayHaveBody(Response(status: status), isHead: true))
    }
}
