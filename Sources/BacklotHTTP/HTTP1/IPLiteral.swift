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
