/// Strings: RFC 8259, sections 7 and 8.
extension JSONParser {
    mutating func string(_ bytes: Span<UInt8>) throws(BareJSONError) -> String {
        let quote = position
        position += 1
        let start = position
        skipPlainBytes(bytes)
        guard position < bytes.count, bytes[position] == .quote else {
            return try escapedString(bytes, openedAt: quote)
        }
        let text = try text(bytes.extracting(start..<position), at: start)
        position += 1
        return text
    }

    /// A string with escapes: its bytes are collected before they become text.
    private mutating func escapedString(_ bytes: Span<UInt8>, openedAt quote: Int) throws(BareJSONError) -> String {
        var gathered: [UInt8] = []
        var start = quote + 1
        while true {
            gathered += try text(bytes.extracting(start..<position), at: start).utf8
            guard position < bytes.count else { throw BareJSONError(kind: .unterminatedString, offset: quote) }
            switch bytes[position] {
            case .quote:
                position += 1
                let text = String(decoding: gathered, as: UTF8.self)
                guard !text.hasTooManyMarks else { throw BareJSONError(kind: .tooManyMarks, offset: quote) }
                return text
            case .backslash: gathered.append(contentsOf: String(Character(try escape(bytes))).utf8)
            case let byte: throw BareJSONError(kind: .controlByte(byte), offset: position)
            }
            start = position
            skipPlainBytes(bytes)
        }
    }

    /// The character of an escape.
    private mutating func escape(_ bytes: Span<UInt8>) throws(BareJSONError) -> Unicode.Scalar {
        let start = position
        guard position + 1 < bytes.count else { throw BareJSONError(kind: .invalidEscape, offset: start) }
        position += 2
        switch bytes[position - 1] {
        case .quote: return "\""
        case .backslash: return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(bytes, startingAt: start)
        default: throw BareJSONError(kind: .invalidEscape, offset: start)
        }
    }

    /// The character of a `\u` escape, or of a surrogate pair of two; `position` is after the `u`.
    private mutating func unicodeEscape(
        _ bytes: Span<UInt8>,
        startingAt start: Int
    ) throws(BareJSONError) -> Unicode.Scalar {
        let unit = try codeUnit(bytes, startingAt: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == .backslash,
            bytes[position + 1] == UInt8(ascii: "u")
        else {
            throw BareJSONError(kind: .loneSurrogate, offset: start)
        }
        let second = position
        position += 2
        let low = try codeUnit(bytes, startingAt: second)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else {
            throw BareJSONError(kind: .loneSurrogate, offset: start)
        }
        return scalar
    }

    /// Four hex digits.
    private mutating func codeUnit(_ bytes: Span<UInt8>, startingAt start: Int) throws(BareJSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = bytes[position].hexDigitValue else {
                throw BareJSONError(kind: .invalidEscape, offset: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// Moves to the next special byte of a string: a quote, a backslash, a control byte, or the end.
    private mutating func skipPlainBytes(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position] >= 0x20, bytes[position] != .quote, bytes[position] != .backslash
        {
            position += 1
        }
    }

    private func text(_ bytes: Span<UInt8>, at offset: Int) throws(BareJSONError) -> String {
        let text: String
        do {
            text = String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw BareJSONError(kind: .invalidUTF8, offset: offset + error.byteOffsets.lowerBound)
        }
        if let mark = text.excessMark { throw BareJSONError(kind: .tooManyMarks, offset: offset + mark) }
        return text
    }
}

extension UInt8 {
    fileprivate var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
