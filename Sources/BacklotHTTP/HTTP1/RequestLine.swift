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

/// The four forms of a request target. Each form is allowed only with certain methods (RFC 9112, section 3.2).
enum RequestTarget {
    /// Path and query, and whether some of their bytes should be percent-encoded but aren't.
    typealias Parts = (path: Range<Int>, query: Range<Int>?, isRaw: Bool)

    /// Finds path and query of a target.
    ///
    /// - Parameter plainEnd: the index of the first byte that isn't in the set `pathOrQuery`, or the target's end.
    static func read(
        _ target: Range<Int>,
        plainTo plainEnd: Int,
        method: Range<Int>,
        in head: Span<UInt8>
    ) throws(RequestError) -> Parts {
        if head.equals(method, "CONNECT") { throw .connectNotSupported }
        switch head[target.lowerBound] {
        case ASCII.slash:
            return try pathAndQuery(target, plainTo: plainEnd, in: head)
        case UInt8(ascii: "*"):
            guard target.count == 1, head.equals(method, "OPTIONS") else {
                throw .malformed("the target * is for OPTIONS alone")
            }
            return (target, nil, false)
        default:
            return try absolute(target, in: head)
        }
    }

    /// `http://host/path`: clients send this form to proxies, but servers must accept it as well.
    private static func absolute(_ target: Range<Int>, in head: Span<UInt8>) throws(RequestError) -> Parts {
        guard let authority = authority(of: target, in: head) else {
            throw .malformed("the target is neither a path nor an http URL")
        }
        try Authority.check(authority, in: head)
        let end = authority.upperBound
        guard end < target.upperBound, head[end] == ASCII.slash else {
            // "http://host" means the path "/": the range of the second slash in "http://" serves as that path.
            let slash = (authority.lowerBound - 1)..<authority.lowerBound
            guard end < target.upperBound else { return (slash, nil, false) }
            let (_, query, isRaw) = try pathAndQuery(end..<target.upperBound, plainTo: end, in: head)
            return (slash, query, isRaw)
        }
        return try pathAndQuery(end..<target.upperBound, plainTo: end, in: head)
    }

    /// The range of the host and the port of an `http` or `https` URL; nil for a target of another form.
    static func authority(of target: Range<Int>, in head: Span<UInt8>) -> Range<Int>? {
        var start = target.lowerBound
        if target.count > 7, head.equals(start..<(start + 7), ignoringCase: "http://") {
            start += 7
        } else if target.count > 8, head.equals(start..<(start + 8), ignoringCase: "https://") {
            start += 8
        } else {
            return nil
        }
        var end = start
        while end < target.upperBound, head[end] != ASCII.slash, head[end] != ASCII.question { end += 1 }
        return start..<end
    }

    /// Beside RFC 3986's characters, those that browsers and HTTP libraries send as they are: ``[]{}|^\` `` and text in UTF-8, in a query
    /// also `"<>` and a percent sign alone (URL Standard, sections 1.3 and 4.4: its sets for paths and queries are smaller).
    private static func pathAndQuery(
        _ range: Range<Int>,
        plainTo plainEnd: Int,
        in head: Span<UInt8>
    ) throws(RequestError) -> Parts {
        var question: Int?
        var (isRaw, isUTF8, hasBackslash) = (false, false, false)
        var index = head.endOfRun(of: .pathOrQuery, from: plainEnd, to: range.upperBound)
        while index < range.upperBound {
            let byte = head[index]
            switch byte {
            case ASCII.percent where head.isEscape(at: index, before: range.upperBound): index += 2
            case ASCII.percent where question != nil: isRaw = true
            case ASCII.percent:
                throw .malformed("the target has a % that two hexadecimal digits don't follow")
            case ASCII.question: question = question ?? index
            case 0x80...:
                if !isUTF8 { try checkUTF8(range, in: head) }
                (isUTF8, isRaw) = (true, true)
            case _ where ByteSet.raw.contains(byte) || question != nil && ByteSet.rawInQuery.contains(byte):
                hasBackslash = hasBackslash || question == nil && byte == UInt8(ascii: "\\")
                isRaw = true
            default:
                throw .malformed(
                    "the target has a byte that must be percent-encoded, at offset \(index - range.lowerBound)"
                )
            }
            index = head.endOfRun(of: .pathOrQuery, from: index + 1, to: range.upperBound)
        }
        let path = range.lowerBound..<(question ?? range.upperBound)
        // Programs behind this one may read \ as /.
        if hasBackslash, hasParentSegment(head.extracting(path)) {
            throw .malformed("the path has a \\ that, read as a slash, leads to a parent folder")
        }
        return (path, question.map { ($0 + 1)..<range.upperBound }, isRaw)
    }

    /// - Throws: `RequestError` unless the bytes are UTF-8 without the controls from U+0080 to U+009F.
    private static func checkUTF8(_ range: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: head.extracting(range)) } catch {
            throw .malformed("the target has bytes that are not UTF-8, from offset \(error.byteOffsets.lowerBound) on")
        }
        for index in range where head[index] == 0xC2 && head[index + 1] < 0xA0 {
            throw .malformed("the target has a control character, at offset \(index - range.lowerBound)")
        }
    }

    /// Whether a path has a segment `..`, encoded or not, if both slashes separate segments.
    private static func hasParentSegment(_ path: Span<UInt8>) -> Bool {
        path.string(0..<path.count).utf8.split { $0 == ASCII.slash || $0 == UInt8(ascii: "\\") }.contains {
            Substring($0).lowercased().replacing("%2e", with: ".") == ".."
        }
    }
}

/// A host and an optional port, as in the value of `Host` and in the authority of an absolute target (RFC 9110, sections 4.2 and
/// 7.2). User info is an error there.
enum Authority {
    /// - Throws: `RequestError` unless the bytes of `value` are a host and an optional port.
    static func check(_ value: Range<Int>, in head: Span<UInt8>) throws(RequestError) {
        guard !value.isEmpty else { throw .malformed("an empty Host") }
        let hostEnd = try hostEnd(of: value, in: head)
        guard hostEnd < value.upperBound else { return }
        guard head[hostEnd] == ASCII.colon, isPort((hostEnd + 1)..<value.upperBound, in: head) else {
            throw notHostAndPort
        }
    }

    private static var notHostAndPort: RequestError { .malformed("a Host that is not a host and port") }

    private static func hostEnd(of value: Range<Int>, in head: Span<UInt8>) throws(RequestError) -> Int {
        var index = value.lowerBound
        guard head[index] == UInt8(ascii: "[") else {
            index = head.endOfRun(of: .host, from: index, to: value.upperBound)
            guard index > value.lowerBound else { throw notHostAndPort }
            return index
        }
        while index < value.upperBound, head[index] != UInt8(ascii: "]") { index += 1 }
        guard index < value.upperBound, SocketAddress.isIPv6(head.string((value.lowerBound + 1)..<index)) else {
            throw notHostAndPort
        }
        return index + 1
    }

    /// RFC 3986, section 3.2.3, allows an empty port.
    private static func isPort(_ port: Range<Int>, in head: Span<UInt8>) -> Bool {
        guard port.count <= 5 else { return false }
        var number: UInt32 = 0
        var index = port.lowerBound
        while index < port.upperBound {
            let digit = head[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return false }
            number = number &* 10 &+ UInt32(digit)
            index += 1
        }
        return number <= 65_535
    }
}
