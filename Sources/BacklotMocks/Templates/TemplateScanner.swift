/// Cuts a text into tags and the texts between them.
struct TemplateScanner {
    enum Piece: Equatable {
        case text(Substring)
        /// The text between the braces, without blanks around it. `isRaw` is true for `{{{x}}}` and `{{&x}}`; the offset is in bytes.
        case tag(String, isRaw: Bool, offset: Int)
    }

    /// The beginnings of tags that are more than a name.
    private static let signs: Set<Character> = ["#", "^", "/", "!", ">", "<", "$", "=", "%", "*"]

    /// The pieces of a text.
    ///
    /// - Throws: when a tag has no end.
    static func pieces(of text: String) throws(TemplateMistake) -> [Piece] {
        let bytes = text.utf8.span
        func part(_ range: Range<Int>) -> Substring {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return text[start..<text.utf8.index(start, offsetBy: range.count)]
        }
        var pieces: [Piece] = []
        var from = 0
        while let start = find("{", 2, in: bytes, from: from) {
            if start > from { pieces.append(.text(part(from..<start))) }
            let isTriple = start + 2 < bytes.count && bytes[start + 2] == UInt8(ascii: "{")
            let braces = isTriple ? 3 : 2
            guard let end = find("}", braces, in: bytes, from: start + braces) else {
                throw TemplateMistake(
                    "the tag has no end: write }}\(isTriple ? "}" : "") after its name",
                    offset: start
                )
            }
            var name = part((start + braces)..<end)
            let isRaw = isTriple || name.hasPrefix("&")
            if name.hasPrefix("&") { name = name.dropFirst() }
            pieces.append(.tag(name.split(separator: " ").joined(separator: " "), isRaw: isRaw, offset: start))
            from = end + braces
        }
        if from < bytes.count { pieces.append(.text(part(from..<bytes.count))) }
        return pieces
    }

    /// Whether there may be tags in a text.
    static func hasTags(_ text: String) -> Bool { find("{", 2, in: text.utf8.span, from: 0) != nil }

    /// The place where a byte comes `count` times in a row.
    private static func find(_ brace: Unicode.Scalar, _ count: Int, in bytes: Span<UInt8>, from: Int) -> Int? {
        let byte = UInt8(ascii: brace)
        var run = 0
        for index in from..<max(from, bytes.count) {
            run = bytes[index] == byte ? run + 1 : 0
            if run == count { return index + 1 - count }
        }
        return nil
    }

    /// Whether a tag is just a name.
    static func isPlain(_ tag: String) -> Bool {
        guard let first = tag.first, !signs.contains(first), tag != "." else { return false }
        return !tag.contains { $0 == "(" || $0 == " " }
    }
}
