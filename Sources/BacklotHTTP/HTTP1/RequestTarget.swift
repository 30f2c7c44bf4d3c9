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
