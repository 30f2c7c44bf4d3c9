extension WireCase {
    /// Field lines (RFC 9112, section 5).
    static let fieldLines: [WireCase] =
        [
            "A:", "A: ", "A:b", "A: b c", "A:\tb\t", "A: \u{80}\u{FF}", "A: :", "a!#$%&'*+-.^_`|~0: b", "A: \"b",
            "A: (b",
            "Content_Length: 5", "Content-Length-: 5", "X-Transfer-Encoding: chunked",
            "Connection: Host, Content-Length",
        ].map { WireCase("field \($0.debugDescription)", post($0) + next, saw("POST /"), saw("GET /next")) }
        + [
            "A", "A b", "A : b", "A\t: b", "A B: c", ": b", ":", " : b", "A\u{E4}: b", "\u{FF}: b", "A(: b", "A): b",
            "A,: b",
            "A/: b", "A;: b", "A<: b", "A=: b", "A>: b", "A?: b", "A@: b", "A[: b", "A\\: b", "A]: b", "A{: b", "A}: b",
            "\"A\": b",
            "GET / HTTP/1.1", "{\"a\": 1}", "<a>",
        ].flatMap { line -> [WireCase] in
            [
                bad("field \(line.debugDescription)", "GET / HTTP/1.1\r\nHost: h\r\n\(line)"),
                bad("first field \(line.debugDescription)", "GET / HTTP/1.1\r\n\(line)\r\nHost: h"),
            ]
        }
        + [
            bad("a continued line, by a space (obs-fold)", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c"),
            bad("a continued line, by a tab", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\tc"),
            bad("a continued line that is blank", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n "),
            bad("a continued line that looks like a field", "GET / HTTP/1.1\r\nHost: h\r\n Content-Length: 5"),
            bad("a continued request line", "GET / HTTP/1.1\r\n A: b\r\nHost: h"),
            bad("a continued line with NUL later in it", "GET / HTTP/1.1\r\nHost: h\r\n c\u{0}"),
            bad("a length in a continued line", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n 5"),
            bad("chunked in a continued line", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\tchunked"),
        ]

    /// Lines end in CR LF, and neither stands anywhere else (RFC 9112, section 2.2, lets a server be this strict).
    static let lineEnds: [WireCase] = [
        bad("bare LF after the request line", "GET / HTTP/1.1\nHost: h"),
        bad("bare LF after a field", "GET / HTTP/1.1\r\nHost: h\nA: b"),
        bad("bare LF at the end of the head", "GET / HTTP/1.1\r\nHost: h\r\n\n"),
        bad("bare LF everywhere", "GET / HTTP/1.1\nHost: h\n\n"),
        bad("bare LF in a target", "GET /\n HTTP/1.1\r\nHost: h"),
        bad("bare LF in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\nContent-Length: 5"),
        bad("bare CR after the request line", "GET / HTTP/1.1\rHost: h"),
        bad("bare CR after a field", "GET / HTTP/1.1\r\nHost: h\rA: b"),
        bad("bare CR in a target", "GET /\r HTTP/1.1\r\nHost: h"),
        bad("bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc"),
        bad("bare CR in a name", "GET / HTTP/1.1\r\nHost: h\r\nA\rB: c"),
        bad("bare CR before a colon", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length\r: 5"),
        bad("two CR before LF", "GET / HTTP/1.1\r\r\nHost: h"),
        bad("two CR before LF after a field", "GET / HTTP/1.1\r\nHost: h\r\r\nA: b"),
        bad("LF CR for CR LF", "GET / HTTP/1.1\n\rHost: h"),
        bad("CR at the end of the head, and something else", "GET / HTTP/1.1\r\nHost: h\r\n\rA"),
        bad("LF before a request", "\nGET / HTTP/1.1\r\nHost: h"),
        bad("CR before a request", "\rGET / HTTP/1.1\r\nHost: h"),
        bad("a blank line of spaces before a request", " \r\nGET / HTTP/1.1\r\nHost: h"),
        bad("five empty lines before a request", "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h"),
        bad("an odd line ending between two requests", "\n" + next),
        WireCase("four empty lines before a request", "\r\n\r\n\r\n\r\n" + next, saw("GET /next")),
        WireCase("an empty line between two", next + "\r\n" + next, saw("GET /next"), saw("GET /next")),
        WireCase("empty lines alone", "\r\n\r\n"),
        WireCase("nothing", ""),
        WireCase("half a head", "GET / HTTP/1.1\r\nHost: h\r\n"),
    ]

    /// Control bytes stand nowhere in a head (RFC 9110, section 5.5): NUL, CR and LF must be refused, and so are the others.
    static let controls: [WireCase] = [0, 1, 8, 0x0B, 0x0C, 0x0E, 0x16, 0x1B, 0x1F, 0x7F].flatMap {
        (byte: UInt8) -> [WireCase] in
        let control = spelled([byte])
        return [
            bad("byte \(byte) before the method", "\(control)GET / HTTP/1.1\r\nHost: h"),
            bad("byte \(byte) in the method", "G\(control)T / HTTP/1.1\r\nHost: h"),
            bad("byte \(byte) in the target", "GET /\(control) HTTP/1.1\r\nHost: h"),
            bad("byte \(byte) in the version", "GET / HTTP/1.1\(control)\r\nHost: h"),
            bad("byte \(byte) in a name", "GET / HTTP/1.1\r\nHost: h\r\nA\(control): b"),
            bad("byte \(byte) before a value", "GET / HTTP/1.1\r\nHost: h\r\nA:\(control)b"),
            bad("byte \(byte) in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\(control)c"),
            bad("byte \(byte) after a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\(control)"),
            bad("byte \(byte) in Host", "GET / HTTP/1.1\r\nHost: h\(control)"),
            bad("byte \(byte) after a length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\(control)"),
            bad("byte \(byte) before chunked", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\(control)chunked"),
        ]
    }
}
