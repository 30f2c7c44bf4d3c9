import Backlot

/// Texts as forms and queries encode them.
package enum FormText {
    /// The decoded text; badly encoded parts stay unchanged.
    static func decode(_ text: Substring) -> String { decode(text.utf8.span) }

    /// The decoded text; badly encoded parts stay unchanged.
    static func decode(_ bytes: Span<UInt8>) -> String { PercentDecoding.repair(bytes, plusIsBlank: true) }

    /// The text as forms encode it: a blank is a `+`.
    package static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: " "): result += "+"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "*"),
                UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Whether the bytes, decoded, are a text.
    static func isEncoded(_ text: String, _ bytes: Span<UInt8>) -> Bool {
        let plain = text.utf8.span
        var index = 0
        for position in bytes.indices {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { return decode(bytes) == text }
            guard index < plain.count, plain[index] == byte else { return false }
            index += 1
        }
        return index == plain.count
    }
}

/// Percent-encoded texts.
enum PercentText {
    /// A segment of a path, encoded (RFC 3986, section 3.3).
    static func encode(_ segment: String) -> String {
        segment.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~!$&'()*+,;=:@".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
