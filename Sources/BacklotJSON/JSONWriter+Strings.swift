/// Strings: quoted and escaped (RFC 8259, section 7).
///
/// Almost no string needs an escape. So each method makes room once for everything it writes, and copies the text while it
/// looks for bytes that do. Only a text that needs an escape goes the long way, byte by byte.
extension JSONWriter {
    /// Writes a string, quoted and escaped.
    public mutating func value(_ value: String) {
        let text = value.utf8.span
        buffer.reserve(text.count + 3)
        putComma()
        putString(text)
        needsComma = true
    }

    /// Writes a literal as a string. It needs no escape.
    public mutating func value(literal: StaticString) {
        buffer.reserve(literal.utf8CodeUnitCount + 3)
        putComma()
        putLiteral(literal)
        needsComma = true
    }

    /// Writes one string that is made of a literal, a colon and a text, without joining them first. The literal needs no
    /// escape.
    public mutating func value(literal: StaticString, colon text: String) {
        let text = text.utf8.span
        buffer.reserve(literal.utf8CodeUnitCount + text.count + 4)
        putComma()
        buffer.put(.quote)
        buffer.put(literal)
        buffer.put(.colon)
        putText(text)
        buffer.put(.quote)
        needsComma = true
    }

    /// Writes `"key":` and, for a field that holds a container, its opening bracket.
    @usableFromInline
    mutating func writeKey(_ key: StaticString, opening bracket: UInt8? = nil) {
        buffer.reserve(key.utf8CodeUnitCount + 5)
        putComma()
        putKey(key)
        if let bracket { buffer.put(bracket) }
        needsComma = false
    }

    /// Writes the colon after a key that was written as a value.
    mutating func writeColon() {
        buffer.reserve(1)
        buffer.put(.colon)
        needsComma = false
    }

    /// Writes `"key":"value"`.
    @usableFromInline
    mutating func writeField(_ key: StaticString, _ value: String) {
        let text = value.utf8.span
        buffer.reserve(key.utf8CodeUnitCount + text.count + 6)
        putComma()
        putKey(key)
        putString(text)
        needsComma = true
    }

    /// Writes the opening bracket of an object and its first field, `{"key":"literal"`.
    @usableFromInline
    mutating func writeField(_ key: StaticString, _ literal: StaticString, opening bracket: UInt8) {
        buffer.reserve(key.utf8CodeUnitCount + literal.utf8CodeUnitCount + 7)
        putComma()
        buffer.put(bracket)
        putKey(key)
        putLiteral(literal)
        needsComma = true
    }

    // MARK: Into room that has been made

    /// Writes the comma that is due before a value.
    @inline(__always)
    mutating func putComma() {
        if needsComma { buffer.put(.comma) }
    }

    /// Writes a key with its quotes and colon.
    @inline(__always)
    private mutating func putKey(_ key: StaticString) {
        putLiteral(key)
        buffer.put(.colon)
    }

    @inline(__always)
    private mutating func putLiteral(_ literal: StaticString) {
        assert(
            JSONValue.string(literal.description).bytes.count == literal.utf8CodeUnitCount + 2,
            "the literal '\(literal)' needs an escape: write it as a value or a member"
        )
        buffer.put(.quote)
        buffer.put(literal)
        buffer.put(.quote)
    }

    @inline(__always)
    private mutating func putString(_ text: Span<UInt8>) {
        buffer.put(.quote)
        putText(text)
        buffer.put(.quote)
    }

    /// Writes a text without its quotes, escaped where it must be. Room for one byte is left after it.
    @inline(__always)
    private mutating func putText(_ text: Span<UInt8>) {
        if !buffer.putUnlessEscaped(text) { writeEscaped(text) }
    }

    // MARK: The long way

    @inline(never)
    private mutating func writeEscaped(_ text: Span<UInt8>) {
        for index in text.indices {
            buffer.reserve(6)
            putEscaped(text[index])
        }
        buffer.reserve(1)
    }

    /// Writes one byte of a string: unchanged, in its short form (`\n`), or as `\u00XX`.
    private mutating func putEscaped(_ byte: UInt8) {
        let letter: UInt8
        switch byte {
        case .quote, .backslash: letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x00..<0x20:
            buffer.put(byte < 0x10 ? "\\u000" : "\\u001" as StaticString)
            let digit = byte & 0x0F
            buffer.put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            return
        default:
            buffer.put(byte)
            return
        }
        buffer.put(.backslash)
        buffer.put(letter)
    }
}
