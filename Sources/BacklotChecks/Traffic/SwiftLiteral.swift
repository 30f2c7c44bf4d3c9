internal import BacklotClients

extension String {
    /// The text as a string literal of Swift, on one line. What changes the direction of writing is written as an escape, so that
    /// the source reads as it runs.
    var swiftLiteral: String {
        inQuotes.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.value {
            case 0x80...0x9F, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB,
                0xE0001...0xE007F:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text within a comment's code voice, on one line.
    var inComment: String { String(filter { !$0.isNewline && $0 != "`" }) }

    /// The words of letters and digits in it, in ASCII.
    var identifierWords: [Substring] { split { !$0.isASCII || !$0.isLetter && !$0.isNumber } }

    /// `NOTES_PASSWORD` as `notesPassword`.
    var lowerCamelCase: String {
        let words = identifierWords.map { $0.lowercased() }
        return words.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    }

    /// Whether a type can have this name.
    var isSwiftIdentifier: Bool {
        let reserved: Set<String> = ["Any", "Self", "Type", "Protocol", "_"]
        return first.map { $0.isLetter || $0 == "_" } == true && !reserved.contains(self)
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && first?.isUppercase == true
    }
}
