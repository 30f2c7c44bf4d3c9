/// Where the parts of a request line stand in the bytes of a head (RFC 9112, section 3).
struct RequestLine: Equatable, Sendable {
    var method: Range<Int>
    /// The target as it was sent, in any of its four forms.
    var target: Range<Int>
    /// The path, percent-encoded as it was sent; `*` for a request about the server as a whole.
    var path: Range<Int>
    /// What follows the question mark, if there is one.
    var query: Range<Int>?
    var isHTTP10: Bool

    /// Reads a request line, its line ending left out.
    init(_ line: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        var index = head.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, head[index] == ASCII.space else {
            throw .malformed("the request line doesn't begin with a method and one space")
        }
        let targetStart = index + 1
        index = targetStart
        while index < line.upperBound, head[index] != ASCII.space { index += 1 }
        target = targetStart..<index
        guard !target.isEmpty, index < line.upperBound else {
            throw .malformed("the request line is not method, target and version")
        }
        isHTTP10 = try Self.isHTTP10((index + 1)..<line.upperBound, in: head)
        (path, query) = try RequestTarget.read(target, method: method, in: head)
    }

    private static func isHTTP10(_ version: Range<Int>, in head: Span<UInt8>) throws(RequestError) -> Bool {
        let start = version.lowerBound
        // Case-sensitive, one digit on each side of the point (RFC 9112, section 2.3).
        if head.equals(version, "HTTP/1.1") { return false }
        guard version.count == 8, head.equals(start..<(start + 5), "HTTP/"), head[start + 6] == UInt8(ascii: "."),
            ASCII.isDigit(head[start + 5]), ASCII.isDigit(head[start + 7])
        else { throw .malformed("the request line doesn't end in an HTTP version") }
        guard head[start + 5] == UInt8(ascii: "1"), head[start + 7] <= UInt8(ascii: "1") else {
            throw .versionNotSupported
        }
        return head[start + 7] == UInt8(ascii: "0")
    }
}

extension RequestLine {
    /// The line that a request over HTTP/2 would have had.
    init(method: Range<Int>, target: Range<Int>, path: Range<Int>, query: Range<Int>?) {
        self.method = method
        self.target = target
        self.path = path
        self.query = query
        isHTTP10 = false
    }

    /// Counts the ranges from another start.
    mutating func shift(by distance: Int) {
        guard distance != 0 else { return }
        func shifted(_ range: Range<Int>) -> Range<Int> {
            (range.lowerBound + distance)..<(range.upperBound + distance)
        }
        method = shifted(method)
        target = shifted(target)
        path = shifted(path)
        query = query.map(shifted)
    }
}
