import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// The host of a request. No cache may keep a response for one host under another: the key of a cache has the target's host, and
/// perhaps no `Host`.
@Suite(.timeLimit(.minutes(5))) struct HostTests {
    private static let handler = FunctionHandler { request in
        .text(HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "-")
    }

    @Test(
        arguments: [
            ("/", "h", "h"), ("/http://other/", "h", "h"), ("/?http://other/", "h", "h"), ("*", "h", "h"),
            ("http://other", "h", "other"), ("http://other/", "h", "other"), ("http://other/a?b", "h", "other"),
            ("http://other?b", "h", "other"), ("http://other:81/", "h:80", "other:81"), ("HTTP://Other/", "h", "Other"),
            ("https://other/a", "h", "other"), ("http://[::1]:81/", "h", "[::1]:81"), ("http://h/", "h", "h"),
            ("http://a/http://b/", "h", "a"),
        ],
        TestTransport.allCases
    )
    func `The target's host replaces the Host field`(
        _ example: (target: String, host: String, expected: String),
        _ transport: TestTransport
    )
        async throws
    {
        try await withTestClient(over: transport, Self.handler) { client, _ in
            let method = example.target == "*" ? "OPTIONS" : "GET"
            // Behind 20 other fields, Host isn't among the fields that `RequestHead` keeps in place.
            for count in [0, 20] {
                let before = String(repeating: "A: b\r\n", count: count)
                try await client.send("\(method) \(example.target) HTTP/1.1\r\n\(before)Host: \(example.host)\r\n\r\n")
                #expect(try await client.receive().text == example.expected)
            }
        }
    }

    @Test func `A target of HTTP/1.0 without a Host field gives no host`() async throws {
        try await withTestClient(Self.handler) { client, _ async throws in
            #expect(try await client.response(to: "GET http://other/ HTTP/1.0\r\n\r\n").text == "-")
        }
    }

    /// No cache but the client's own may keep where to go.
    @Test(arguments: ["/a", "http://h/a"])
    func `A redirect to HTTPS goes to the client's own host, privately`(_ target: String) async throws {
        try await withTestClient(RedirectToHTTPS()) { client, _ in
            let host = target == "/a" ? "h" : "evil"
            try await client.send(
                "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-Host: evil\r\nForwarded: host=evil\r\n\r\n"
            )
            let response = try await client.receive()
            #expect(response.status == 308 && response["Location"] == "https://h/a")
            #expect(response["Cache-Control"] == "private")
        }
    }
}
