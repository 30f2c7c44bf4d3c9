import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HeadParserAcceptedTests {
    static let requestLines: [HeadCase<HeadSummary>] = [
        .accepted(makeHead()),
        .accepted(makeHead("POST /a/b HTTP/1.1")) { $0.expect("POST", "/a/b") },
        .accepted(makeHead("M-SEARCH!#$%&'*+.^_`|~9 / HTTP/1.1")) { $0.method = "M-SEARCH!#$%&'*+.^_`|~9" },
        .accepted(makeHead("get / HTTP/1.1")) { $0.method = "get" },
        .accepted(makeHead("GET /? HTTP/1.1")) { $0.expect("GET", "/?", path: "/", query: "") },
        .accepted(makeHead("GET /a?b=c&d HTTP/1.1")) { $0.expect("GET", "/a?b=c&d", path: "/a", query: "b=c&d") },
        .accepted(makeHead("GET /a?b?c/d HTTP/1.1")) { $0.expect("GET", "/a?b?c/d", path: "/a", query: "b?c/d") },
        .accepted(makeHead("GET //x/../y HTTP/1.1")) { $0.expect("GET", "//x/../y") },
        .accepted(makeHead("GET /%2e%2E/%00%ff HTTP/1.1")) { $0.expect("GET", "/%2e%2E/%00%ff") },
        .accepted(makeHead("GET /-._~!$&'()*+,;=:@ HTTP/1.1")) { $0.expect("GET", "/-._~!$&'()*+,;=:@") },
        .accepted(makeHead("OPTIONS * HTTP/1.1")) { $0.expect("OPTIONS", "*") },
        .accepted(makeHead("OPTIONS /x HTTP/1.1")) { $0.expect("OPTIONS", "/x") },
        .accepted(makeHead("GET http://h HTTP/1.1")) { $0.expect("GET", "http://h", path: "/") },
        .accepted(makeHead("GET http://h/ HTTP/1.1")) { $0.expect("GET", "http://h/", path: "/") },
        .accepted(makeHead("GET HTTP://h:80/a?b HTTP/1.1")) {
            $0.expect("GET", "HTTP://h:80/a?b", path: "/a", query: "b")
            $0.fields = ["Host: h:80"]
        },
        .accepted(makeHead("GET http://h?b/c HTTP/1.1")) { $0.expect("GET", "http://h?b/c", path: "/", query: "b/c") },
        .accepted(makeHead("GET http://h? HTTP/1.1")) { $0.expect("GET", "http://h?", path: "/", query: "") },
        .accepted(makeHead("GET https://h HTTP/1.1")) { $0.expect("GET", "https://h", path: "/") },
        .accepted(makeHead("PUT https://[::1]:8443/a HTTP/1.1")) {
            $0.expect("PUT", "https://[::1]:8443/a", path: "/a")
            $0.fields = ["Host: [::1]:8443"]
        },
        .accepted(makeHead("GET / HTTP/1.0", host: nil)) {
            $0.expect10()
            $0.fields = []
        },
        .accepted(makeHead("GET / HTTP/1.0")) { $0.expect10() },
        .accepted(bytes("\r\n") + makeHead("GET /a HTTP/1.1")) { $0.expect("GET", "/a") },
        .accepted(bytes("\r\n\r\n\r\n\r\n") + makeHead("GET http://h?q HTTP/1.1")) {
            $0.expect("GET", "http://h?q", path: "/", query: "q")
        },
    ]

    static let fields: [HeadCase<HeadSummary>] = [
        .accepted(makeHead("GET / HTTP/1.1", "A:b")) { $0.fields.append("A: b") },
        .accepted(makeHead("GET / HTTP/1.1", "A: \t b\tc \t")) { $0.fields.append("A: b\tc") },
        .accepted(makeHead("GET / HTTP/1.1", "A:")) { $0.fields.append("A: ") },
        .accepted(makeHead("GET / HTTP/1.1", "A:  \t ")) { $0.fields.append("A: ") },
        .accepted(makeHead("GET / HTTP/1.1", "A: b", "a: c")) { $0.fields += ["A: b", "a: c"] },
        .accepted(makeHead("GET / HTTP/1.1", "A: \u{80}\u{FF}")) { $0.fields.append("A: \u{80}\u{FF}") },
        .accepted(makeHead("GET / HTTP/1.1", "A: x: \"y\" (z)")) { $0.fields.append("A: x: \"y\" (z)") },
        .accepted(makeHead("GET / HTTP/1.1", "!#$%&'*+-.^_`|~0aZ: b")) { $0.fields.append("!#$%&'*+-.^_`|~0aZ: b") },
        .accepted(makeHead("GET / HTTP/1.1", host: "hOsT: h")) { $0.fields = ["hOsT: h"] },
        .accepted(makeHead("GET / HTTP/1.1", host: "A: b", "Host: h")) { $0.fields = ["A: b", "Host: h"] },
    ]

    static let hosts = [
        "h", "example.com", "example.com:", "example.com:80", "a-b.c_d~e", "127.0.0.1", "127.0.0.1:65535", "[::1]",
        "[::1]:80", "[2001:DB8::ffff:1.2.3.4]", "a!$&'()*+;=b",
    ]

    static let framings: [HeadCase<HeadSummary>] = [
        .accepted(makeHead("POST / HTTP/1.1", "Content-Length: 0")) { $0.post("Content-Length: 0", .none) },
        .accepted(makeHead("POST / HTTP/1.1", "Content-Length: 7")) { $0.post("Content-Length: 7", .length(7)) },
        .accepted(makeHead("POST / HTTP/1.1", "content-length:\t007 ")) { $0.post("content-length: 007", .length(7)) },
        .accepted(makeHead("POST / HTTP/1.1", "Content-Length: 9223372036854775807")) {
            $0.post("Content-Length: 9223372036854775807", .length(.max))
        },
        .accepted(makeHead("POST / HTTP/1.1", "Content-Length: 00000000000000000000000000000012")) {
            $0.post("Content-Length: 00000000000000000000000000000012", .length(12))
        },
        .accepted(makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked")) {
            $0.post("Transfer-Encoding: chunked", .chunked)
        },
        .accepted(makeHead("POST / HTTP/1.1", "TRANSFER-ENCODING: CHUNKED")) {
            $0.post("TRANSFER-ENCODING: CHUNKED", .chunked)
        },
        .accepted(makeHead("POST / HTTP/1.1", "Transfer-Encoding:\t chunked \t")) {
            $0.post("Transfer-Encoding: chunked", .chunked)
        },
        .accepted(makeHead("POST / HTTP/1.1", "Content-Lengths: x")) { $0.post("Content-Lengths: x", .none) },
        .accepted(makeHead("GET / HTTP/1.1", "Content-Length: 3")) {
            $0.post("Content-Length: 3", .length(3))
            $0.method = "GET"
        },
        .accepted(makeHead("POST / HTTP/1.0", "Content-Length: 3")) {
            $0.post("Content-Length: 3", .length(3))
            $0.expect10()
        },
    ]

    static let persistences: [HeadCase<HeadSummary>] = [
        .accepted(makeHead("GET / HTTP/1.1", "Connection: close")) { $0.persistent(false, "Connection: close") },
        .accepted(makeHead("GET / HTTP/1.1", "connection: CLOSE")) { $0.persistent(false, "connection: CLOSE") },
        .accepted(makeHead("GET / HTTP/1.1", "Connection: a, close ,b")) {
            $0.persistent(false, "Connection: a, close ,b")
        },
        .accepted(makeHead("GET / HTTP/1.1", "Connection: keep-alive, close")) {
            $0.persistent(false, "Connection: keep-alive, close")
        },
        .accepted(makeHead("GET / HTTP/1.1", "Connection: keep-alive")) {
            $0.persistent(true, "Connection: keep-alive")
        },
        .accepted(makeHead("GET / HTTP/1.1", "Connection: not-close, closed")) {
            $0.persistent(true, "Connection: not-close, closed")
        },
        .accepted(makeHead("GET / HTTP/1.1", "Connection: ,,")) { $0.persistent(true, "Connection: ,,") },
        .accepted(makeHead("GET / HTTP/1.0", "Connection: keep-alive")) {
            $0.expect10()
            $0.persistent(true, "Connection: keep-alive")
        },
        .accepted(makeHead("GET / HTTP/1.0", "Connection: x", "Connection: Keep-Alive")) {
            $0.expect10()
            $0.persistent(true, "Connection: x", "Connection: Keep-Alive")
        },
        .accepted(makeHead("GET / HTTP/1.0", "Connection: keep-alive", "Connection: close")) {
            $0.expect10()
            $0.persistent(false, "Connection: keep-alive", "Connection: close")
        },
        .accepted(makeHead("GET / HTTP/1.1", "Expect: 100-continue")) {
            $0.persistent(true, "Expect: 100-continue")
            $0.expectsContinue = true
        },
        .accepted(makeHead("GET / HTTP/1.1", "expect: 100-Continue")) {
            $0.persistent(true, "expect: 100-Continue")
            $0.expectsContinue = true
        },
        .accepted(makeHead("GET / HTTP/1.0", "Expect: 100-continue")) {
            $0.expect10()
            $0.persistent(false, "Expect: 100-continue")
        },
    ]

    @Test(arguments: requestLines + fields + framings + persistences)
    func `A well-formed head is accepted wherever it is cut`(_ example: HeadCase<HeadSummary>) {
        #expect(HeadVerdict(example.head) == .accepted(example.expected))
        expectSameVerdictWhenCut(example.head)
    }

    @Test(arguments: hosts)
    func `A valid host is accepted in the field and the target`(_ host: String) {
        let head = makeHead("GET / HTTP/1.1", host: "Host: \(host)")
        #expect(HeadVerdict(head) == HeadCase.accepted(head) { $0.fields = ["Host: \(host)"] }.verdict)
        let target = makeHead("GET http://\(host)/x HTTP/1.1")
        #expect(
            HeadVerdict(target)
                == HeadCase.accepted(target) {
                    $0.expect("GET", "http://\(host)/x", path: "/x")
                    $0.fields = ["Host: \(host)"]
                }.verdict
        )
    }

    @Test func `Bytes behind the head are left alone`() {
        let head = makeHead("GET /a HTTP/1.1")
        let more = head + bytes("GET /b HTTP/1.1\r\nbad line\u{0}")
        #expect(HeadVerdict(more) == HeadCase.accepted(head) { $0.expect("GET", "/a") }.verdict)
    }

    @Test func `The parser keeps only the head's own bytes`() throws {
        var parser = HeadParser(limits: .init())
        let head = makeHead()
        let input = bytes("\r\n\r\n") + head + bytes("rest")
        let found = try parser.parse(input.span)
        let parsed = try #require(found)
        #expect(parsed.bytes == head)
        #expect(parsed.length == head.count + 4)
    }

    @Test func `A request begins behind empty lines`() throws {
        var parser = HeadParser(limits: .init())
        for (input, expected) in [
            ("", false), ("\r\n", false), ("\r\n\r\n", false), ("\r\n\r\nG", true), ("\r\n\r\nGE", true),
        ] {
            let input = bytes(input)
            let head = try parser.parse(input.span)
            #expect(head == nil)
            let hasBegun = parser.hasBegun(input.span)
            #expect(hasBegun == expected)
        }
    }
}

extension HeadCase where Expected == HeadSummary {
    fileprivate var verdict: HeadVerdict { .accepted(expected) }
}

extension HeadSummary {
    fileprivate mutating func expect(_ method: String, _ target: String, path: String? = nil, query: String? = nil) {
        self.method = method
        self.target = target
        self.path = path ?? target
        self.query = query
    }

    fileprivate mutating func expect10() {
        isHTTP10 = true
        isPersistent = false
    }

    fileprivate mutating func post(_ field: String, _ framing: BodyFraming) {
        method = "POST"
        fields.append(field)
        self.framing = framing
    }

    fileprivate mutating func persistent(_ isPersistent: Bool, _ fields: String...) {
        self.isPersistent = isPersistent
        self.fields += fields
    }
}
