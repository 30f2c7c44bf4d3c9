/// Strings: quoted and escaped (RFC 8259, section 7).
///
/// Almost no string needs an escape. So a text is copied while it is searched for bytes that need one. Only if it has any is it
/// written byte by byte.
///
/// Literals are inlined at their use, so that writing a key with its quotes takes a few store instructions. A page takes 30 % fewer
/// instructions than with a call that copies each key. Other texts are written by a call.
extension JSONWriter {
    /// Writes a string, quoted and escaped.
    public mutating func value(_ value: String) {
        put(1) { $0.put(.quote) }
        endString(value)
    }

    /// Writes a literal as a string. It needs no escape.
    @inlinable @inline(__always)
    public mutating func value(literal: StaticString) {
        put(literal.utf8CodeUnitCount + 2) { $0.put(quoted: literal) }
        needsComma = true
    }

    /// Writes one string from a literal, a colon and a text, without joining them first. The literal needs no escape.
    @inlinable @inline(__always)
    public mutating func value(literal: StaticString, colon text: String) {
        put(literal.utf8CodeUnitCount + 2) {
            $0.put(.quote)
            $0.put(literal)
            $0.put(.colon)
        }
        endString(text)
    }

    /// Writes `"key":` and, for a field with a container, its opening bracket.
    @inlinable @inline(__always)
    mutating func writeKey(_ key: StaticString, opening bracket: UInt8? = nil) {
        put(key.utf8CodeUnitCount + 4) {
            $0.put(quoted: key)
            $0.put(.colon)
            if let bracket { $0.put(bracket) }
        }
        needsComma = false
    }

    /// Writes `"key":"value"`.
    @inlinable @inline(__always)
    mutating func writeField(_ key: StaticString, _ value: String) {
        put(key.utf8CodeUnitCount + 4) {
            $0.put(quoted: key)
            $0.put(.colon)
            $0.put(.quote)
        }
        endString(value)
    }

    /// Writes the opening bracket of an object and its first field, `{"key":"literal"`.
    @inlinable @inline(__always)
    mutating func writeField(_ key: StaticString, _ literal: StaticString, opening bracket: UInt8) {
        put(key.utf8CodeUnitCount + literal.utf8CodeUnitCount + 6) {
            $0.put(bracket)
            $0.put(quoted: key)
            $0.put(.colon)
            $0.put(quoted: literal)
        }
        needsComma = true
    }

    /// Writes a field with one string, made of the pieces that `pieces` writes, without joining them first.
    package mutating func field(_ key: StaticString, _ pieces: (inout JSONWriter) -> Void) {
        put(key.utf8CodeUnitCount + 4) {
            $0.put(quoted: key)
            $0.put(.colon)
            $0.put(.quote)
        }
        pieces(&self)
        buffer.reserve(1)
        buffer.put(.quote)
        needsComma = true
    }

    /// Writes a piece of a string.
    package mutating func piece(_ text: String) {
        if !buffer.putUnlessEscaped(text) { writeEscaped(text.utf8.span) }
    }

    /// Writes a number of at least 0 as a piece of a string.
    package mutating func piece(_ number: Int) {
        buffer.reserve(20)
        buffer.put { $0.put(decimal: number.magnitude) }
    }

    /// Writes a part of a document unchanged. The caller handles the commas.
    package mutating func raw(_ text: StaticString) {
        buffer.reserve(text.utf8CodeUnitCount + 1)
        buffer.put(text)
    }

    /// Writes bytes of ASCII that need no escape as a piece of a string.
    package mutating func piece(ascii bytes: Span<UInt8>) {
        buffer.reserve(bytes.count + 1)
        buffer.put { $0.put(bytes) }
    }

    /// Writes the colon after a key that was written as a value.
    mutating func writeColon() {
        buffer.reserve(1)
        buffer.put(.colon)
        needsComma = false
    }

    // MARK: Shared steps

    /// Writes into room for so many bytes, plus one for a comma that may be due.
    @inlinable @inline(__always)
    mutating func put(_ room: Int, _ pieces: (inout ByteBuffer.Place) -> Void) {
        buffer.reserve(room + 1)
        let needsComma = needsComma
        buffer.put {
            $0.put(.comma, if: needsComma)
            pieces(&$0)
        }
    }

    /// Writes the rest of a string after its opening quote: a text and the closing quote.
    @inline(never)
    @usableFromInline mutating func endString(_ value: String) {
        if !buffer.putUnlessEscaped(value) { writeEscaped(value.utf8.span) }
        buffer.put(.quote)
        needsComma = true
    }

    // MARK: Escapes

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
