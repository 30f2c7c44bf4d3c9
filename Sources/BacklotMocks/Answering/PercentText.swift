/// Percent-encoded texts.
package enum PercentText {
    /// A segment of a path, encoded (RFC 3986, section 3.3).
    package static func encode(_ segment: String) -> String {
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
