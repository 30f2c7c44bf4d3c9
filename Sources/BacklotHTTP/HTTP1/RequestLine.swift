/// The ranges of a request line's parts in the bytes of a head (RFC 9112, section 3).
struct RequestLine: Equatable, Sendable {
    var method: Range<Int>
    /// The target, in any of its four forms.
    var target: Range<Int>
    /// Whether the target has bytes that RFC 3986 wants percent-encoded, and that clients send nevertheless.
    private(set) var isRaw = false
    /// The path and the query as sent, in a line that `encode` has changed. It begins with a slash or a question mark.
    private(set) var sent: Range<Int>?
    /// The path; `*` for a request about the server as a whole.
    var path: Range<Int>
    /// The part after the question mark; nil without one.
    var query: Range<Int>?
    var isHTTP10: Bool
    var isHTTP2 = false

    /// Reads a request line without its line ending.
    init(_ line: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        var index = head.endOfRun(of: .token, from: line.lowerBound, to: line.upperBound)
        method = line.lowerBound..<index
        guard !method.isEmpty, index < line.upperBound, head[index] == ASCII.space else {
            throw .malformed("the request line doesn't begin with a method and one space")
        }
        let targetStart = index + 1
        // Most targets end here, without a query or escapes.
        let plainEnd = head.endOfRun(of: .pathOrQuery, from: targetStart, to: line.upperBound)
        index = plainEnd
        while index < line.upperBound, head[index] != ASCII.space { index += 1 }
        target = targetStart..<index
        guard !target.isEmpty, index < line.upperBound else {
            throw .malformed("the request line is not method, target and version")
        }
        isHTTP10 = try Self.isHTTP10((index + 1)..<line.upperBound, in: head)
        (path, query, isRaw) = try RequestTarget.read(target, plainTo: plainEnd, method: method, in: head)
    }

    private static func isHTTP10(_ version: Range<Int>, in head: Span<UInt8>) throws(RequestError) -> Bool {
        let start = version.lowerBound
        // Case-sensitive, with one digit on each side of the point (RFC 9112, section 2.3). The constant is "HTTP/1.1" as a
        // little-endian number.
        if version.count == 8, head.equals(start, eightBytes: 0x312E_312F_5054_5448) { return false }
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
    /// The request line that a request over HTTP/2 would have had in HTTP/1.1.
    init(method: Range<Int>, target: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        self.method = method
        self.target = target
        (path, query, isRaw) = try RequestTarget.read(target, plainTo: target.lowerBound, method: method, in: head)
        isHTTP10 = false
        isHTTP2 = true
    }

    /// Moves all ranges by a distance.
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

    /// Appends the target, percent-encoded throughout, to a head's bytes, and points there.
    ///
    /// Everything but the hop to a backend reads this form: one spelling for routes, guards, logs and caches.
    mutating func encode(in bytes: inout [UInt8]) {
        let (raw, start) = (target, bytes.count)
        // The path of `http://host?query` is elsewhere, and a host has no raw bytes, but brackets.
        let question = query.map { $0.lowerBound - 1 } ?? path.upperBound
        let begin = question == path.upperBound ? path.lowerBound : question
        // The places of the target's bytes after encoding.
        var places: [Int] = []
        for index in raw {
            places.append(bytes.count)
            let isEscape = bytes[index] == ASCII.percent && bytes.span.isEscape(at: index, before: raw.upperBound)
            if index < begin || isEscape || bytes[index] == ASCII.question || ByteSet.pathOrQuery.contains(bytes[index])
            {
                bytes.append(bytes[index])
            } else {
                bytes += [
                    ASCII.percent, ASCII.hexadecimalDigit(bytes[index] >> 4), ASCII.hexadecimalDigit(bytes[index] & 15),
                ]
            }
        }
        places.append(bytes.count)
        func moved(_ range: Range<Int>) -> Range<Int> {
            places[range.lowerBound - raw.lowerBound]..<places[range.upperBound - raw.lowerBound]
        }
        (isRaw, sent, target, path, query) = (
            false, begin..<raw.upperBound, start..<bytes.count, moved(path), query.map(moved)
        )
    }
}
