/// A host and an optional port, and nothing else: the value of `Host`, and the authority of an absolute target (RFC 9110,
/// sections 4.2 and 7.2). User info is an error there, not a part.
enum Authority {
    /// - Throws: `RequestError` when the bytes of `value` are no host and port.
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
        guard index < value.upperBound, IPLiteral.isIPv6((value.lowerBound + 1)..<index, in: head) else {
            throw notHostAndPort
        }
        return index + 1
    }

    /// RFC 3986, section 3.2.3, lets a port be empty.
    private static func isPort(_ port: Range<Int>, in head: Span<UInt8>) -> Bool {
        guard port.count <= 5 else { return false }
        var number = 0
        for index in port {
            guard ASCII.isDigit(head[index]) else { return false }
            number = number * 10 + Int(head[index] - UInt8(ascii: "0"))
        }
        return number <= 65_535
    }
}
