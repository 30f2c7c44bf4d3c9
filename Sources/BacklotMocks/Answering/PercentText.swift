/// Texts as forms and queries encode them.
enum FormText {
    /// The decoded text; badly encoded parts stay unchanged.
    static func decode(_ text: Substring) -> String {
        PercentText.decode(text, plusIsBlank: true)
    }

    /// The decoded text; badly encoded parts stay unchanged.
    static func decode(_ bytes: Span<UInt8>) -> String {
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "+") {
            return PercentText.decode(bytes, plusIsBlank: true)
        }
        return String(copyingRepaired: bytes)
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
    /// The decoded text; a percent sign that begins no encoded byte stays, and bytes that are not UTF-8 become U+FFFD.
    static func decode(_ text: Substring, plusIsBlank: Bool = false) -> String {
        decode(text.utf8.span, plusIsBlank: plusIsBlank)
    }

    /// The decoded text; a percent sign that begins no encoded byte stays, and bytes that are not UTF-8 become U+FFFD.
    static func decode(_ encoded: Span<UInt8>, plusIsBlank: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            if byte == UInt8(ascii: "%"), index + 2 < encoded.count, let high = digit(encoded[index + 1]),
                let low = digit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

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

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A path's segments.
enum PathSegments {
    /// The segments of a path that begins with a slash, percent-decoded. A slash at the end doesn't count.
    static func of(_ path: String) -> [String] {
        let bytes = path.utf8.span
        var segments: [String] = []
        var start = 1
        while start < bytes.count {
            var end = start
            var isEncoded = false
            while end < bytes.count, bytes[end] != UInt8(ascii: "/") {
                if bytes[end] == UInt8(ascii: "%") { isEncoded = true }
                end += 1
            }
            let segment = bytes.extracting(start..<end)
            segments.append(isEncoded ? PercentText.decode(segment) : String(copyingRepaired: segment))
            start = end + 1
        }
        return segments
    }
}

extension String {
    /// A text of bytes; those that are not UTF-8 become U+FFFD.
    fileprivate init(copyingRepaired bytes: Span<UInt8>) {
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
