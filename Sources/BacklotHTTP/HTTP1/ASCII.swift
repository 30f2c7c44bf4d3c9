/// Bytes of HTTP/1.1's grammar, and the classes that RFC 9110 and RFC 3986 sort them into.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let percent = UInt8(ascii: "%")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let question = UInt8(ascii: "?")
    static let comma = UInt8(ascii: ",")

    /// A letter or digit, as in ALPHA and DIGIT of RFC 5234.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        let lowercased = byte | 0x20
        return (lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z")) || isDigit(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// A letter in lower case, and any other byte as it is.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit, or nil.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        let lowercased = byte | 0x20
        guard lowercased >= UInt8(ascii: "a"), lowercased <= UInt8(ascii: "f") else { return nil }
        return lowercased - UInt8(ascii: "a") + 10
    }

    /// A character of a token (RFC 9110, section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }

    /// A character of a path or query, percent sign included (RFC 3986, sections 3.3 and 3.4).
    static func isTarget(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "@"):
            return true
        default: return isUnreservedSymbol(byte) || isSubDelimiter(byte)
        }
    }

    /// A character of a registered name or IPv4 address (RFC 3986, section 3.2.2), without two that no real host has: the
    /// percent sign, and the comma, which would make a list of it.
    static func isHost(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || isUnreservedSymbol(byte) || (isSubDelimiter(byte) && byte != comma)
    }

    /// A control byte that may stand nowhere in a head: all but the tab, and DEL (RFC 9110, section 5.5).
    static func isForbiddenControl(_ byte: UInt8) -> Bool {
        (byte < space && byte != tab) || byte == 0x7F
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    private static func isUnreservedSymbol(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    private static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            return true
        default: return false
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes of `range` are `text`, letter case aside. `text` is in lower case.
    func equals(_ range: Range<Int>, ignoringCase text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for offset in 0..<range.count {
                let byte = self[range.lowerBound + offset]
                let lowercased = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                guard unsafe lowercased == expected[offset] else { return false }
            }
            return true
        }
    }

    /// Whether the bytes of `range` are `text`.
    func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for offset in 0..<range.count {
                guard unsafe self[range.lowerBound + offset] == expected[offset] else { return false }
            }
            return true
        }
    }

    /// `range` without the spaces and tabs at its ends (OWS, RFC 9110, section 5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, ASCII.isBlank(self[lower]) { lower += 1 }
        while upper > lower, ASCII.isBlank(self[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// The bytes of `range` as text; bytes that are not UTF-8 become U+FFFD.
    func string(_ range: Range<Int>) -> String {
        unsafe extracting(range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
