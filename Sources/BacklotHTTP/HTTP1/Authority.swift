/// A host and an optional port, and nothing else: the value of `Host`, and the authority of an absolute target (RFC
/// 9110, sections 4.2 and 7.2). User info is an error there, not a part.
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

/// The grammar of IP addresses in URLs (RFC 3986, section 3.2.2). Zones and versions to come are not understood.
enum IPLiteral {
    /// Whether the bytes are an IPv6 address, as it stands between brackets.
    static func isIPv6(_ text: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var index = text.lowerBound
        var groups = 0
        var isCompressed = false
        if text.count >= 2, bytes[index] == ASCII.colon, bytes[index + 1] == ASCII.colon {
            isCompressed = true
            index += 2
        }
        while index < text.upperBound {
            let start = index
            while index < text.upperBound, ASCII.hexadecimal(bytes[index]) != nil { index += 1 }
            if index < text.upperBound, bytes[index] == UInt8(ascii: ".") {
                // The last two groups may be spelled as an IPv4 address.
                guard isIPv4(start..<text.upperBound, in: bytes) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            guard index < text.upperBound else { break }
            guard bytes[index] == ASCII.colon, index + 1 < text.upperBound else { return false }
            index += 1
            if bytes[index] == ASCII.colon {
                guard !isCompressed else { return false }
                isCompressed = true
                index += 1
            }
        }
        return isCompressed ? groups < 8 : groups == 8
    }

    /// Whether the bytes are four numbers from 0 to 255 with points between them, without leading zeros.
    static func isIPv4(_ text: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var numbers = 0
        var index = text.lowerBound
        while true {
            let start = index
            var number = 0
            while index < text.upperBound, ASCII.isDigit(bytes[index]), index - start < 3 {
                number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            guard index > start, number <= 255, index - start == 1 || bytes[start] != UInt8(ascii: "0") else {
                return false
            }
            numbers += 1
            guard index < text.upperBound else { return numbers == 4 }
            guard numbers < 4, bytes[index] == UInt8(ascii: ".") else { return false }
            index += 1
        }
    }
}
