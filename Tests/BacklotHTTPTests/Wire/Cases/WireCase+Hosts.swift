extension WireCase {
    /// Exactly one Host, which is a host and an optional port (RFC 9110, section 7.2, and RFC 9112, section 3.2).
    static let hosts: [WireCase] =
        [
            "h", "H", "h.example", "h.example.", "h.example:", "h:0", "h:65535", "h:00080", "127.0.0.1:80", "256.1.1.1",
            "a-b_c.d~e!f$g&h'i(j)k*l+m;n=o", "[::]", "[::1]", "[::1]:80", "[1::]", "[2001:db8::A:b]",
            "[1:2:3:4:5:6:7:8]",
            "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:192.0.2.1]",
            "[1::192.0.2.1]:1",
        ].map { WireCase("Host \($0)", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", saw("GET /")) }
        + [
            "", " ", "\t", "a b", "a\tb", "h, h", "h,h", "h,", ",h", "h; i", "u@h", "u:p@h", "@h", "h@", "h/", "/",
            "h/a", "h?a",
            "?", "h#a", "http://h", "//h", "h\\", "h%20", "%68", "h%", "\u{E4}.example", "h\u{80}", "h\"", "\"h\"",
            "<h>", "h^",
            "h`", "{h}", "h|", ":", ":80", "h:x", "h:-1", "h:+80", "h:80:80", "h: 80", "h :80", "h:8 0", "h:65536",
            "h:000080", "h:99999999999999999999", "h:80,", "::1", "1:2:3:4:5:6:7:8", "[", "]", "[]", "[:]", "[1]",
            "[1:]",
            "[:1]", "[.]", "[1.2.3.4]", "[:::]", "[::1::]", "[1:::2]", "[1::2::3]", "[::1", "::1]", "[[::1]]", "[::1]]",
            "[::1]h", "[::1]80", "[::1]:x", "[::1] :80", "[12345::]", "[::g]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
            "[1:2:3:4:5:6:7:8::]", "[::1:2:3:4:5:6:7:8]", "[::1.2.3]", "[::1.2.3.4.5]", "[::1.2.3.256]", "[::01.2.3.4]",
            "[::1.2.3.4:1]", "[1:2:3:4:5:6:7:1.2.3.4]", "[::1%eth0]", "[::1%25eth0]", "[v1.a]", "h[::1]",
        ].map { bad("Host \($0.debugDescription)", "GET / HTTP/1.1\r\nHost: \($0)") }
        + [
            bad("no Host", "GET / HTTP/1.1\r\nA: b"),
            bad("no field at all", "GET / HTTP/1.1"),
            bad("no Host beside an absolute target", "GET http://h/ HTTP/1.1\r\nA: b"),
            bad("two", "GET / HTTP/1.1\r\nHost: h\r\nHost: i"),
            bad("two that are equal", "GET / HTTP/1.1\r\nHost: h\r\nHost: h"),
            bad("two in other letters", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nhOST: h"),
            bad("a second that is empty", "GET / HTTP/1.1\r\nHost: h\r\nHost:"),
            bad("two in HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: h"),
            bad("an odd one in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a b"),
            bad("a space before the colon", "GET / HTTP/1.1\r\nHost : h"),
            bad("a space before the name", "GET / HTTP/1.1\r\n Host: h"),
            bad("a continued one", "GET / HTTP/1.1\r\nHost:\r\n h"),
            WireCase("none in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", saw("GET /")),
            WireCase("blanks around it", "GET / HTTP/1.1\r\nHost: \t h \t\r\n\r\n", saw("GET /")),
            WireCase("no blank before it", "GET / HTTP/1.1\r\nhOsT:h\r\n\r\n", saw("GET /")),
        ]
}
