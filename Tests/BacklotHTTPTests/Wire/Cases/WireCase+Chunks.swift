extension WireCase {
    /// RFC 9112, section 7.1.
    static let chunks: [WireCase] =
        [
            ("0\r\n\r\n", ""), ("000\r\n\r\n", ""), ("1\r\na\r\n0\r\n\r\n", "a"),
            ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("0000000000000005\r\nhello\r\n0\r\n\r\n", "hello"),
            ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
            ("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n", "abc"), ("2\r\n\u{0}\u{FF}\r\n0\r\n\r\n", "\u{0}\u{FF}"),
        ].map { WireCase("chunks \($0.debugDescription)", chunked($0 + next), saw("POST /", $1), saw("GET /next")) }
        + [
            // sizes
            "\r\n", "\r\n\r\n", "\r\n0\r\n\r\n", " 0\r\n\r\n", "\t0\r\n\r\n", "0 \r\n\r\n", "0\t\r\n\r\n",
            "0 0\r\n\r\n", "+0\r\n\r\n",
            "-0\r\n\r\n", "-1\r\na\r\n0\r\n\r\n", "0x0\r\n\r\n", "0X1\r\na\r\n0\r\n\r\n", "x\r\n\r\n", "x1\r\na\r\n",
            "0h\r\n\r\n",
            "1_0\r\n0123456789abcdef\r\n0\r\n\r\n", "_1\r\na\r\n", "1_\r\na\r\n", "1.0\r\na\r\n", "1e\u{B2}\r\n",
            "1,1\r\na\r\n",
            "\"1\"\r\na\r\n", "(1)\r\na\r\n", "1#\r\na\r\n", "1\u{0}\r\na\r\n", "\u{0}1\r\na\r\n", "\u{B9}\r\na\r\n",
            "g\r\n", "G\r\n",
            // beyond all bounds
            "00000000000000000\r\n\r\n", "8000000000000000\r\n", "ffffffffffffffff\r\n", "10000000000000000\r\n",
            "100000000000000000000000000000001\r\na\r\n0\r\n\r\n", "fffffffffffffffffffffffffffffffff\r\n",
            // line endings
            "0\n\n", "0\n\r\n", "0\r\n\n", "1\na\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n", "1\r\na\r\n0\n\r\n",
            "1\ra\r\n0\r\n\r\n",
            "1\r\r\na\r\n0\r\n\r\n", "1\r\na\r\r\n0\r\n\r\n", "1\n\ra\r\n0\r\n\r\n", "0\r\r\n\r\n", "0\r\n\r\r\n",
            "0\r\n\rX",
            // data that is longer or shorter than its size
            "1\r\nab\r\n0\r\n\r\n", "2\r\na\r\n0\r\n\r\n", "1\r\na0\r\n\r\n", "1\r\na 0\r\n\r\n", "0\r\na\r\n\r\n",
            "5\r\n0\r\n\r\n\(next)",
        ].map { WireCase("chunks \($0.debugDescription)", chunked($0 + next), "400") }
        + [
            WireCase("a body that never ends", chunked("5\r\nhello\r\n"), "400"),
            WireCase("a body that ends in a size", chunked("5"), "400"),
            WireCase("a body whose last line is missing", chunked("0\r\n"), "400"),
            WireCase("a chunk as large as can be spelled", chunked("7fffffffffffff0\r\nab"), "400"),
        ]

    /// RFC 9112, section 7.1.1, without the blanks that nobody sends.
    static let chunkExtensions: [WireCase] =
        [
            ";a", ";a=b", ";a=\"b\"", ";a=\"\"", ";a;b", ";a=b;c=\"d;e\"", ";a=\"\\\"\"", ";a=\"\\\\\"", ";a=\"b\tc\"",
            ";a=\"\u{80}\u{FF}\"", ";!#$%&'*+-.^_`|~=1",
        ].map {
            WireCase(
                "extension \($0.debugDescription)",
                chunked("5\($0)\r\nhello\r\n0\($0)\r\n\r\n" + next),
                saw("POST /", "hello"),
                saw("GET /next")
            )
        }
        + [
            ";", ";;", ";;a", ";a;", "; a", " ;a", "\t;a", ";a ", ";a =b", ";a= b", ";a=", ";=b", ";a==b", ";a=b=c",
            ";a b", ";a,b",
            ";a=\"b", ";a=\"b\"c", ";a=\"b\" ", ";a=\"b\\", ";a=b\"c\"", ";a=\"\\\u{0}\"", ";\u{0}", ";a\u{0}",
            ";a=\u{0}",
            ";a=\"\u{0}\"", ";a=\"\u{B}\"", ";a\u{1}", ";a\u{7F}", ";a=\"\u{7F}\"", ";\u{E4}", ";a=\u{E4}", ";a\n",
            ";a=\"\n\"",
            ";a\rb", ";a=\"\r\"", ";a\r\r", ";a{", ";a=(b)", " a", "a;\u{0}", ",a", "=a", ";a\nGET / HTTP/1.1",
            ";a=\"\r\n",
        ].map { WireCase("extension \($0.debugDescription)", chunked("5\($0)\r\nhello\r\n0\r\n\r\n" + next), "400") }
        + [
            WireCase(
                "256 bytes of one",
                chunked("1;\(String(repeating: "e", count: 256))\r\na\r\n0\r\n\r\n"),
                saw("POST /", "a")
            ),
            WireCase(
                "257 bytes of one",
                chunked("1;\(String(repeating: "e", count: 257))\r\na\r\n0\r\n\r\n" + next),
                "400"
            ),
            WireCase(
                "4 KB in all",
                chunked(String(repeating: "1;\(String(repeating: "e", count: 256))\r\na\r\n", count: 16) + "0\r\n\r\n"),
                saw("POST /", "aaaaaaaaaaaaaaaa")
            ),
            WireCase(
                "more than 4 KB in all",
                chunked(
                    String(repeating: "1;\(String(repeating: "e", count: 256))\r\na\r\n", count: 16) + "0;e\r\n\r\n"
                        + next
                ),
                "400"
            ),
        ]

    /// RFC 9112, section 7.1.2: field lines, which no handler sees.
    static let trailers: [WireCase] =
        [
            "A: b", "A:", "A:b", "A: b\r\nC: d", "A: \u{80}\u{FF}", "Content-Length: 5", "Transfer-Encoding: chunked",
            "Host: i",
            "Connection: close", "!#$%&'*+-.^_`|~: b",
        ].map {
            WireCase(
                "trailer \($0.debugDescription)",
                chunked("1\r\na\r\n0\r\n\($0)\r\n\r\n" + next),
                saw("POST /", "a"),
                saw("GET /next")
            )
        }
        + [
            "A", "A b", "A : b", " A: b", "\tA: b", ": b", ":", "A B: c", "A\u{E4}: b", "A: b\r\n c", "A: b\nC: d",
            "A: b\rC: d", "A: \u{0}",
            "A\u{0}: b", "A: \u{B}b", "A: \u{7F}", "A: b\n", "A: b\r", "{}: b", "GET / HTTP/1.1", "\n", " ", "5", "0",
        ].map { WireCase("trailer \($0.debugDescription)", chunked("1\r\na\r\n0\r\n\($0)\r\n\r\n" + next), "400") }
        + [
            WireCase(
                "4 KB of them",
                chunked("0\r\nA: \(String(repeating: "b", count: 4096 - 6))\r\n\r\n"),
                saw("POST /")
            ),
            WireCase("more than 4 KB", chunked("0\r\nA: \(String(repeating: "b", count: 4096))\r\n\r\n" + next), "431"),
            WireCase("no end", chunked("0\r\nA: b\r\n"), "400"),
        ]
}
