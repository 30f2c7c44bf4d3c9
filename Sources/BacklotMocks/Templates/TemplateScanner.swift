/// Cuts a text into what stands between tags, and tags.
struct TemplateScanner {
    enum Piece: Equatable {
        case text(Substring)
        /// What stands between the braces, without blanks around it. `isRaw` of `{{{x}}}` and `{{&x}}`.
        case tag(String, isRaw: Bool, offset: Int)
    }

    /// The beginnings of tags that are more than a name.
    private static let signs: Set<Character> = ["#", "^", "/", "!", ">", "<", "$", "=", "%", "*"]

    /// The pieces of a text.
    ///
    /// - Throws: when a tag has no end.
    static func pieces(of text: String) throws(TemplateMistake) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{")?.lowerBound {
            if start > rest.startIndex { pieces.append(.text(rest[..<start])) }
            let isTriple = rest[start...].hasPrefix("{{{")
            let inner = rest.index(start, offsetBy: isTriple ? 3 : 2)
            let offset = text.distance(from: text.startIndex, to: start)
            guard let end = rest[inner...].firstRange(of: isTriple ? "}}}" : "}}") else {
                throw TemplateMistake(
                    "the tag has no end: write }}\(isTriple ? "}" : "") after its name",
                    offset: offset
                )
            }
            var name = rest[inner..<end.lowerBound]
            let isRaw = isTriple || name.hasPrefix("&")
            if name.hasPrefix("&") { name = name.dropFirst() }
            pieces.append(.tag(name.split(separator: " ").joined(separator: " "), isRaw: isRaw, offset: offset))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(rest)) }
        return pieces
    }

    /// Whether a tag is just a name.
    static func isPlain(_ tag: String) -> Bool {
        guard let first = tag.first, !signs.contains(first), tag != "." else { return false }
        return !tag.contains { $0 == "(" || $0 == " " }
    }
}
