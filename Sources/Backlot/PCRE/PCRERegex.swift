internal import CPCRE2

/// A regular expression from outside: from a mock, a command, or a document of another backend.
///
/// The syntax is Java's, as far as PCRE2 supports it. A dot matches line breaks too, as in WireMock. Every match ends within a
/// limit of steps, time and memory.
package final class PCRERegex: Sendable {
    /// The outcome of a match.
    package enum Outcome: Sendable {
        case matches
        case differs
        /// The match reached a limit. It counts as no match.
        case givenUp
    }

    /// The maximum size of a pattern, in bytes.
    static let mostBytes = 16 * 1024

    /// The original pattern.
    package let source: String
    private let code: Code

    /// The syntax of a pattern.
    package enum Syntax: Sendable {
        case java
        /// JavaScript's, which JSON Schema uses: a dot matches no line break, and brackets within a class are literal.
        case ecma
    }

    /// Reads a pattern.
    ///
    /// - Throws: `PatternError` with the position, for an invalid pattern and for unsupported syntax.
    package init(_ source: String, syntax: Syntax = .java) throws(PatternError) {
        guard source.utf8.count <= Self.mostBytes else {
            throw PatternError("the pattern has more than \(Self.mostBytes) bytes", at: 0, in: source)
        }
        let translated = try JavaSyntax.translate(source, syntax)
        self.source = source
        code = try Code(translated, source, syntax)
    }

    /// The number of capturing groups.
    package var groups: Int { code.groups }

    /// The maximum processor time of one match, in nanoseconds, for a text of so many bytes.
    package static func time(forBytes count: Int) -> Int64 { 5_000_000 + 50 * Int64(count) }

    /// Matches a text as a whole.
    ///
    /// - Parameter time: the remaining nanoseconds of processor time, which the match reduces. A cheap pattern can always run.
    package func match(whole text: String, within time: inout Int64) -> Outcome {
        outcome(text, isWhole: true, within: &time)
    }

    /// Looks for the pattern anywhere in a text, within the limits of ``match(whole:within:)``.
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

    /// The text of the first group in the first match; nil without a match.
    package func firstGroup(in text: String) -> String? {
        var time = Self.time(forBytes: text.utf8.count)
        return firstMatch(in: text, within: &time)?.dropFirst().first ?? nil
    }

    /// The first match: its whole text, and then each group. nil without a match, or if the match reached a limit.
    ///
    /// - Parameter time: the remaining nanoseconds of processor time, which the match reduces.
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
    /// The compiled pattern, which never changes.
    @safe final class Code: @unchecked Sendable {
        let pointer: OpaquePointer
        let groups: Int

        /// The errors about syntax that Java and ICU support at least in part: names and properties of characters, and lookbehind
        /// with several lengths.
        private static let knownElsewhere = [
            PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH, PCRE2_ERROR_UNSUPPORTED_ESCAPE_SEQUENCE,
            PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY,
        ]

        /// - Parameters:
        ///   - translated: the pattern in PCRE2's syntax.
        ///   - source: the original pattern.
        init(_ translated: JavaSyntax, _ source: String, _ syntax: Syntax) throws(PatternError) {
            var number: Int32 = 0
            var offset = 0
            let context = unsafe pcre2_compile_context_create_8(nil)
            defer { unsafe pcre2_compile_context_free_8(context) }
            // Java's line breaks, except three rare ones.
            unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
            // A callout before each part of the pattern checks the time: the limit of steps doesn't count a run along the text. \C
            // would split characters.
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

/// A syntax error in a pattern, with its position.
package struct PatternError: Error, Equatable, CustomStringConvertible {
    /// The problem.
    package let text: String
    /// The position in the pattern, in characters from 1.
    package let column: Int
    /// Whether the syntax is valid elsewhere, such as in Java, but isn't supported here.
    package let isUnknownHere: Bool

    /// - Parameter offset: the position, in bytes from 0.
    init(_ text: String, at offset: Int, in source: String, isUnknownHere: Bool = false) {
        self.text = text
        self.isUnknownHere = isUnknownHere
        column = 1 + String(decoding: source.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    }

    /// `missing closing parenthesis, at character 3`.
    package var description: String { "\(text), at character \(column)" }
}

extension JSONSchema {
    /// Reads a schema. Its patterns are bounded regular expressions in JavaScript's syntax.
    ///
    /// - Parameter assertsFormats: Whether values must have the form that `format` names.
    /// - Throws: `ReadingError` for an invalid schema, and for a reference without a target.
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
