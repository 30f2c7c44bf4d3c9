internal import BacklotJSON

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
        for index in plain.indices {
            let byte = plain[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes += text.escapedForJSON.utf8
                return
            }
        }
        bytes.append(contentsOf: text.utf8)
    }
}
