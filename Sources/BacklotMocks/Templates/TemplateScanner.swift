import BacklotHTTP

/// Cuts a text into tags and the texts between them.
struct TemplateScanner {
    struct Tag: Equatable {
        /// Its first character: `#`, `^`, `/`, `!` and unknown signs; nil for a value.
        var sign: UInt8?
        /// The text between the braces, without the sign, `~` and surrounding blanks.
        var text: String
        /// Whether it is `{{{x}}}` or `{{&x}}`.
        var isRaw: Bool
        /// The place of its first brace in the text, in bytes.
        var offset: Int

        /// The condition after `else`, which may be empty; nil for other tags.
        var elseCondition: String? {
            guard sign == nil, !isRaw, text == "else" || text.hasPrefix("else ") else { return nil }
            return text.dropFirst(4).withoutBlanks
        }
    }

    enum Piece: Equatable {
        case text([UInt8])
        case tag(Tag)
    }

    private static let signs: [UInt8] = Array("#^/!>$=%*<".utf8)
    private static let brace = UInt8(ascii: "{")

    private let bytes: [UInt8]
    private var pieces: [Piece] = []
    private var text: [UInt8] = []
    /// Whether a `~` before the text removes the blanks at its start.
    private var trimsStart = false

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The pieces of a text.
    ///
    /// - Parameter trimsLines: whether tags without output on a separate line remove that line, as in Mustache.
    /// - Throws: for a tag without an end.
    static func pieces(of text: String, trimsLines: Bool) throws(TemplateError) -> [Piece] {
        var scanner = TemplateScanner(text)
        try scanner.scan()
        if trimsLines { scanner.removeTagLines() }
        return scanner.pieces
    }

    /// The only piece of a text, if it is a tag.
    static func onlyTag(of text: String) -> Tag? {
        guard text.hasPrefix("{{"), let pieces = try? pieces(of: text, trimsLines: false), pieces.count == 1,
            case .tag(let tag) = pieces[0]
        else { return nil }
        return tag
    }

    /// Whether there may be tags in a text.
    static func hasTags(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == brace, before == byte { return true }
            before = byte
        }
        return false
    }

    /// The starts of runs of two and more braces, where tags begin, also in the source of a file.
    static func openings(in bytes: some RandomAccessCollection<UInt8>) -> [Int] {
        var (openings, run) = ([Int](), 0)
        for (index, byte) in bytes.enumerated() {
            run = byte == brace ? run + 1 : 0
            if run == 2 { openings.append(index - 1) }
        }
        return openings
    }

    private mutating func scan() throws(TemplateError) {
        var (from, index) = (0, 0)
        while index + 1 < bytes.count {
            guard bytes[index] == Self.brace, bytes[index + 1] == Self.brace else {
                index += 1
                continue
            }
            text += bytes[from..<index]
            if text.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count.isMultiple(of: 2) {
                index = try tag(at: index)
                from = index
            } else {
                // The backslash is removed, and the braces stay.
                text.removeLast()
                from = index
                index += bytes[index...].prefix { $0 == Self.brace }.count
            }
        }
        text += bytes[from...]
        endText()
    }

    private mutating func endText() {
        if trimsStart { text.removeFirst(text.prefix(while: Self.isBlank).count) }
        trimsStart = false
        if !text.isEmpty { pieces.append(.text(text)) }
        text = []
    }

    /// Reads the tag with braces that begin at a place.
    ///
    /// - Returns: the place after it.
    private mutating func tag(at start: Int) throws(TemplateError) -> Int {
        let braces = bytes[start...].prefix { $0 == Self.brace }.count
        guard braces <= 3 else {
            throw TemplateError("four braces begin nothing here; write two, or three for an unchanged value", start)
        }
        var inner = start + braces
        if inner < bytes.count, bytes[inner] == UInt8(ascii: "~") {
            text.removeLast(text.reversed().prefix(while: Self.isBlank).count)
            inner += 1
        }
        endText()
        let end = try end(from: inner, braces, at: start)
        var content = bytes[inner..<end]
        if content.last == UInt8(ascii: "~") {
            trimsStart = true
            content.removeLast()
        }
        content = content.drop(while: Self.isBlank)
        var tag = Tag(text: "", isRaw: braces == 3, offset: start)
        if content.first == UInt8(ascii: "&") {
            tag.isRaw = true
            content.removeFirst()
        } else if let first = content.first, Self.signs.contains(first), !tag.isRaw {
            tag.sign = first
            content.removeFirst()
        }
        content = content.drop(while: Self.isBlank)
        content.removeLast(content.reversed().prefix(while: Self.isBlank).count)
        tag.text = String(decoding: content, as: UTF8.self)
        pieces.append(.tag(tag))
        return end + braces
    }

    /// The place of the closing braces; those in quotes don't count.
    private func end(from start: Int, _ braces: Int, at tag: Int) throws(TemplateError) -> Int {
        let isComment = bytes[start...].first == UInt8(ascii: "!")
        if isComment, bytes[start...].starts(with: "!--".utf8) {
            for index in (start + 3)..<max(start + 3, bytes.count - 1) where bytes[index...].starts(with: "}}".utf8) {
                let before = String(decoding: bytes[..<index].suffix(3), as: UTF8.self)
                if before.hasSuffix("--") || before == "--~" { return index }
            }
            throw TemplateError("the comment has no end: write --}} after it", tag)
        }
        var quote: Int?
        var run = 0
        for index in start..<bytes.count {
            if let open = quote {
                if bytes[index] == bytes[open] { quote = nil }
                continue
            }
            if !isComment, opensQuote(index, from: start) { quote = index }
            run = bytes[index] == UInt8(ascii: "}") ? run + 1 : 0
            if run == braces { return index + 1 - braces }
        }
        // Braces after the quote are probably the intended end of the tag.
        if let quote, bytes[quote...].contains(UInt8(ascii: "}")) {
            let mark = Unicode.Scalar(bytes[quote])
            throw TemplateError("a quote in the tag has no end: write \(mark) after the text", tag)
        }
        throw TemplateError("the tag has no end: write }}\(braces == 3 ? "}" : "") after its name", tag)
    }

    /// Whether a quoted text begins at a place; in other places, quotes are part of a word.
    private func opensQuote(_ index: Int, from start: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") else { return false }
        // Inside a JSON string, quotes have a backslash before them.
        return index == start || Self.isBlank(bytes[index - 1]) || "(=\\".utf8.contains(bytes[index - 1])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }

    // MARK: Lines

    /// Removes the blanks and the line break around tags without output on a separate line (Mustache's standalone tags).
    private mutating func removeTagLines() {
        // Whether the text before the tag begins a line: the line break before it was removed.
        var beginsLine = true
        for index in pieces.indices {
            guard case .tag(let tag) = pieces[index] else { continue }
            var before: [UInt8]? = index == 0 ? [] : nil
            if index > 0, case .text(let text) = pieces[index - 1] { before = text }
            let isSilent = tag.sign.map("#^/!".utf8.contains) ?? (tag.elseCondition != nil)
            let line = before?.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count ?? 0
            guard isSilent, let before = before?.dropLast(line), before.last.map({ $0 == 0x0A }) ?? beginsLine else {
                beginsLine = false
                continue
            }
            beginsLine = takeLineEnd(after: index)
            if index > 0, beginsLine || index + 1 == pieces.count { pieces[index - 1] = .text(Array(before)) }
        }
    }

    /// Removes the rest of the line after a tag if there are only blanks.
    private mutating func takeLineEnd(after index: Int) -> Bool {
        guard index + 1 < pieces.count, case .text(let text) = pieces[index + 1] else { return false }
        var rest = text.drop { $0 == 0x20 || $0 == 0x09 }
        if rest.first == 0x0D { rest.removeFirst() }
        guard rest.first == 0x0A || rest.isEmpty && index + 2 == pieces.count else { return false }
        pieces[index + 1] = .text(Array(rest.dropFirst()))
        return true
    }
}
