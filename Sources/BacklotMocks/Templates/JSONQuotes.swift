/// Whether a place in a JSON text is inside a string.
struct JSONQuotes {
    private(set) var isInside = false
    private var isEscaped = false
    /// Whether the last byte was the opening quote.
    var hasJustOpened = false

    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            hasJustOpened = false
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isInside {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInside.toggle()
                hasJustOpened = isInside
            }
        }
    }

    /// Appends a text as it stands between the quotes of a JSON string (RFC 8259, section 7).
    static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let plain = text.utf8.span
        var isPlain = true
        for index in plain.indices {
            let byte = plain[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { isPlain = false }
        }
        if isPlain {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for index in plain.indices {
            let byte = plain[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
    }
}
