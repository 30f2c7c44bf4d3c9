/// The bytes that a client of HTTP/2 sends first (RFC 9113, section 3.4).
enum HTTP2Preface {
    /// Their first line. It looks like a request line so that servers of HTTP/1 refuse it at once; nothing else begins so.
    private static let line: StaticString = "PRI * HTTP/2.0\r\n"

    /// How many bytes there are.
    static let length = 24

    /// Whether `bytes` begin with the preface's first line.
    static func begins(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= line.utf8CodeUnitCount && bytes.equals(0..<line.utf8CodeUnitCount, line)
    }
}
