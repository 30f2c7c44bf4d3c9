internal import CPCRE2

/// A regular expression from outside: from a mock, a command, or a document of another backend.
///
/// The syntax is that of Java's, as far as PCRE2 has it, and a dot matches line breaks too, as in WireMock. Whatever the
/// pattern and the text, a match ends within a bound of steps, time and memory.
package final class PCRERegex: Sendable {
    /// What came of a comparison.
    package enum Outcome: Sendable {
        case matches
        case differs
        /// The bound was reached before it was known. It counts as no match.
        case givenUp
    }

    /// The longest pattern, in bytes.
    static let mostBytes = 16 * 1024

    /// The pattern, as it was written.
    package let source: String
    private let code: Code

    /// Whose syntax a pattern is in.
    package enum Syntax: Sendable {
        case java
        /// JavaScript's, as JSON Schema asks: a dot matches no line break, and brackets within a class stand for themselves.
        case ecma
    }

    /// Reads a pattern.
    ///
    /// - Throws: `PatternError`, with the place, for what is no pattern, and for syntax that isn't known here.
    package init(_ source: String, syntax: Syntax = .java) throws(PatternError) {
        guard source.utf8.count <= Self.mostBytes else {
            throw PatternError("the pattern has more than \(Self.mostBytes) bytes", at: 0, in: source)
        }
        let translated = try JavaSyntax.translate(source, syntax)
        self.source = source
        code = try Code(translated, source, syntax)
    }

    /// How many groups capture what they match.
    package var groups: Int { code.groups }

    /// How many nanoseconds of the processor one match may take, for a text of so many bytes.
    package static func time(forBytes count: Int) -> Int64 { 5_000_000 + 50 * Int64(count) }

    /// Compares the whole of a text.
    ///
    /// - Parameter time: how many nanoseconds of the processor are left for it, and afterwards for others. However little that
    ///   is, enough remains for a pattern that isn't dear.
    package func match(whole text: String, within time: inout Int64) -> Outcome {
        outcome(text, isWhole: true, within: &time)
    }

    /// Looks for the pattern anywhere in a text, within the bounds of ``match(whole:within:)``.
    package func search(_ text: String, within time: inout Int64) -> Outcome {
        outcome(text, isWhole: false, within: &time)
    }

    private func outcome(_ text: String, isWhole: Bool, within time: inout Int64) -> Outcome {
        var text = text
        return text.withUTF8 { bytes in
            let room = PCRELimits.borrow(forBytes: bytes.count)
            defer { room.giveBack() }
            return unsafe room.match(code, bytes, isWhole: isWhole, within: &time)
        }
    }

    /// What the first group captures in the first part of a text that matches; nil where nothing does.
    package func firstGroup(in text: String) -> String? {
        var time = Self.time(forBytes: text.utf8.count)
        return firstMatch(in: text, within: &time)?.dropFirst().first ?? nil
    }

    /// What the first part of a text that matches holds: all of it, and then each group; nil where nothing matches, or the
    /// bound was reached before that was known.
    ///
    /// - Parameter time: how many nanoseconds of the processor are left, and afterwards for others.
    package func firstMatch(in text: String, within time: inout Int64) -> [String?]? {
        var text = text
        return text.withUTF8 { bytes in
            let room = PCRELimits.borrow(forBytes: bytes.count, groups: code.groups)
            defer { room.giveBack() }
            guard unsafe room.match(code, bytes, isWhole: false, within: &time) == .matches else { return nil }
            return (0...code.groups).map { group in
                room.group(group).map { range in unsafe String(decoding: bytes[range], as: UTF8.self) }
            }
        }
    }
}

extension PCRERegex {
    /// The compiled pattern, which is only ever read.
    @safe final class Code: @unchecked Sendable {
        let pointer: OpaquePointer
        let groups: Int

        /// The errors about what Java and ICU know, at least in part: names of characters and their properties, and what looks
        /// back on texts of several lengths.
        private static let knownElsewhere = [
            PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH, PCRE2_ERROR_UNSUPPORTED_ESCAPE_SEQUENCE,
            PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY,
        ]

        /// - Parameters:
        ///   - translated: the pattern in PCRE2's syntax.
        ///   - source: the pattern as it was written.
        init(_ translated: JavaSyntax, _ source: String, _ syntax: Syntax) throws(PatternError) {
            var number: Int32 = 0
            var offset = 0
            let context = unsafe pcre2_compile_context_create_8(nil)
            defer { unsafe pcre2_compile_context_free_8(context) }
            // Java's own line breaks, but for three that nobody types.
            unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
            // A call before each part of the pattern lets the time be watched: the limit of steps counts no run along the text.
            // \C would tear characters apart.
            let dialect = syntax == .java ? PCRE2_DOTALL : PCRE2_DOLLAR_ENDONLY
            let options = PCRE2_UTF | dialect | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_BACKSLASH_C
            let pointer = unsafe translated.bytes.withUnsafeBufferPointer { bytes in
                unsafe pcre2_compile_8(bytes.baseAddress, bytes.count, options, &number, &offset, context)
            }
            guard let pointer = unsafe pointer else {
                throw PatternError(
                    Self.text(number),
                    at: translated.origin(of: offset),
                    in: source,
                    isUnknownHere: Self.knownElsewhere.contains(number)
                )
            }
            var groups: UInt32 = 0
            unsafe pcre2_pattern_info_8(pointer, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
            unsafe self.pointer = pointer
            self.groups = Int(groups)
        }

        deinit { unsafe pcre2_code_free_8(pointer) }

        private static func text(_ number: Int32) -> String {
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
                let count = unsafe pcre2_get_error_message_8(number, buffer.baseAddress, buffer.count)
                return unsafe String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
            }
        }
    }
}

/// Why a text can't be read as a pattern: what is wrong, and where.
package struct PatternError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package let text: String
    /// The place in the pattern, in characters from 1.
    package let column: Int
    /// Whether it is in order elsewhere, as in Java, and is only not known here.
    package let isUnknownHere: Bool

    /// - Parameter offset: the place, in bytes from 0.
    init(_ text: String, at offset: Int, in source: String, isUnknownHere: Bool = false) {
        self.text = text
        self.isUnknownHere = isUnknownHere
        column = 1 + String(decoding: source.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    }

    /// `missing closing parenthesis, at character 3`.
    package var description: String { "\(text), at character \(column)" }
}

extension JSONSchema {
    /// Reads a schema whose patterns are bounded regular expressions in JavaScript's syntax.
    ///
    /// - Parameter assertsFormats: Whether values must have the form that `format` names.
    /// - Throws: `ReadingError` for what isn't a schema, and for a reference that leads nowhere.
    package init(_ document: JSONValue, assertsFormats: Bool = false) throws(ReadingError) {
        try self.init(document, assertsFormats: assertsFormats) { source in
            let pattern = try PCRERegex(source, syntax: .ecma)
            return { text, time in
                switch pattern.search(text, within: &time) {
                case .matches: true
                case .differs: false
                case .givenUp: nil
                }
            }
        }
    }
}
