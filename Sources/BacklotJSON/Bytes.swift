/// The bytes with a meaning in JSON (RFC 8259, sections 2 and 7), and classes of ASCII.
extension UInt8 {
    @inlinable static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable static var backslash: UInt8 { UInt8(ascii: "\\") }
    @inlinable static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable static var openBrace: UInt8 { UInt8(ascii: "{") }
    @inlinable static var closeBrace: UInt8 { UInt8(ascii: "}") }
    @inlinable static var openBracket: UInt8 { UInt8(ascii: "[") }
    @inlinable static var closeBracket: UInt8 { UInt8(ascii: "]") }
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")

    /// Whether this is an ASCII digit.
    @inlinable package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether this is an ASCII letter.
    @inlinable package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether this is a hexadecimal digit.
    package var isHex: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }

    /// Space, tab, line feed and carriage return: JSON has no other white space.
    package var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension Collection where Element == UInt8 {
    /// Whether this is a UUID: 8-4-4-4-12 hexadecimal digits (RFC 9562, section 4).
    package var isUUID: Bool {
        let groups = split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHex) }
    }
}

extension String {
    /// The text for one line of a terminal: without control characters, and at most 40 characters long.
    package var excerpt: String { excerpt(upTo: 40) }

    /// The text for one line of a terminal: without control characters, and at most `limit` characters long.
    package func excerpt(upTo limit: Int) -> String {
        if utf8.count <= limit, utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// The excerpt in quotes.
    package var quoted: String { "\"\(excerpt)\"" }

    /// The text as written between the quotes of a JSON string.
    package var escapedForJSON: Substring { JSONValue.string(self).description.dropFirst().dropLast() }
}
