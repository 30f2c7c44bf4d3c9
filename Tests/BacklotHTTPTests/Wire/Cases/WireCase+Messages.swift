extension WireCase {
    /// RFC 9110, section 10.1.1. The 100s that go before the answers depend on what has arrived, and are not looked at.
    static let expectations: [WireCase] =
        [
            WireCase(
                "Expect, with a length",
                post("Expect: 100-continue", "Content-Length: 2", then: "ab" + next),
                saw("POST /", "ab"),
                saw("GET /next")
            ),
            WireCase(
                "Expect, chunked",
                post("Expect: 100-continue", "Transfer-Encoding: chunked", then: "1\r\na\r\n0\r\n\r\n" + next),
                saw("POST /", "a"),
                saw("GET /next")
            ),
            WireCase(
                "Expect without a body",
                post("Expect: 100-continue", then: next),
                saw("POST /"),
                saw("GET /next")
            ),
            WireCase(
                "Expect with length 0",
                post("expect: 100-CONTINUE", "Content-Length: 0", then: next),
                saw("POST /"),
                saw("GET /next")
            ),
            WireCase("Expect, and the body never comes", post("Expect: 100-continue", "Content-Length: 2"), "400"),
            WireCase(
                "Expect in HTTP/1.0",
                post("Expect: 100-continue", "Content-Length: 2", version: "1.0", then: "ab"),
                saw("POST /", "ab")
            ),
        ]
        + [
            "", "100", "200-ok", "100-continue, 100-continue", "100-continue;a=b", "\"100-continue\"", "100 continue",
            "x", "y 100-continue", "100-continue y", "100-continue,", ",100-continue", "100-continue\u{A0}",
            "\u{85}100-continue", "100\u{AD}-continue", "0100-continue", "100-continued",
            "100%2Dcontinue", "=100-continue", "100-\tcontinue",
        ].map {
            WireCase(
                "Expect \($0.debugDescription)",
                post("Expect: \($0)", "Content-Length: 2", then: "ab" + next),
                "417"
            )
        }
        + [
            WireCase(
                "Expect with blanks around it",
                post("Expect:\t 100-Continue \t", "Content-Length: 2", then: "ab" + next),
                saw("POST /", "ab"),
                saw("GET /next")
            ),
            WireCase(
                "Expect twice, and one that is unknown",
                post("Expect: 100-continue", "Expect: x", "Content-Length: 2", then: "ab" + next),
                "417"
            ),
            WireCase(
                "Expect on GET, whose body looks like a request",
                "GET /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: \(next.utf8.count)\r\n\r\n"
                    + next + next,
                saw("GET /a", next),
                saw("GET /next")
            ),
            WireCase("Expect twice", post("Expect: 100-continue", "eXPECT: 100-continue", "Content-Length: 2"), "417"),
            bad("Expect and a blank", "POST / HTTP/1.1\r\nHost: h\r\nExpect : 100-continue\r\nContent-Length: 2"),
            bad("a blank and Expect", "POST / HTTP/1.1\r\nHost: h\r\n Expect: 100-continue\r\nContent-Length: 2"),
            WireCase("Expect, continued", post("Expect:\r\n 100-continue", "Content-Length: 2"), "417"),
            bad("Expect and LF", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\nContent-Length: 2"),
            bad("Expect and CR", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-\rcontinue\r\nContent-Length: 2"),
            bad("Expect and NUL", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\u{0}\r\nContent-Length: 2"),
        ]

    /// Whatever the method, a body is framed, and never read as a request (RFC 9112, section 6).
    static let bodies: [WireCase] =
        ["GET", "DELETE", "OPTIONS", "PUT", "ANY"].flatMap { method -> [WireCase] in
            let head = "\(method) /b HTTP/1.1\r\nHost: h\r\n"
            let chunk = "\(String(next.utf8.count, radix: 16))\r\n\(next)\r\n0\r\n\r\n"
            let responses = saw("\(method) /b", next)
            return [
                WireCase(
                    "a body on \(method)",
                    head + "Content-Length: \(next.utf8.count)\r\n\r\n" + next + next,
                    responses,
                    saw("GET /next")
                ),
                WireCase(
                    "chunks on \(method)",
                    head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + next,
                    responses,
                    saw("GET /next")
                ),
                WireCase("no body on \(method)", head + "\r\n" + next, saw("\(method) /b"), saw("GET /next")),
            ]
        }
        + [
            WireCase("a body that is cut short", post("Content-Length: 6", then: "hello"), "400"),
            WireCase("a body of 1 MB that is declared and not sent", post("Content-Length: 1048576"), "400"),
            WireCase("a body of more than 1 MB", post("Content-Length: 1048577", then: next), "413"),
            WireCase(
                "a body of as many bytes as can be counted",
                post("Content-Length: 9223372036854775807", then: next),
                "413"
            ),
        ]

    /// RFC 9112, section 9.3.
    static let persistence: [WireCase] =
        ["close", "Close", "CLOSE", "keep-alive, close", "close, keep-alive", "a,close ,b", "upgrade, close"].map {
            WireCase(
                "Connection \($0)",
                "GET /a HTTP/1.1\r\nHost: h\r\nConnection: \($0)\r\n\r\n" + next,
                saw("GET /a")
            )
        }
        + ["keep-alive", "Upgrade", "closed", "x-close", "", ","].map {
            WireCase(
                "Connection \($0.debugDescription)",
                "GET /a HTTP/1.1\r\nHost: h\r\nConnection: \($0)\r\n\r\n" + next,
                saw("GET /a"),
                saw("GET /next")
            )
        }
        + [
            WireCase("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n" + next, saw("GET /a")),
            WireCase(
                "HTTP/1.0, kept alive",
                "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + next,
                saw("GET /a"),
                saw("GET /next")
            ),
            WireCase(
                "HTTP/1.0 with a body",
                "POST /a HTTP/1.0\r\nContent-Length: 2\r\n\r\nab" + next,
                saw("POST /a", "ab")
            ),
            WireCase(
                "close beside a body",
                post("Connection: close", "Content-Length: 2", then: "ab" + next),
                saw("POST /", "ab")
            ),
            WireCase("a request, and rubbish", next + "rubbish\r\n\r\n" + next, saw("GET /next"), "400"),
            WireCase(
                "three requests with bodies",
                post("Content-Length: 1", then: "a") + chunked("1\r\nb\r\n0\r\n\r\n")
                    + post("Content-Length: 1", then: "c"),
                saw("POST /", "a"),
                saw("POST /", "b"),
                saw("POST /", "c")
            ),
            WireCase("more bytes than were declared", post("Content-Length: 1", then: "abc"), saw("POST /", "a")),
            WireCase(
                "more bytes than were declared, and a line",
                post("Content-Length: 1", then: "abc\r\n\r\n"),
                saw("POST /", "a"),
                "400"
            ),
        ]

    /// 8 KB for the request line, 32 KB for the head, 100 fields.
    static let limits: [WireCase] = [
        WireCase(
            "the longest request line",
            "GET /\(long(8192 - 14)) HTTP/1.1\r\nHost: h\r\n\r\n",
            saw("GET /\(long(8192 - 14))")
        ),
        WireCase("a longer request line", "GET /\(long(8192 - 13)) HTTP/1.1\r\nHost: h\r\n\r\n" + next, "414"),
        WireCase("a request line without end", "GET /\(long(9000))", "414"),
        WireCase("a method without end", long(9000), "400"),
        WireCase("a request line that is too long, and NUL", "GET /\(long(9000))\u{0}", "414"),
        WireCase("a field that is too long, and NUL", "GET / HTTP/1.1\r\nHost: h\r\nA: \(long(33_000))\u{0}", "431"),
        WireCase("a field without end", "GET / HTTP/1.1\r\nHost: h\r\nA: \(long(33_000))", "431"),
        WireCase("a name without end", "GET / HTTP/1.1\r\nHost: h\r\n\(long(33_000))", "431"),
        WireCase("a Host without end", "GET / HTTP/1.1\r\nHost: \(long(33_000))\r\n\r\n" + next, "431"),
        WireCase(
            "a head of many long fields",
            "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: \(long(1000))\r\n", count: 40))\r\n",
            "431"
        ),
        WireCase(
            "100 fields",
            "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 99))\r\n",
            saw("GET /")
        ),
        WireCase(
            "101 fields",
            "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n" + next,
            "431"
        ),
        WireCase(
            "101 empty fields",
            "GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "a:\r\n", count: 100))\r\n" + next,
            "431"
        ),
    ]

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }
}
