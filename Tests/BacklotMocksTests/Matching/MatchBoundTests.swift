import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// Patterns and paths that would take forever. A match beyond its bound fails, and a warning says so.
@Suite(.timeLimit(.minutes(5))) struct MatchBoundTests {
    /// A pattern, a request that keeps a matcher without bounds busy, and what the 404 says of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let target: String
        let body: String
        let subject: String

        init(_ pattern: String, _ target: String = "/", body: String = "", _ subject: String) {
            (testDescription, self.target, self.body, self.subject) = (pattern, target, body, subject)
        }

        var pattern: RequestPattern { get throws { try RequestPattern(json: json) } }
        var json: JSONValue { get throws { try JSONValue(parsing: testDescription) } }

        static func query(_ matcher: String) -> Case {
            Case(#"{"queryParameters":{"q":{\#(matcher)}}}"#, "/?q=\(letters)!", "query parameter q")
        }

        static func body(_ matcher: String, _ body: String = nested(12, 2)) -> Case {
            Case(#"{"bodyPatterns":[{\#(matcher)}]}"#, body: body, "body")
        }
    }

    static let letters = String(repeating: "a", count: 40)

    /// A document of nested objects with the keys a and b. Each list has `width` objects, and the lists are `depth` levels deep.
    static func nested(_ depth: Int, _ width: Int) -> String {
        guard depth > 0 else { return #"{"a":[],"b":0}"# }
        let children = [String](repeating: nested(depth - 1, width), count: width).joined(separator: ",")
        return #"{"b":0,"a":[\#(children)]}"#
    }

    private static let path = "$..a..a..a..a..a..a[?(@.b > 1)]"

    static let cases: [Case] = [
        Case(#"{"urlPathPattern":"/rx/(a+)+$"}"#, "/rx/\(letters)!", "url"),
        Case(#"{"urlPattern":"/rx/(.*a){25}x"}"#, "/rx/\(letters)xy", "url"),
        Case(#"{"urlPathPattern":"/rx/((((a*)*)*)*)*b"}"#, "/rx/\(letters)bc", "url"),
        .query(#""matches":"(a+)+""#), .query(#""doesNotMatch":"(a+)+""#), .query(#""not":{"matches":"(a+)+"}"#),
        .body(#""matches":"(a+)+""#, letters + "!"), .body(#""matchesJsonPath":"\#(path)""#),
        .body(#""matchesJsonPath":"\#(path)""#, nested(30, 1)), .body(#""not":{"matchesJsonPath":"\#(path)"}"#),
        .body(#""matchesJsonPath":{"expression":"\#(path)","absent":true}"#),
        .body(#""matchesJsonPath":"$..a..*[?(@ == @)]""#),
        .body(#""matchesJsonPath":"$.b[?(@ =~ /(a+)+/)]""#, dear),
        .body(#""not":{"matchesJsonPath":"$.b[?(@ =~ /(a+)+/)]"}"#, dear),
    ]

    private static let dear = #"{"b":["\#(letters)!","\#(letters)!"]}"#

    @Test(arguments: cases)
    func `What takes too long is no match, and the log and the 404 say so`(test: Case) async throws {
        let log = LogRecorder()
        let backend = MockBackend(MockConfiguration(formats: [.applin()]), logger: log.logger)
        backend.stubs.add(try backend.stub(json: ["request": test.json, "response": [:]]))
        let router = Router()
        router.mocks(backend)
        router.explainMismatches(of: backend)
        let handler = router.handler()
        for _ in 0..<3 {
            let request = try Request(.post, test.target, body: Array(test.body.utf8))
            let text = try await handler(request).text
            #expect(text.contains("\n    \(test.subject)"), "\(text)")
            #expect(text.contains("; comparing them takes too many steps and was given up"), "\(text)")
        }
        let lines = log.lines.filter { $0.contains("was given up on POST") }
        #expect(lines.count == 1 && lines.first?.hasPrefix("warning: the pattern \"") == true, "\(lines)")
    }

    @Test(arguments: cases)
    func `Comparing ends soon`(test: Case) throws {
        let pattern = try test.pattern
        let request = try MockRequest(.post, test.target, body: Array(test.body.utf8))
        _ = request.json
        let clock = ContinuousClock()
        let fastest = (0..<3).map { _ in clock.measure { #expect(!pattern.matches(request)) } }.min()
        // It takes milliseconds, and longer in debug builds and on busy machines. Without a bound, it would take far longer.
        #expect(try #require(fastest) < .seconds(10))
    }

    @Test func `A path of a client's text can't be longer than the stack bears`() throws {
        func path(_ terms: Int) -> String { "$[?(@.b == 5" + String(repeating: "||@.a", count: terms) + ")]" }
        #expect(JSONPath(path(100_000)) == nil)
        var left = 10_000
        #expect(try JSONPath(path(800))?.values(in: [["b": 1]], within: &left) == [])
        #expect(try JSONPath(path(800))?.values(in: [["a": 1]], within: &left) == [["a": 1]])
    }

    @Test func `A budget that is used up leaves room for what isn't dear`() throws {
        let dear = try RequestPattern(json: ["urlPathPattern": "/(a+)+"])
        let plain = try RequestPattern(json: ["urlPathPattern": "/[a!]+"])
        let request = try MockRequest(.get, "/\(Self.letters)!")
        var budget = MatchBudget(request)
        for _ in 0..<20 { #expect(!dear.matches(request, &budget)) }
        #expect(plain.matches(request, &budget))
        #expect(budget.givenUp == ["/(a+)+"] && budget.giveUps == 20)
    }

    @Test func `A list in any order is compared within the budget`() throws {
        let numbers = (0..<1000).map { JSONValue.number(JSONNumber(Int64($0))) }
        func pattern(_ list: [JSONValue]) throws -> RequestPattern {
            try RequestPattern(json: [
                "bodyPatterns": [
                    ["equalToJson": .array(list), "ignoreArrayOrder": true, "ignoreExtraElements": true]
                ]
            ])
        }
        func givenUp(_ pattern: RequestPattern, _ list: [JSONValue], matches: Bool) throws -> [String] {
            let request = try MockRequest(.post, "/", body: JSONValue.array(list).bytes)
            var budget = MatchBudget(request)
            #expect(pattern.matches(request, &budget) == matches)
            return budget.givenUp
        }
        #expect(try givenUp(pattern(numbers), numbers, matches: true) == [])
        #expect(try givenUp(pattern(numbers), numbers.reversed(), matches: true) == [])
        #expect(try givenUp(pattern(numbers), numbers.dropLast(), matches: false) == [])
        // Each of the fifty would be compared with all that come before it.
        let last = Array(numbers.suffix(50))
        let long = Array(repeating: 0 as JSONValue, count: 60_000) + last
        #expect(try givenUp(pattern(last), long, matches: false) == ["a list in any order"])
    }

    @Test func `An alternative that is soon found saves the match`() throws {
        let json: JSONValue = ["headers": ["X-A": ["or": [["matches": "(a+)+"], ["contains": "!"]]]]]
        let request = try MockRequest(.get, "/", headers: [try #require(HTTPField.Name("X-A")): "\(Self.letters)!"])
        #expect(try RequestPattern(json: json).matches(request))
    }

    @Test func `A pattern is named once a minute`() throws {
        let log = LogRecorder()
        let givenUp = GivenUpLog(log.logger)
        let request = try MockRequest(.get, "/\(Self.letters)!")
        var budget = MatchBudget(request)
        #expect(!(try RequestPattern(json: ["urlPathPattern": "/(a+)+"])).matches(request, &budget))
        let start = ContinuousClock.now
        for seconds in [0, 1, 59, 60, 61, 119, 120] {
            givenUp.note(budget, "GET /", now: start.advanced(by: .seconds(seconds)))
        }
        #expect(log.lines.count == 3)
        #expect(
            log.lines.first
                == "warning: the pattern \"/(a+)+\" was given up on GET /, as it takes too many steps: that counts as no match (this is logged once a minute)"
        )
    }

    @Test func `Commands with patterns that are given up end soon`() async throws {
        let log = LogRecorder()
        let app = AdminApp(logger: log.logger)
        try await app.add(["request": ["urlPathPattern": "/rx/(a+)+$"], "response": ["body": "x"]])
        for index in 0..<30 { try await app.call(.get, "/rx/\(Self.letters)!\(index)") }
        let clock = ContinuousClock()
        let start = clock.now
        let dear: JSONValue = ["urlPathPattern": "/rx/(a+)+x"]
        #expect(try await app.call(.post, "/__admin/requests/count", dear).json["count"] == 0)
        #expect(try await app.call(.post, "/__admin/requests/find", dear).json["requests"] == [])
        #expect(try await app.call(.post, "/__admin/requests/remove", dear).json["serveEvents"] == [])
        let plain: JSONValue = ["urlPathPattern": "/rx/a+![0-9]+"]
        #expect(try await app.call(.post, "/__admin/requests/count", plain).json["count"] == 30)
        let misses = try await app.call(.get, "/__admin/requests/unmatched/near-misses").json["nearMisses"]
        let event = try #require(misses?[0]?["matchResult"]?["subEvents"]?[0])
        #expect(event["type"] == "WARNING")
        #expect(
            event["data"]?["message"]?.string?.hasPrefix(
                "url: a match of \"/rx/(a+)+$\" is expected, but it is \"/rx/aaa"
            ) == true
        )
        #expect(clock.now - start < .seconds(10))
        #expect(log.lines.count { $0.contains("\"/rx/(a+)+x\" was given up on POST /__admin/requests/count") } == 1)
    }

    @Test(arguments: [
        #"{"urlPathPattern":"/[a-z&&[^b]]"}"#, #"{"headers":{"A":{"matches":"\\p{javaLowerCase}"}}}"#,
        #"{"urlPattern":"(?U)a"}"#,
    ])
    func `Syntax that isn't known is refused by name`(json: String) throws {
        let error = #expect(throws: StubError.self) { try RequestPattern(json: JSONValue(parsing: json)) }
        let text = try #require(error?.text)
        #expect(text.contains("' isn't a regular expression: ") && text.contains(", at character "), "\(text)")
    }

    @Test(arguments: [31, 32, 200_000])
    func `Filters nest only so deep`(depth: Int) throws {
        let path = "$[?" + String(repeating: "(", count: depth) + "@.a" + String(repeating: ")", count: depth) + "]"
        let json: JSONValue = ["bodyPatterns": [["matchesJsonPath": .string(path)]]]
        #expect(((try? RequestPattern(json: json)) != nil) == (depth <= 32))
    }

    /// Texts that are not UTF-8 are repaired before they are compared.
    @Test func `What is not UTF-8 is compared as U+FFFD`() throws {
        let pattern = try RequestPattern(json: ["bodyPatterns": [["matches": #"a\x{FFFD}+b"#]]])
        #expect(pattern.matches(try MockRequest(.post, "/", body: [0x61, 0xFF, 0xC3, 0x62])))
        let query = try RequestPattern(json: ["queryParameters": ["q": ["matches": #"\x{FFFD}"#]]])
        #expect(query.matches(try MockRequest(.get, "/?q=%FF")))
    }

    /// Texts with too many combining marks are repaired, too.
    @Test func `Combining marks after 128 in a row are compared as U+FFFD`() throws {
        let text = "a" + String(repeating: "\u{301}", count: 200)
        let matcher: JSONValue = ["matches": #"a\x{301}{128}\x{FFFD}{72}"#]
        let pattern = try RequestPattern(json: ["bodyPatterns": [matcher]])
        #expect(pattern.matches(try MockRequest(.post, "/", body: Array(text.utf8))))
        let ofParts = try RequestPattern(json: ["multipartPatterns": [["bodyPatterns": [matcher]]]])
        let form = "--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n\(text)\r\n--x--\r\n"
        let fields: HTTPFields = [.contentType: "multipart/form-data; boundary=x"]
        #expect(ofParts.matches(try MockRequest(.post, "/", headers: fields, body: Array(form.utf8))))
    }

    /// One event loop, one client after the other with a pattern that is given up, and others beside it.
    @Test func `Other requests are answered meanwhile`() async throws {
        let files = [
            "mappings/a.json": #"{"request":{"urlPathPattern":"/rx/(a+)+$"},"response":{}}"#,
            "mappings/b.json": #"{"request":{"bodyPatterns":[{"matchesJsonPath":"\#(Self.path)"}]},"response":{}}"#,
            "a.get.json": "1",
        ]
        try await withMocks(files) { mocks in
            var configuration = ServerConfiguration()
            configuration.eventLoops = 1
            try await withServer(mocks.handler, configuration: configuration) { address in
                let body = Self.nested(14, 2)
                #expect(body.utf8.count > 64 * 1024)
                let slow = try await RawClient.connect(to: address)
                let other = try await RawClient.connect(to: address)
                for _ in 0..<3 {
                    try await slow.send("GET /rx/\(Self.letters)! HTTP/1.1\r\nHost: h\r\n\r\n")
                    try await slow.send(
                        "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                }
                try await other.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await other.receive().text == "1")
                for _ in 0..<6 { #expect(try await slow.receive().status == 404) }
            }
        }
    }
}
