/// Decodes a percent-encoded text once (RFC 3986, section 2.1).
package enum PercentDecoding {
    /// The decoded text; nil if it isn't UTF-8, holds an encoded NUL or has too many combining marks. Other texts without a percent
    /// sign are returned unchanged.
    package static func decode(_ text: Substring) -> String? { decode(text.utf8.span) }

    static func decode(_ text: Span<UInt8>) -> String? {
        let decoded: String?
        if isEncoded(text) {
            guard let bytes = bytes(of: text, isStrict: true), !bytes.contains(0) else { return nil }
            decoded = String(validating: bytes, as: UTF8.self)
        } else {
            decoded = String(repairing: text)
        }
        return decoded?.hasTooManyMarks == false ? decoded : nil
    }

    /// The decoded text. A percent sign without two hexadecimal digits stays. Bytes that aren't UTF-8, and too many combining marks,
    /// become U+FFFD.
    ///
    /// - Parameter plusIsBlank: whether `+` is a blank, as in forms and queries.
    package static func repair(_ text: Span<UInt8>, plusIsBlank: Bool = false) -> String {
        guard isEncoded(text, plusIsBlank: plusIsBlank) else { return String(repairing: text).withFewMarks }
        let bytes = bytes(of: text, isStrict: false, plusIsBlank: plusIsBlank) ?? []
        return String(decoding: bytes, as: UTF8.self).withFewMarks
    }

    private static func isEncoded(_ text: Span<UInt8>, plusIsBlank: Bool = false) -> Bool {
        for index in text.indices
        where text[index] == UInt8(ascii: "%") || plusIsBlank && text[index] == UInt8(ascii: "+") {
            return true
        }
        return false
    }

    /// - Returns: nil for a malformed percent sign, if `isStrict`.
    private static func bytes(of text: Span<UInt8>, isStrict: Bool, plusIsBlank: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                if index + 1 < text.count, let high = ASCII.hexadecimal(text[index]),
                    let low = ASCII.hexadecimal(text[index + 1])
                {
                    bytes.append(high << 4 | low)
                    index += 2
                    continue
                }
                if isStrict { return nil }
            }
            bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
        return bytes
    }
}

extension String {
    /// A text from bytes; those that aren't UTF-8 become U+FFFD.
    fileprivate init(repairing bytes: Span<UInt8>) {
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}

/// Percent-encodes texts (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Encodes all characters except ASCII letters, digits and `others`.
    package static func encode(_ text: some StringProtocol, keeping others: String, isUpper: Bool = true) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if byte.isLetter || byte.isDigit || others.utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
            }
        }
    }
}
