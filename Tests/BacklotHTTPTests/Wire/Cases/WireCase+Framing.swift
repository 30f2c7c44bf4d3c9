extension WireCase {
    /// RFC 9112, section 6.2 and 6.3: one plain decimal number, or the message can't be told from the next.
    static let contentLengths: [WireCase] =
        [
            ("0", ""), ("5", "hello"), ("05", "hello"), ("00000000000000000005", "hello"), (" \t5 \t", "hello"),
            ("\(next.utf8.count)", next),
        ].map {
            WireCase(
                "length \($0.debugDescription)",
                post("Content-Length: \($0)", then: $1 + next),
                saw("POST /", $1),
                saw("GET /next")
            )
        }
        + [
            "", " ", "+5", "-5", "+0", "-0", "--5", "5.0", "5e0", "0x5", "5h", "h", "5 5", "5\t5", "5,5", "5, 5",
            "5, 6", "5,",
            ",5", ",", "5;", "5; a=b", "\"5\"", "'5'", "(5)", "1_000", "5\u{A0}", "\u{B2}", "\u{FF}", "NaN", "infinity",
            "9223372036854775808", "18446744073709551615", "18446744073709551616", "18446744073709551621",
            "99999999999999999999", "100000000000000000000000000000000000000000",
        ].map { WireCase("length \($0.debugDescription)", post("Content-Length: \($0)", then: "hello" + next), "400") }
        + [
            ("two that are equal", ["Content-Length: 5", "Content-Length: 5"]),
            ("two that differ", ["Content-Length: 5", "Content-Length: 6"]),
            ("two, one of them 0", ["Content-Length: 0", "Content-Length: 5"]),
            ("two, in other letters and apart", ["CONTENT-LENGTH: 5", "A: b", "content-length: 5"]),
            ("two, the second empty", ["Content-Length: 5", "Content-Length:"]),
            ("three", ["Content-Length: 5", "Content-Length: 5", "Content-Length: 5"]),
            ("a space before the colon", ["Content-Length : 5"]),
            ("with chunked", ["Content-Length: 5", "Transfer-Encoding: chunked"]),
            ("chunked, then a length", ["Transfer-Encoding: chunked", "Content-Length: 5"]),
            ("chunked and length 0", ["Transfer-Encoding: chunked", "Content-Length: 0"]),
            ("with gzip, chunked", ["Content-Length: 5", "Transfer-Encoding: gzip, chunked"]),
        ].flatMap { (title: String, lines: [String]) in
            ["1.1", "1.0"].map { version in
                let head = "POST / HTTP/\(version)\r\nHost: h\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n"
                // The coding is judged before what stands beside it.
                let status = lines.contains { $0.contains("gzip") } ? "501" : "400"
                return WireCase("\(title), HTTP/\(version)", head + "0\r\n\r\n" + next, status)
            }
        }

    /// RFC 9112, section 6.1: chunked, once, last, and nothing that only looks like it.
    static let transferEncodings: [WireCase] =
        ["chunked", "CHUNKED", "Chunked", " \tchunked\t "].map {
            WireCase(
                "coding \($0.debugDescription)",
                post("Transfer-Encoding: \($0)", then: "5\r\nhello\r\n0\r\n\r\n" + next),
                saw("POST /", "hello"),
                saw("GET /next")
            )
        }
        + [
            "", " ", ",", ", ,", "xchunked", "chunkedx", "x-chunked", "chunked-", "chunke", "c", "chunk ed",
            "chunked chunked",
            "chunked,", "chunked ,", ",chunked", ", chunked", "chunked, chunked", "chunked,chunked", "chunked,,chunked",
            "chunked;", "chunked;a", "chunked;a=b", "chunked; a=b", "chunked ; a=b", "chunked=1", "\"chunked\"",
            "'chunked'",
            "(chunked)", "chunked\\", "\\chunked", "chunked/1", "\u{A0}chunked", "chunked\u{A0}", "\u{FF}chunked",
            "chunked\u{B2}",
            "identity", "gzip", "compress", "deflate, gzip", "trailers", "chunked, identity", "chunked, gzip",
            "identity, x",
            "chunked, x", "gzip, chunked, chunked", "chunked, gzip, chunked", "gzip,, chunked", "gzip, chunked,",
            "gzip chunked", "gzip;q=1, chunked", "\"gzip\", chunked",
        ].map {
            WireCase("coding \($0.debugDescription)", post("Transfer-Encoding: \($0)", then: "0\r\n\r\n" + next), "400")
        }
        + ["gzip, chunked", "gzip,\tCHUNKED", "identity, chunked", "x, y, chunked"].map {
            WireCase("coding \($0.debugDescription)", post("Transfer-Encoding: \($0)", then: "0\r\n\r\n" + next), "501")
        }
        + [
            ("two lines", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]),
            ("two lines, the second another", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]),
            ("two lines, the second empty", ["Transfer-Encoding: chunked", "transfer-encoding:"]),
            ("a space before the colon", ["Transfer-Encoding : chunked"]),
            ("a tab before the colon", ["Transfer-Encoding\t: chunked"]),
            ("a space before the name", [" Transfer-Encoding: chunked"]),
        ].map { WireCase("coding in \($0)", post(fields: $1, then: "0\r\n\r\n" + next), "400") }
        + [
            WireCase(
                "chunked in HTTP/1.0",
                post("Transfer-Encoding: chunked", version: "1.0", then: "0\r\n\r\n"),
                "400"
            ),
            WireCase(
                "chunked in HTTP/1.0 that is kept alive",
                post("Transfer-Encoding: chunked", "Connection: keep-alive", version: "1.0", then: "0\r\n\r\n" + next),
                "400"
            ),
        ]

    private static func post(fields: [String], then body: String) -> String {
        "POST / HTTP/1.1\r\nHost: h\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }
}
