/// A document as Swift code, in the DSL of its protocol.
package struct SwiftSource: Sendable {
    /// A part of the document that the code lacks.
    package struct Omission: Sendable, Equatable, CustomStringConvertible {
        /// The location, as a JSON pointer (RFC 6901).
        package let pointer: String
        /// The missing part and the reason, as a sentence.
        package let text: String

        package init(pointer: String, text: String) {
            self.pointer = pointer
            self.text = text
        }

        package var description: String { "\(pointer): \(text)" }
    }

    /// The code: an expression on one line or more, with a line break at its end.
    package let text: String
    /// The missing parts. The code lists them in comments too.
    package let omissions: [Omission]

    package init(text: String, omissions: [Omission]) {
        self.text = text
        self.omissions = omissions
    }
}

extension SwiftSource {
    /// The error for a document that can't be written in Swift.
    package struct ReadingError: Error, CustomStringConvertible {
        /// The line of the text, from 1; nil if unknown.
        package let line: Int?
        /// The location in the document, and the problem.
        package let text: String

        package init(line: Int?, text: String) {
            self.line = line
            self.text = text
        }

        /// Shortens a location that is too long to read.
        package init(_ error: DocumentError, line: Int?) {
            let place = error.pointer.isEmpty ? "the document" : error.pointer.excerpt(upTo: 200)
            self.init(line: line, text: "\(place) \(error.problem)")
        }

        package var description: String { line.map { "line \($0): \(text)" } ?? text }
    }

    /// The maximum number of JSON levels, which is the reader's limit.
    private static let deepestJSON = 512

    /// Converts a JSON text to Swift.
    ///
    /// - Parameter write: ``Vocabulary/swiftSource``.
    package static func source(
        of json: [UInt8],
        by write: (JSONValue) throws(DocumentError) -> SwiftSource
    ) throws(ReadingError) -> SwiftSource {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: json, depthLimit: deepestJSON)
        } catch {
            if case .tooDeep(let limit) = error.kind {
                let text =
                    "more than \(limit) arrays and objects stand in each other, and the parsers of phones crash on so deep a page"
                throw ReadingError(line: error.line, text: "\(text): nest less")
            }
            throw ReadingError(line: error.line, text: "this is no JSON: \(error.kind)")
        }
        do {
            return try write(document)
        } catch {
            throw ReadingError(error, line: JSONPlaces(json).line(of: error.pointer))
        }
    }
}

extension String {
    /// The text in double quotes, on one line: line breaks and other control characters become escapes.
    package var inQuotes: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControl: text += scalar.swiftEscape
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// The text as a string literal of Swift, on one line. Characters that change the direction of writing become escapes, so that
    /// the source reads as it runs.
    package var swiftLiteral: String { inQuotes.withVisibleScalars }

    /// The text for a comment in Swift: on one line, and without characters that change the direction of writing.
    package var swiftComment: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl { text += scalar.swiftEscape } else { text.unicodeScalars.append(scalar) }
        }.withVisibleScalars
    }

    /// The text's words of ASCII letters and digits.
    package var identifierWords: [Substring] { split { !$0.isASCII || !$0.isLetter && !$0.isNumber } }

    /// `NOTES_PASSWORD` as `notesPassword`.
    package var lowerCamelCase: String {
        identifierWords.map { $0.lowercased() }.enumerated().map {
            $0 == 0 ? $1 : $1 == "url" ? "URL" : $1.prefix(1).uppercased() + $1.dropFirst()
        }.joined()
    }

    private static let swiftKeywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var", "where", "while",
    ]

    /// Whether the text is a word of Swift, so that it can't be a name.
    package var isSwiftKeyword: Bool { Self.swiftKeywords.contains(self) }

    private var withVisibleScalars: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.value {
            case 0x80...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB,
                0xE0001...0xE007F:
                text += scalar.swiftEscape
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }
    fileprivate var swiftEscape: String { "\\u{\(String(value, radix: 16))}" }
}
