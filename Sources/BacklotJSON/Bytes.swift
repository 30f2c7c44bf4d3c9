/// The bytes that JSON gives a meaning (RFC 8259, sections 2 and 7).
extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    @inlinable static var openBrace: UInt8 { UInt8(ascii: "{") }
    @inlinable static var closeBrace: UInt8 { UInt8(ascii: "}") }
    @inlinable static var openBracket: UInt8 { UInt8(ascii: "[") }
    @inlinable static var closeBracket: UInt8 { UInt8(ascii: "]") }
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Space, tab, line feed and carriage return: JSON knows no other white space.
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
