import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Recorded traffic as exact files.
@Suite(.timeLimit(.minutes(5))) struct RouteRecordingTests {
    private static let page = #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"empty"}}}"#
    private static let pageType = [("Content-Type", "application/vnd.applin_response")]
    private static let text = [("Content-Type", "text/plain; charset=utf-8")]

    /// Some traffic, and the files that it makes.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let exchanges: [RecordedExchange]
        let files: [String: String]

        init(_ name: String, _ exchanges: [RecordedExchange], _ files: [String: String]) {
            (testDescription, self.exchanges, self.files) = (name, exchanges, files)
        }
    }

    static let cases: [Case] = [
        Case(
            "A page, asked for by GET and POST, is one bare file",
            [
                Traffic.exchange(.get, "/home", response: pageType, page),
                Traffic.exchange(.post, "/home", body: "{}", response: pageType, page),
            ],
            ["home.page.json": page]
        ),
        Case(
            "JSON keeps its blanks in a bare file; fields of the connection go",
            [
                Traffic.exchange(
                    .get,
                    "/",
                    response: [
                        ("Content-Type", "application/json; charset=utf-8"), ("Date", "now"), ("Server", "x"),
                        ("Connection", "close, X-Hop"), ("X-Hop", "1"),
                    ],
                    "{ \"a\" : 1.0 }\n"
                )
            ],
            ["index.get.json": "{ \"a\" : 1.0 }\n"]
        ),
        Case(
            "The client's clock in a body is no part of the request",
            [
                Traffic.exchange(
                    .post,
                    "/actions",
                    body: #"{"messages":[{"name":"a","timestamp":"2026-11-26T22:00:00Z"}]}"#,
                    response: [],
                    "[1]"
                ),
                Traffic.exchange(
                    .post,
                    "/actions",
                    body: #"{"messages":[{"name":"b","timestamp":"2026-11-26T22:00:01.5+01:00"}]}"#,
                    response: [],
                    "[2]"
                ),
            ],
            [
                "actions.post.yaml": """
                responses:
                  - request:
                      variables:
                        messages:
                          equalToJson:
                            - name: a
                              timestamp: "${json-unit.any-string}"
                    jsonBody: [1]
                  - request:
                      variables:
                        messages:
                          equalToJson:
                            - name: b
                              timestamp: "${json-unit.any-string}"
                    jsonBody: [2]

                """
            ]
        ),
        Case(
            "An rpc, and one that fails",
            [
                Traffic.exchange(.post, "/save", body: #"{"a":1}"#, response: []),
                Traffic.exchange(.post, "/save", body: #"{"a":2}"#, status: 422, response: text, "No."),
            ],
            [
                "save.rpc.yaml": """
                responses:
                  - request:
                      variables:
                        a: 1
                  - request:
                      variables:
                        a: 2
                    status: 422
                    body: No.

                """
            ]
        ),
        Case(
            "A list that changes after a mutation",
            [
                Traffic.exchange(.get, "/tasks", "[]"),
                Traffic.exchange(.post, "/tasks", body: #"{"t":"x"}"#, status: 201, #"{"id":1}"#),
                Traffic.exchange(.get, "/tasks", #"[{"id":1}]"#),
                Traffic.exchange(.delete, "/tasks/1", status: 204, response: []),
                Traffic.exchange(.get, "/tasks", "[]"),
            ],
            [
                "tasks.get.yaml": """
                responses:
                  - scenarioName: "recording: GET /tasks"
                    requiredScenarioState: "1 after POST /tasks"
                    jsonBody:
                      - id: 1
                  - jsonBody: []

                """,
                "tasks.post.yaml": """
                moves:
                  "recording: GET /tasks":
                    Started: "1 after POST /tasks"
                status: 201
                jsonBody:
                  id: 1

                """,
                "tasks/1.delete.yaml": """
                moves:
                  "recording: GET /tasks":
                    "1 after POST /tasks": Started
                status: 204

                """,
            ]
        ),
        Case(
            "Paths are folded where three differ",
            [
                Traffic.exchange(.get, "/t/1", #"{"id":1,"n":null}"#),
                Traffic.exchange(.get, "/t/2", #"{"id":2,"n":"x"}"#),
                Traffic.exchange(.get, "/t/new", #"{"id":0,"n":null}"#),
                Traffic.exchange(.get, "/t/3", #"{"id":3,"n":null}"#),
                Traffic.exchange(.delete, "/t/2", status: 204, response: []),
            ],
            [
                "t/[id].get.yaml": """
                responses:
                  - request:
                      pathParameters:
                        id: "1"
                    jsonBody:
                      id: 1
                      "n": null
                  - request:
                      pathParameters:
                        id: "2"
                    jsonBody:
                      id: 2
                      "n": x
                  - request:
                      pathParameters:
                        id: "3"
                    jsonBody:
                      id: 3
                      "n": null

                """,
                "t/new.get.json": #"{"id":0,"n":null}"#, "t/[id].delete.yaml": "status: 204\n",
            ]
        ),
        Case(
            "Queries tell answers apart, but not what changes nothing",
            [
                Traffic.exchange(.get, "/s?q=a&t=1", "[1]"), Traffic.exchange(.get, "/s?q=b+c&t=1", "[2]"),
                Traffic.exchange(.get, "/s?t=1", "[3]"), Traffic.exchange(.get, "/u?x=1", "1"),
                Traffic.exchange(.get, "/u?x=2", "1"),
            ],
            [
                "s.get.yaml": """
                responses:
                  - request:
                      queryParameters:
                        q: a
                    jsonBody: [1]
                  - request:
                      queryParameters:
                        q: b c
                    jsonBody: [2]
                  - request:
                      queryParameters:
                        q:
                          absent: true
                    jsonBody: [3]

                """,
                "u.get.json": "1",
            ]
        ),
        Case(
            "Forms, texts and GraphQL tell answers apart",
            [
                Traffic.exchange(
                    .post,
                    "/f",
                    sends: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: "a=1&b=2",
                    response: text,
                    "one"
                ),
                Traffic.exchange(
                    .post,
                    "/f",
                    sends: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: "a=2&b=2",
                    response: text,
                    "two"
                ),
                Traffic.exchange(.put, "/x", body: "<a/>", response: text, "one"),
                Traffic.exchange(.put, "/x", body: "<b/>", response: text, "two"),
            ],
            [
                "f.post.yaml": """
                responses:
                  - request:
                      formParameters:
                        a: "1"
                    body: one
                  - request:
                      formParameters:
                        a: "2"
                    body: two

                """,
                "x.put.yaml": """
                responses:
                  - request:
                      bodyPatterns:
                        - equalTo: "<a/>"
                    body: one
                  - request:
                      bodyPatterns:
                        - equalTo: "<b/>"
                    body: two

                """,
            ]
        ),
        Case(
            "Bodies of JSON that are no objects tell answers apart",
            [
                Traffic.exchange(.put, "/v", body: #""a""#, "1"), Traffic.exchange(.put, "/v", body: "null", "2"),
                Traffic.exchange(.put, "/v", body: "5", "3"), Traffic.exchange(.put, "/v", body: "[5]", "4"),
            ],
            [
                "v.put.yaml": #"""
                responses:
                  - request:
                      bodyPatterns:
                        - equalToJson: "\"a\""
                    jsonBody: 1
                  - request:
                      bodyPatterns:
                        - equalToJson: "null"
                    jsonBody: 2
                  - request:
                      bodyPatterns:
                        - equalToJson: "5"
                    jsonBody: 3
                  - request:
                      bodyPatterns:
                        - equalToJson: [5]
                    jsonBody: 4

                """#
            ]
        ),
        Case(
            "A log-in and a log-out",
            [
                Traffic.exchange(
                    .post,
                    "/in",
                    body: #"{"username":"Ann"}"#,
                    response: [("Set-Cookie", "sid=abc; Path=/; Secure"), ("Set-Cookie", "theme=x; Secure; Path=/")]
                ),
                Traffic.exchange(
                    .post,
                    "/out",
                    sends: [("Cookie", "sid=abc")],
                    response: [("Set-Cookie", "sid=; Max-Age=0")]
                ),
            ],
            [
                "in.rpc.yaml": """
                logIn: "{{variables.username}}"
                headers:
                  Set-Cookie: ["sid=abc; Path=/", "theme=x; Path=/"]

                """,
                "out.rpc.yaml": "headers:\n  Set-Cookie: \"sid=; Max-Age=0\"\n",
            ]
        ),
        Case(
            "Braces are braces; broken pages are expected; other bodies are files, each once",
            [
                Traffic.exchange(.get, "/b", response: text, "{{x}}"),
                Traffic.exchange(.get, "/c", response: [("Content-Type", "image/png")], "\u{1}PNG"),
                Traffic.exchange(.get, "/d", response: [("Content-Type", "image/png")], "\u{1}PNG"),
                Traffic.exchange(.get, "/e", #"{"a" : "{{b}}"}"#),
                Traffic.exchange(.get, "/m", status: 301, response: [("Location", "/b")]),
            ],
            [
                "b.get.yaml": "body: \"{{x}}\"\ntemplate: false\n", "__files/c.get.png": "\u{1}PNG",
                "c.get.yaml": "bodyFileName: c.get.png\n", "d.get.yaml": "bodyFileName: c.get.png\n",
                "e.get.yaml": "jsonBody:\n  a: \"{{b}}\"\ntemplate: false\n",
                "m.get.yaml": "status: 301\nheaders:\n  Location: /b\n",
            ]
        ),
        Case(
            "Names that no file can have become parameters",
            [
                Traffic.exchange(.get, "/a%7Bb", "1"), Traffic.exchange(.get, "/data/x", "2"),
                Traffic.exchange(.get, "/.a", "1"),
            ],
            [
                "[id].get.yaml": """
                responses:
                  - request:
                      pathParameters:
                        id: "a{b"
                    jsonBody: 1
                  - request:
                      pathParameters:
                        id: ".a"
                    jsonBody: 1

                """,
                "[id]/x.get.yaml": "request:\n  pathParameters:\n    id: data\njsonBody: 2\n",
            ]
        ),
        Case(
            "Null is not a missing variable, and the order of values says nothing",
            [
                Traffic.exchange(.put, "/v", body: #"{"a":null}"#, "1"), Traffic.exchange(.put, "/v", body: "{}", "2"),
                Traffic.exchange(.get, "/q?a=1&a=2", "1"), Traffic.exchange(.get, "/q?a=2&a=1", "1"),
                Traffic.exchange(.get, "/q?a=2", "2"),
            ],
            [
                "v.put.yaml": """
                responses:
                  - request:
                      variables:
                        a:
                          equalToJson: "null"
                    jsonBody: 1
                  - request:
                      variables:
                        a:
                          absent: true
                    jsonBody: 2

                """,
                "q.get.yaml": """
                responses:
                  - request:
                      queryParameters:
                        a:
                          hasExactly:
                            - equalTo: "1"
                            - equalTo: "2"
                    jsonBody: 1
                  - request:
                      queryParameters:
                        a: "2"
                    jsonBody: 2

                """,
            ]
        ),
    ]

    @Test(arguments: cases)
    func `Traffic becomes files`(example: Case) async throws {
        let files = Traffic.files(example.exchanges)
        for path in Set(files.keys).union(example.files.keys).sorted() {
            #expect(files[path] == example.files[path], "\(path)")
        }
        // They are in order, and answer what was recorded.
        try await withMocks(files) { mocks, _ in
            #expect(mocks.backend.stubs.count > 0)
        }
    }

    @Test(arguments: [[0x2D, 0xFF], Array("--B".utf8), Array("{}".utf8)])
    func `Forms with files are no matchers`(body: [UInt8]) {
        var exchange = Traffic.exchange(.post, "/f", sends: [("Content-Type", "multipart/form-data; boundary=B")])
        exchange.requestBody = body
        let request = RecordedRequest(exchange, [], [], fixed: [], isPage: false)
        #expect(request.features.isEmpty)
        #expect(request.other == Array("multipart/form-data".utf8))
    }

    @Test func `Options change the files`() {
        var options = RouteRecording.Options()
        options.folds = false
        options.withDelays = true
        options.schemas = ".schemas"
        var slow = Traffic.exchange(.get, "/a/1", #"{"a":1}"#)
        slow.duration = .milliseconds(1499.6)
        let others = ["/a/2", "/a/3"].map { Traffic.exchange(.get, $0, #"{"a":1}"#) }
        #expect(
            Traffic.files([slow] + others, options) == [
                "a/1.get.yaml":
                    "# yaml-language-server: $schema=../.schemas/route.json\n# $schema: ../.schemas/route.json\nfixedDelayMilliseconds: 1500\njsonBody:\n  a: 1\n",
                "a/2.get.json": #"{"a":1}"#, "a/3.get.json": #"{"a":1}"#,
            ]
        )
    }

    @Test func `Words are values only where pages have the same parts`() {
        func page(_ path: String, _ kinds: String...) -> RecordedExchange {
            let widgets = kinds.map { #"{"typ":"\#($0)","text":"\#(path)"}"# }.joined(separator: ",")
            let body = #"{"page":{"typ":"plain_page","widget":{"typ":"column","widgets":[\#(widgets)]}}}"#
            return Traffic.exchange(.get, path, response: Self.pageType, body)
        }
        let books = [
            page("/books/dune", "text", "image"), page("/books/emma", "image", "text", "text"),
            page("/books/it", "text", "image"),
        ]
        let others = [page("/books/about", "text"), page("/books/basket", "text", "form_button")]
        let recording = RouteRecording(books + others, formats: [.applin()])
        #expect(recording.folded == ["/books/[id] stands for dune, emma, it"])
        #expect(RouteRecording(books.dropLast() + others, formats: [.applin()]).folded == [])
    }

    @Test func `A list of many different elements has the shape of its first 100`() {
        let elements = (0..<300).map { JSONValue.object(["k\($0)": 1]) }
        let first = ResponseShape(.array(Array(elements.prefix(100))), mark: nil)
        #expect(ResponseShape(.array(elements), mark: nil) == first)
        #expect(ResponseShape(.array(Array(elements.prefix(99))), mark: nil) != first)
    }

    @Test func `A short session cookie of a repeated log-in becomes the first one, and its value stays elsewhere`() {
        func logIn(_ session: String) -> RecordedExchange {
            let cookie = ("Set-Cookie", "sid=\(session); Path=/")
            return Traffic.exchange(.post, "/in", body: #"{"user":"ann"}"#, response: [cookie])
        }
        func price(_ session: String) -> RecordedExchange {
            let fields = [("Cookie", "n=2; sid=\(session)"), ("X-N", "2")]
            return Traffic.exchange(.get, "/price", sends: fields, #"{"price":12}"#)
        }
        let unified = RecordedClients.unified([logIn("1"), price("1"), logIn("2"), price("2")])
        for (found, expected) in zip(unified, [logIn("1"), price("1"), logIn("1"), price("1")]) {
            #expect(found.requestHeaders == expected.requestHeaders)
            #expect(found.responseHeaders == expected.responseHeaders)
            #expect(found.responseBody == expected.responseBody)
        }
    }

    @Test func `What is folded and what is left out is said`() {
        let exchanges =
            (1...3).map { Traffic.exchange(.get, "/a/\($0)", #"{"a":1}"#) } + [
                Traffic.exchange(.options, "/a"), Traffic.exchange(.options, "/a"), Traffic.exchange(.head, "/a"),
                Traffic.exchange(.get, "/a/1", status: 304), Traffic.exchange(.get, "/a/1", status: 206, "{"),
                Traffic.exchange(.head, "/a/2"),
                Traffic.exchange(.get, String(repeating: "/x", count: 31), "1"), Traffic.exchange(.get, "/b//c", "1"),
            ]
        let recording = RouteRecording(exchanges, formats: [.applin()])
        #expect(recording.folded == ["/a/[id] stands for 1, 2, 3"])
        #expect(
            recording.skipped == [
                "OPTIONS /a: files can't respond to OPTIONS (2 times)", "HEAD /a: no GET of it was recorded",
                "GET /a/1: 304 means that the client has the response already",
                "GET /a/1: 206 is part of a response; request the complete one to record it",
                "HEAD /a/2: a file for GET also responds to HEAD",
                "GET \(String(repeating: "/x", count: 31)): the path has more than 30 segments",
                "GET /b//c: the path has an empty segment, which no file's name can have",
            ]
        )
    }
}
