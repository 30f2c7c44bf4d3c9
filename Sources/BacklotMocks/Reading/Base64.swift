/// Bytes as text (RFC 4648, section 4).
enum Base64 {
    /// The bytes; nil when the text is no base64. Line breaks and blanks don't count.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 where !isSpace(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(of: byte) else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 == 0 {
                bytes += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
                bits = 0
            }
        }
        switch count % 4 {
        case 0: return padding == 0 ? bytes : nil
        case 2 where padding == 0 || padding == 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3 where padding <= 1:
            bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
