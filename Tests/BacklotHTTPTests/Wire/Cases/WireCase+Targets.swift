extension WireCase {
    /// Each of the four forms of a target only with its methods (RFC 9112, section 3.2).
    static let targets: [WireCase] =
        [
            "/", "//", "//h/a", "/a/../b", "/a;b=c", "/?", "/?a=b?c=/d", "/%41%2f%00", "/a:b@c", "/!$&'()*+,;=-._~",
            "http://h", "http://h/", "http://h:80/a?b", "HTTP://H/a", "https://h/a", "http://other/a", "http://h?a=b",
            "http://[::1]:8080/a", "http://127.0.0.1/a", "http://h:/a",
        ].map { WireCase("target \($0)", "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n", saw("GET \($0)")) }
        + [
            "a", "index.html", "?a=b", "#", ".", "..", "./a", "*a", "*/", "/*#", "/a#b", "/a?b#c", "/\u{E4}",
            "/a\u{80}",
            "/\"", "/<", "/>", "/a\\../b", "/%", "/%4", "/%4g", "/%g4", "/%u0041",
            "/%-1", "\\a", "h:80", "h", ":80", "mailto:a@h", "ftp://h/a", "file:///a", "ws://h/a",
            "http:/a",
            "http:a", "http//h/a", "http:///a", "http://", "http://:80/", "http://?a", "http://u@h/", "http://u:p@h/",
            "http://@h/", "http://h:80:80/", "http://h:x/", "http://h:-1/", "http://h:65536/", "http://h:000080/",
            "http://h h/", "http://h\\a/", "http://h%20/", "http://a,b/", "http://\u{E4}/", "http://[::1/",
            "http://[]/",
            "http://[1]/", "http://[::1]a/", "http://[::1]]/", "http://[v1.a]/", "http://[fe80::1%25eth0]/",
            "http://h/#a",
            "http://h#a", "http://h/\u{E4}",
        ].map { bad("target \($0.debugDescription)", "GET \($0) HTTP/1.1\r\nHost: h") }
        + [
            WireCase("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", saw("OPTIONS *")),
            WireCase("OPTIONS with a path", "OPTIONS /a HTTP/1.1\r\nHost: h\r\n\r\n", saw("OPTIONS /a")),
            bad("GET *", "GET * HTTP/1.1\r\nHost: h"),
            bad("options *", "options * HTTP/1.1\r\nHost: h"),
            bad("OPTIONS **", "OPTIONS ** HTTP/1.1\r\nHost: h"),
            bad("OPTIONS *?a", "OPTIONS *?a HTTP/1.1\r\nHost: h"),
            bad("OPTIONS with an authority", "OPTIONS h:80 HTTP/1.1\r\nHost: h:80"),
            bad("GET with an authority", "GET h:443 HTTP/1.1\r\nHost: h:443"),
        ]
}
