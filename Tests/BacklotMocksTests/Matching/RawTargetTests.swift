import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// URLs with characters that clients don't percent-encode, as in JSON:API's `page[size]=2`.
@Suite(.timeLimit(.minutes(5))) struct RawTargetTests {
    private static let files = [
        "p/[id].get.yaml": "body: '{{path.id}} {{request.query.[a[b]]}} {{request.url}}'",
        "mappings/url.json": #"{"request": {"url": "/items?page[size]=2"}, "response": {"body": "url"}}"#,
        "mappings/pattern.json":
            #"{"request": {"urlPattern": "/list\\?ids\\[\\]=\\d+"}, "response": {"body": "pattern"}}"#,
        "mappings/path.json": #"{"request": {"urlPath": "/[a]/{b}"}, "response": {"body": "path"}}"#,
        "mappings/pathPattern.json":
            #"{"request": {"urlPathPattern": "/x\\|y/.*"}, "response": {"body": "path pattern"}}"#,
        "mappings/query.json":
            #"{"request": {"urlPath": "/q", "queryParameters": {"page[size]": {"equalTo": "2|3"}}}, "response": {"body": "query"}}"#,
    ]

    @Test(arguments: [
        ("/p/[1]?a[b]=c", "200 [1] c /p/%5B1%5D?a%5Bb%5D=c"),
        ("/p/%5B1%5D?a%5Bb%5D=c", "200 [1] c /p/%5B1%5D?a%5Bb%5D=c"),
        ("/p/\\", "200 \\  /p/%5C"), ("/p/é", "200 é  /p/%C3%A9"), ("/items?page[size]=2", "200 url"),
        ("/list?ids[]=7", "200 pattern"), ("/[a]/{b}", "200 path"), ("/%5Ba%5D/%7Bb%7D", "200 path"),
        ("/x|y/z", "200 path pattern"),
        ("/q?page[size]=2|3", "200 query"), ("/q?page%5Bsize%5D=2%7C3", "200 query"),
    ])
    func `A stub matches the URL as it was sent`(target: String, expected: String) async throws {
        try await withMocks(Self.files) { mocks in
            try await mocks.expect(expected, .get, target)
        }
    }

    @Test func `The client is the one that a trusted proxy names`() async throws {
        let files = [
            "who.get.yaml":
                "responses:\n  - request: {clientIp: 203.0.113.9}\n    body: '{{request.clientIp}}'\n  - body: other"
        ]
        try await withMocks(files) { mocks in
            for (trusted, expected) in [(true, "203.0.113.9"), (false, "other")] {
                var configuration = ServerConfiguration()
                if trusted { configuration.trustedProxies = AddressRange.loopback }
                try await withServer(mocks.handler, configuration: configuration) { address in
                    let client = try await RawClient.connect(to: address)
                    try await client.send("GET /who HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n")
                    #expect(try await client.receive().text == expected)
                    await client.close()
                }
            }
        }
    }
}
