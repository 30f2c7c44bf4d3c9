extension Array where Element == UInt8 {
    /// The bytes of a span.
    init(copying bytes: Span<UInt8>) {
        self.init()
        append(copying: bytes)
    }

    /// Appends the bytes of a span, in one copy.
    mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends a literal, in one copy.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    /// Appends a number of at least 0 in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
