/// The four forms of a request target, each allowed only with its methods (RFC 9112, section 3.2).
enum RequestTarget {
    /// Finds path and query of a target.
    static func read(
        _ target: Range<Int>,
        method: Range<Int>,
        in head: Span<UInt8>
    ) throws(RequestError) -> (path: Range<Int>, query: Range<Int>?) {
        if head.equals(method, "CONNECT") { throw .connectNotSupported }
        switch head[target.lowerBound] {
        case ASCII.slash:
            return try pathAndQuery(target, in: head)
        case UInt8(ascii: "*"):
            guard target.count == 1, head.equals(method, "OPTIONS") else {
                throw .malformed("the target * is for OPTIONS alone")
            }
            return (target, nil)
        default:
            return try absolute(target, in: head)
        }
    }

    /// `http://host/path`, as clients send it to proxies, and servers must accept it.
    private static func absolute(
        _ target: Range<Int>,
        in head: Span<UInt8>
    ) throws(RequestError) -> (path: Range<Int>, query: Range<Int>?) {
        let start = target.lowerBound
        let authorityStart: Int
        if target.count > 7, head.equals(start..<(start + 7), ignoringCase: "http://") {
            authorityStart = start + 7
        } else if target.count > 8, head.equals(start..<(start + 8), ignoringCase: "https://") {
            authorityStart = start + 8
        } else {
            throw .malformed("the target is neither a path nor an http URL")
        }
        var end = authorityStart
        while end < target.upperBound, head[end] != ASCII.slash, head[end] != ASCII.question { end += 1 }
        try Authority.check(authorityStart..<end, in: head)
        guard end < target.upperBound, head[end] == ASCII.slash else {
            // "http://host" means the path "/": the second slash of "http://" is one to point at.
            let slash = (authorityStart - 1)..<authorityStart
            guard end < target.upperBound else { return (slash, nil) }
            return (slash, try pathAndQuery(end..<target.upperBound, in: head).query)
        }
        return try pathAndQuery(end..<target.upperBound, in: head)
    }

    private static func pathAndQuery(
        _ range: Range<Int>,
        in head: Span<UInt8>
    ) throws(RequestError) -> (path: Range<Int>, query: Range<Int>?) {
        var question: Int?
        var index = head.endOfRun(of: .pathOrQuery, from: range.lowerBound, to: range.upperBound)
        while index < range.upperBound {
            switch head[index] {
            case ASCII.percent:
                guard index + 2 < range.upperBound, ASCII.hexadecimal(head[index + 1]) != nil,
                    ASCII.hexadecimal(head[index + 2]) != nil
                else { throw .malformed("the target has a % that two hexadecimal digits don't follow") }
                index += 3
            case ASCII.question:
                question = question ?? index
                index += 1
            default:
                throw .malformed(
                    "the target has a byte that must be percent-encoded, at offset \(index - range.lowerBound)"
                )
            }
            index = head.endOfRun(of: .pathOrQuery, from: index, to: range.upperBound)
        }
        guard let question else { return (range, nil) }
        return (range.lowerBound..<question, (question + 1)..<range.upperBound)
    }
}
