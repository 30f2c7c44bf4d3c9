import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct RequestErrorTests {
    @Test(arguments: [
        (RequestError.malformed("no colon"), 400, "malformed request: no colon"),
        (.incomplete, 400, "the connection was closed before the body was complete"),
        (.timedOut("the head"), 408, "the head did not arrive in time"),
        (.bodyTooLarge(limit: 10), 413, "the body is larger than 10 bytes"),
        (.targetTooLong(limit: 10), 414, "the request line is longer than 10 bytes"),
        (.unknownExpectation, 417, "the only expectation that is understood is 100-continue"),
        (.headTooLarge(limit: 10), 431, "the header section is larger than 10 bytes"),
        (.tooManyFields(limit: 10), 431, "there are more than 10 header fields"),
        (.unknownTransferCoding, 501, "the only transfer coding that is understood is chunked"),
        (
            .connectNotSupported, 501,
            "CONNECT is for proxies, and this server is not a proxy; over HTTP/2 it opens WebSockets (':protocol: websocket')"
        ),
        (.versionNotSupported, 505, "only HTTP/1.0 and HTTP/1.1 are spoken here"),
    ])
    func `Each error has a status and a reason`(_ error: RequestError, _ status: Int, _ reason: String) {
        #expect(error.status.code == status)
        #expect(error.reason == reason)
        #expect(error.headers.isEmpty)
    }

    @Test(arguments: [
        ("(", "the request line doesn't begin with a method and one space"),
        ("GET /", "the request line is not method, target and version"),
        ("GET / HTTP/1", "the request line doesn't end in an HTTP version"),
        ("GET * HTTP/1.1", "the target * is for OPTIONS alone"),
        ("GET h HTTP/1.1", "the target is neither a path nor an http URL"),
        ("GET /a# HTTP/1.1", "the target has a byte that must be percent-encoded, at offset 2"),
        ("GET /%1 HTTP/1.1", "the target has a % that two hexadecimal digits don't follow"),
        ("GET / HTTP/1.1\r\n A: b", "a header field continued on a second line (obs-fold)"),
        ("GET / HTTP/1.1\r\nA", "a header line without a colon"),
        ("GET / HTTP/1.1\r\n: b", "a header line that doesn't begin with a name"),
        ("GET / HTTP/1.1\r\nA : b", "a space in or after a header's name"),
        ("GET / HTTP/1.1\r\n\u{E9}A: b", "a header line that doesn't begin with a name"),
        ("GET / HTTP/1.1\r\nA\u{E9}: b", "a header's name has a byte that no name may have"),
        ("GET / HTTP/1.1\r\nA: b\r\n", "an HTTP/1.1 request without Host"),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h", "more than one Host field"),
        ("GET / HTTP/1.1\r\nHost:", "an empty Host"),
        ("GET / HTTP/1.1\r\nHost: a b", "a Host that is not a host and port"),
        ("GET / HTTP/1.1\r\nContent-Length:", "an empty Content-Length"),
        ("GET / HTTP/1.1\r\nContent-Length: +1", "a Content-Length that is not a plain decimal number"),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999", "a Content-Length that is too large"),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1", "more than one Content-Length field"),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip", "a Transfer-Encoding that doesn't end in one chunked"),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n",
            "both Content-Length and Transfer-Encoding"
        ),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding in an HTTP/1.0 request"),
        (
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "more than one Transfer-Encoding field"
        ),
        ("\u{16}\u{3}\u{1}", "this looks like HTTPS; use http here"),
        ("GET /\u{0}", "the head has a control byte (value 0)"),
        ("GET /\n", "a line feed without a carriage return"),
        ("GET /\rx", "a carriage return without a line feed"),
        ("\r\n\r\n\r\n\r\n", "too many empty lines before a request"),
    ])
    func `The parser says what is wrong`(_ head: String, _ text: String) {
        #expect(HeadVerdict(bytes(head + "\r\n")) == .refused(.malformed(text)))
    }
}
