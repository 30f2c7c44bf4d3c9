import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HeadParserRefusedTests {
    static let requestLines: [HeadCase<Int>] = [
        .refused(makeHead("GET /")),
        .refused(makeHead("GET")),
        .refused(makeHead("GET ")),
        .refused(makeHead(" GET / HTTP/1.1")),
        .refused(makeHead("GET  / HTTP/1.1")),
        .refused(makeHead("GET /  HTTP/1.1")),
        .refused(makeHead("GET / HTTP/1.1 ")),
        .refused(makeHead("GET\t/\tHTTP/1.1")),
        .refused(makeHead("GET /\tHTTP/1.1")),
        .refused(makeHead("GET /a b HTTP/1.1")),
        .refused(makeHead("G(T / HTTP/1.1")),
        .refused(makeHead("G\u{C9}T / HTTP/1.1")),
        .refused(makeHead("GET: / HTTP/1.1")),
        .refused(makeHead("/ HTTP/1.1")),
        .refused(makeHead("HTTP/1.1 200 OK")),
        .refused(makeHead("GET / http/1.1")),
        .refused(makeHead("GET / HTTP/1.1x")),
        .refused(makeHead("GET / HTTP/11")),
        .refused(makeHead("GET / HTTP/1.")),
        .refused(makeHead("GET / HTTP/.1")),
        .refused(makeHead("GET / HTTP/1,1")),
        .refused(makeHead("GET / HTTP/01.1")),
        .refused(makeHead("GET / HTTP/1.10")),
        .refused(makeHead("GET / HTTP/a.b")),
        .refused(makeHead("GET / HTTPS/1.1")),
        .refused(makeHead("GET / ICY/1.1")),
        .refused(makeHead("GET / HTTP/1.2"), 505),
        .refused(makeHead("GET / HTTP/0.9"), 505),
        .refused(makeHead("GET / HTTP/2.0"), 505),
        .refused(makeHead("GET / HTTP/3.0"), 505),
        .refused(makeHead("GET / HTTP/9.9"), 505),
        .refused(makeHead("PRI * HTTP/2.0"), 505),
    ]

    static let targets: [HeadCase<Int>] = [
        "a", "index.html", "?q", "#", "/#a", "/a#b?c", "/a?b#c", "*x", "**", "/<", "/>", "/\"", "/..\\",
        "/\u{E9}", "/?\u{FF}", "/%", "/%4", "/%G1", "/%1G", "/%%41",
        "http:", "http:/", "http://", "http:///", "http:///a", "http://?q", "http://u@h/", "http://u:p@h/",
        "http://h:x/", "http://h:123456/", "http://h#f", "http://h/#f", "http://h/\u{E9}", "http://h /", "ftp://h/",
        "https://", "https:///a", "http//h", "h:80", "http://[::1/", "http://[]/", "http://h\\i/",
        "*",
    ].map { .refused(makeHead("GET \($0) HTTP/1.1")) }

    static let targetsAndMethods: [HeadCase<Int>] = [
        .refused(makeHead("CONNECT h:443 HTTP/1.1"), 501),
        .refused(makeHead("CONNECT / HTTP/1.1"), 501),
        .refused(makeHead("POST * HTTP/1.1")),
        .refused(makeHead("options * HTTP/1.1")),
        .refused(makeHead("OPTIONS *? HTTP/1.1")),
        .refused(makeHead("OPTIONS h:80 HTTP/1.1")),
    ]

    static let fieldLines: [HeadCase<Int>] = [
        "A", "A b", "A : b", "A\t: b", " A: b", "\tA: b", ": b", ":", "A B: c", "A\u{E9}: b", "A(: b", "A\": b",
        "A/: b",
        "A@: b", "A=: b", "A[: b", " ", "\t", " continued", "{\"a\": 1}", "GET / HTTP/1.1",
    ].flatMap { line -> [HeadCase<Int>] in
        [.refused(makeHead("GET / HTTP/1.1", line)), .refused(makeHead("GET / HTTP/1.1", host: line, "Host: h"))]
    }

    static let controls: [HeadCase<Int>] = (Array(0...31) + [127]).filter { $0 != 9 }.flatMap {
        byte -> [HeadCase<Int>] in
        let control = spelled([byte])
        return [
            .refused(bytes("\(control)GET / HTTP/1.1\r\nHost: h\r\n\r\n")),
            .refused(bytes("G\(control)ET / HTTP/1.1\r\nHost: h\r\n\r\n")),
            .refused(bytes("GET /\(control) HTTP/1.1\r\nHost: h\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\(control)\r\nHost: h\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\r\n\(control)Host: h\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\r\nHo\(control)st: h\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\r\nHost: h\r\nA:\(control)b\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\r\nHost: h\r\nA: b\(control)c\r\n\r\n")),
            .refused(bytes("GET / HTTP/1.1\r\nHost: h\r\nA: b\(control)\r\n\r\n")),
        ]
    }

    static let lineEnds: [HeadCase<Int>] = [
        "GET / HTTP/1.1\nHost: h\n\n", "GET / HTTP/1.1\r\nHost: h\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\n",
        "GET / HTTP/1.1\rHost: h\r\r", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", "GET / HTTP/1.1\n\rHost: h\r\n\r\n",
        "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "\r\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\tc\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n \r\n\r\n",
        "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}",
        "{\"a\":1}\r\n\r\n", "\u{EF}\u{BB}\u{BF}GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    ].map { .refused(bytes($0)) }

    static let hosts: [HeadCase<Int>] =
        [
            "", " ", "a b", "a, b", "u@h", "u:p@h", "h/", "h/p", "h?q", "h#f", "h\\i", "http://h", "h:x",
            "h:80:80",
            "h:-1", "h:+80", "h: 80", "h:123456", ":80", ":", "\u{E9}", "h\"", "h<", "h>", "h^", "h`", "h{", "h|", "h}",
            "[", "[]", "[::1", "::1", "[::1]x", "[::1]:x", "[::1]80", "[g::1]", "[::1]:123456", "[::1%eth0]", "[[::1]]",
            "h]", "a[b]",
            "a,b", "a, b", "%zz", "x%41y", "h:65536", "h:99999",
        ].map { .refused(makeHead("GET / HTTP/1.1", host: "Host: \($0)")) } + [
            .refused(makeHead("GET / HTTP/1.1", host: nil)),
            .refused(makeHead("GET http://h/ HTTP/1.1", host: nil)),
            .refused(makeHead("GET / HTTP/1.1", "Host: h")),
            .refused(makeHead("GET / HTTP/1.1", "host: i")),
            .refused(makeHead("GET / HTTP/1.1", "A: b", "HOST: h")),
            .refused(makeHead("GET / HTTP/1.0", "Host: h")),
            .refused(makeHead("GET / HTTP/1.0", host: "Host: a b")),
        ]

    static let contentLengths: [HeadCase<Int>] =
        [
            "", " ", "+5", "-5", "-0", "+0", "5.0", "5,5", "5, 5", "5,6", ",5", "5,", "5 5", "5 6", "0x5", "5x", "x5",
            "A",
            "1e3", "5;", "\"5\"", "'5'", "\u{B2}", "\u{FF}", "5\t5", "9223372036854775808", "18446744073709551616",
            "18446744073709551621", "99999999999999999999", "1_000", "\u{663}",
        ].filter { $0.unicodeScalars.allSatisfy { $0.value < 256 } }.map {
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: \($0)"))
        } + [
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: 5", "Content-Length: 5")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: 5", "content-length: 6")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: 0", "Content-Length: 0")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: 5", "A: b", "CONTENT-LENGTH: 5")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length : 5")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length\t: 5")),
            .refused(makeHead("POST / HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked")),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Content-Length: 5")),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Content-Length: 0")),
            .refused(makeHead("POST / HTTP/1.0", "Content-Length: 5", "Content-Length: 5")),
        ]

    static let transferEncodings: [HeadCase<Int>] =
        [
            "", ",", "xchunked", "chunkedx", "chunked,", ",chunked", "chunked, chunked", "chunked,chunked",
            "chunked;q=1",
            "chunked; a=b", "chunked ;", "\"chunked\"", "'chunked'", "chun ked", "identity", "gzip", "gzip, deflate",
            "chunked, gzip", "chunked, identity", "gzip, chunked, chunked", "gzip, , chunked", "gzip chunked",
            "chunked\u{A0}", "\u{A0}chunked", "gzip;q=1, chunked", "chunked\tchunked", "c", "CHUNKED, x",
        ].map { .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: \($0)")) } + [
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked"), 501),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: gzip,\tCHUNKED"), 501),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: identity, chunked"), 501),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: a, b, chunked"), 501),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked", "transfer-encoding: identity")),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding : chunked")),
            .refused(makeHead("POST / HTTP/1.1", " Transfer-Encoding: chunked")),
            .refused(makeHead("POST / HTTP/1.1", "Transfer-Encoding:\u{B}chunked")),
            .refused(makeHead("POST / HTTP/1.0", "Transfer-Encoding: chunked")),
            .refused(makeHead("POST / HTTP/1.0", "Transfer-Encoding: chunked", "Content-Length: 5")),
        ]

    static let expectations: [HeadCase<Int>] = ["", "200-ok", "100-continue, x", "100", "100-continue;q=1"].map {
        .refused(makeHead("POST / HTTP/1.1", "Expect: \($0)"), 417)
    }

    /// Cases of one kind; a group is one test, because hundreds of them would drown the report.
    struct Group: CustomTestStringConvertible {
        let testDescription: String
        let cases: [HeadCase<Int>]

        init(_ name: String, _ cases: [HeadCase<Int>]) {
            testDescription = name
            self.cases = cases
        }
    }

    @Test(arguments: [
        Group("request lines", requestLines), Group("targets", targets),
        Group("targets and methods", targetsAndMethods), Group("field lines", fieldLines),
        Group("line ends", lineEnds), Group("hosts", hosts), Group("content lengths", contentLengths),
        Group("transfer encodings", transferEncodings), Group("expectations", expectations),
    ])
    func `Each malformed head is refused`(_ group: Group) {
        for example in group.cases { expectRefused(example) }
    }

    @Test func `Control bytes are refused everywhere in a head`() {
        for example in Self.controls { expectRefused(example) }
    }

    private func expectRefused(_ example: HeadCase<Int>) {
        #expect(HeadVerdict(example.head).status == example.expected, "\(example.testDescription)")
        expectSameVerdictWhenCut(example.head)
    }

    @Test(arguments: [
        "\u{16}", "\n", "G\u{0}", "\rG", "GET / HTTP/1.1\r\nA\n", "GET / HTTP/2.0\r\n", "GET a HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nA b\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n", "GET / HTTP/1.1\r\nContent-Length: +1\r\n",
    ])
    func `A head is refused at the first byte that is wrong`(_ start: String) {
        #expect(HeadVerdict(bytes(start)).status != nil)
        #expect(HeadVerdict(bytes(start).dropLast()).status == nil)
    }
}

extension HeadVerdict {
    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        self.init(Array(bytes))
    }
}
