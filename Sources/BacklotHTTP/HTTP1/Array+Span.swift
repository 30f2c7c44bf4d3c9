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
}
