extension WireCase {
    /// Methods are case-sensitive tokens (RFC 9110, section 9.1), and one space stands on each side of the target (RFC
    /// 9112, section 3).
    static let methods: [WireCase] =
        [
            "GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY", "get", "Get", "connect",
            "M!#$%&'*+-.^_`|~9",
        ]
        .map {
            WireCase("method \($0)", "\($0) /m HTTP/1.1\r\nHost: h\r\n\r\n" + next, saw("\($0) /m"), saw("GET /next"))
        }
        + [
            bad("no method", " / HTTP/1.1\r\nHost: h"),
            bad("no method, no space", "/ HTTP/1.1\r\nHost: h"),
            bad("a method and no more", "GET\r\nHost: h"),
            bad("no version, as in HTTP/0.9", "GET /\r\nHost: h"),
            bad("no target", "GET HTTP/1.1\r\nHost: h"),
            bad("an empty target", "GET  HTTP/1.1\r\nHost: h"),
            bad("two spaces before the target", "GET  / HTTP/1.1\r\nHost: h"),
            bad("two spaces after the target", "GET /  HTTP/1.1\r\nHost: h"),
            bad("a space after the version", "GET / HTTP/1.1 \r\nHost: h"),
            bad("a space before the method", " GET / HTTP/1.1\r\nHost: h"),
            bad("a tab for a space", "GET\t/ HTTP/1.1\r\nHost: h"),
            bad("tabs for spaces", "GET\t/\tHTTP/1.1\r\nHost: h"),
            bad("a space in the target", "GET /a b HTTP/1.1\r\nHost: h"),
            bad("two requests in one line", "GET / HTTP/1.1 GET / HTTP/1.1\r\nHost: h"),
            bad("a separator in the method", "G{T / HTTP/1.1\r\nHost: h"),
            bad("a byte beyond ASCII in the method", "G\u{CB}T / HTTP/1.1\r\nHost: h"),
            bad("a colon after the method", "GET: / HTTP/1.1\r\nHost: h"),
            bad("an answer for a request", "HTTP/1.1 200 OK\r\nHost: h"),
            bad("another protocol", "EHLO mail.example"),
            bad("the protocol's name in lower case", "GET / http/1.1\r\nHost: h"),
            bad("another protocol's name", "GET / RTSP/1.0\r\nHost: h"),
            bad("a version of one number", "GET / HTTP/1\r\nHost: h"),
            bad("a version of two digits", "GET / HTTP/1.10\r\nHost: h"),
            bad("a version with a leading zero", "GET / HTTP/01.1\r\nHost: h"),
            bad("a version with a sign", "GET / HTTP/+1.1\r\nHost: h"),
            bad("a version with a comma", "GET / HTTP/1,1\r\nHost: h"),
            bad("a version with a space", "GET / HTTP/ 1.1\r\nHost: h"),
            bad("a version with letters", "GET / HTTP/x.y\r\nHost: h"),
            WireCase("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "505"),
            WireCase("HTTP/0.9 spelled out", "GET / HTTP/0.9\r\n\r\n", "505"),
            WireCase("HTTP/3.0", "GET / HTTP/3.0\r\nHost: h\r\n\r\n", "505"),
            WireCase("CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n" + next, "501"),
            WireCase("CONNECT with a path", "CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n" + next, "501"),
        ]
}
