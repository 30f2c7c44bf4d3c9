import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

/// What is kept of requests and answers, and what is shown of it.
@Suite(.timeLimit(.minutes(5))) struct JournalTests {
    private static func entry(
        _ body: Int = 0,
        response: Int = 0,
        target: String = "/",
        most: Int = 1000
    ) throws -> JournalEntry {
        JournalEntry(
            try MockRequest(.post, target, body: [UInt8](repeating: 97, count: body)),
            stub: nil,
            response: Response(body: .bytes([UInt8](repeating: 98, count: response))),
            time: 0,
            maximumBodyBytes: most
        )
    }

    @Test func `The oldest entries go first`() throws {
        var ring = JournalRing(maximumEntries: 3, maximumBodyBytes: 1000)
        let entries = try (0..<5).map { try Self.entry(target: "/\($0)") }
        for entry in entries { ring.add(entry) }
        #expect(ring.entries.map(\.request.path) == ["/2", "/3", "/4"])
    }

    @Test func `Bodies have a bound of their own`() throws {
        var ring = JournalRing(maximumEntries: 100, maximumBodyBytes: 100)
        ring.add(try Self.entry(40, response: 10, target: "/0"))
        ring.add(try Self.entry(20, response: 20, target: "/1"))
        #expect(ring.bodyBytes == 90 && ring.entries.count == 2)
        ring.add(try Self.entry(11, target: "/2"))
        #expect(ring.bodyBytes == 51 && ring.entries.map(\.request.path) == ["/1", "/2"])
        let removed = ring.remove { $0.request.path == "/1" }
        #expect(removed.count == 1 && ring.bodyBytes == 11)
        ring.add(try Self.entry(101, target: "/3"))
        #expect(ring.entries.isEmpty && ring.bodyBytes == 0)
    }

    @Test func `A body that is too large is left out, and its size is known`() throws {
        let entry = try Self.entry(11, response: 11, most: 10)
        #expect(
            entry.request.body.isEmpty && entry.responseBody.isEmpty && entry.bodySize == 11 && entry.keptBytes == 0
        )
        let kept = try Self.entry(10, response: 10, most: 10)
        #expect(kept.keptBytes == 20)
    }

    @Test func `A journal keeps as much as it was told to`() throws {
        let journal = Journal(maximumEntries: 2, maximumBodyBytes: 100, maximumBodySize: 40) { 5 }
        for index in 0..<4 {
            let request = try MockRequest(.get, "/\(index)")
            journal.responded(MockExchange(request: request, stub: nil, response: Response(), scope: .shared))
        }
        #expect(journal.entries.map(\.request.path) == ["/3", "/2"])
        #expect(journal.entries[0].time == 5 && journal.entry(journal.entries[1].id)?.request.path == "/2")
        let removed = journal.remove { $0.request.path == "/3" }
        #expect(removed.count == 1 && journal.entries.count == 1)
        journal.removeAll()
        #expect(journal.entries.isEmpty)
    }

    @Test(arguments: [
        ("Authorization", "Bearer abc.def", "Bearer (redacted)"), ("authorization", "abc", "(redacted)"),
        ("Proxy-Authorization", "Basic YTpi", "Basic (redacted)"),
        ("Cookie", "session=abc; theme=dark", "session=(redacted); theme=(redacted)"), ("cookie", "abc", "(redacted)"),
        ("Set-Cookie", "session=abc; Path=/; HttpOnly", "session=(redacted); Path=/; HttpOnly"),
        ("Set-Cookie", "a=b", "a=(redacted)"), ("Accept", "a=b; c", "a=b; c"),
        ("X-Authorization", "Bearer a", "Bearer a"),
    ])
    func `The journal shows no secrets of header fields`(name: String, value: String, shown: String) {
        #expect(JournalRedaction.shown(value, of: name) == shown)
    }

    @Test func `WireMock's form, without secrets`() throws {
        let journal = Journal(maximumBodySize: 100, path: "/mock/") { 1_767_268_800_123 }
        var headers: HTTPFields = [.authorization: "Bearer s3cret", .accept: "a"]
        headers.append(HTTPField(name: .accept, value: "b"))
        headers.append(HTTPField(name: .cookie, value: "session=s3cret; theme=s3cret"))
        let request = try MockRequest(.post, "/things?a=1&a=2&b=%20", headers: headers, body: Array("{}".utf8))
        let stub = try Stub(json: ["id": "00000000-0000-4000-8000-000000000001", "response": ["status": 201]])
        var response = Response(status: .created, body: .bytes(Array("ok".utf8)))
        response.headers[.setCookie] = "session=s3cret; Path=/"
        journal.responded(MockExchange(request: request, stub: stub, response: response, scope: .shared))
        let entry = try #require(journal.entries.first)
        let json = entry.json(below: "/mock")
        #expect(!"\(json)".contains("s3cret"))
        #expect(json["id"]?.string == "\(entry.id)" && json["wasMatched"] == true)
        #expect(json["stubMapping"]?["id"] == "00000000-0000-4000-8000-000000000001")
        #expect(json["responseDefinition"] == ["status": 201, "fromConfiguredStub": true])
        #expect(
            json["response"] == [
                "status": 201, "headers": ["Set-Cookie": "session=(redacted); Path=/"], "body": "ok",
                "bodyAsBase64": "b2s=",
            ]
        )
        #expect(
            json["request"] == [
                "url": "/things?a=1&a=2&b=%20", "absoluteUrl": "http://localhost/mock/things?a=1&a=2&b=%20",
                "method": "POST",
                "headers": [
                    "Host": "localhost", "Authorization": "Bearer (redacted)", "Accept": ["a", "b"],
                    "Cookie": "session=(redacted); theme=(redacted)", "Content-Length": "2",
                ],
                "cookies": ["session": "(redacted)", "theme": "(redacted)"], "browserProxyRequest": false,
                "queryParams": ["a": ["key": "a", "values": ["1", "2"]], "b": ["key": "b", "values": [" "]]],
                "loggedDate": 1_767_268_800_123, "loggedDateString": "2026-01-01T12:00:00Z", "body": "{}",
                "bodyAsBase64": "e30=",
            ]
        )
    }

    @Test func `Names of header fields that differ only in case have a list`() {
        let pairs = [("A", "1"), ("b", "2"), ("a", "3"), ("A", "4")]
        #expect(JSONValue.texts(pairs) == ["A": ["1", "3", "4"], "b": "2"])
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test func `A request may have many cookies`() {
        let prefix = String(repeating: "x", count: 100)
        let names = (100_000..<200_000).map { "\(prefix)\($0)" }
        #expect(JSONValue.texts(names.map { ($0, "1") }).object?.keys == names)
    }

    @Test func `Patterns see requests as they came`() throws {
        let journal = Journal(maximumBodySize: 100) { 0 }
        let request = try MockRequest(.get, "/", headers: [.authorization: "Bearer s3cret"])
        journal.responded(MockExchange(request: request, stub: nil, response: Response(), scope: .shared))
        let right = try RequestPattern(json: ["headers": ["Authorization": ["equalTo": "Bearer s3cret"]]])
        let wrong = try RequestPattern(json: ["headers": ["Authorization": ["equalTo": "Bearer (redacted)"]]])
        #expect(journal.entries(matching: right).count == 1 && journal.entries(matching: wrong).isEmpty)
    }
}
