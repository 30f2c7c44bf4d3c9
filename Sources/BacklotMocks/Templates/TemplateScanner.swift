/// Cuts a text into tags and the texts between them.
struct TemplateScanner {
    struct Tag: Equatable {
        /// What it begins with: `#`, `^`, `/`, `!` and signs that mean nothing here; nil for a value.
        var sign: UInt8?
        /// What stands between the braces, without sign, `~` and blanks around it.
        var text: String
        /// Whether it is `{{{x}}}` or `{{&x}}`.
        var isRaw: Bool
        /// The place of its first brace in the text, in bytes.
        var offset: Int
    }

    enum Piece: Equatable {
        case text([UInt8])
        case tag(Tag)
    }

    private static let signs: [UInt8] = Array("#^/!>$=%*<".utf8)

    private let bytes: [UInt8]
    private var pieces: [Piece] = []
    private var text: [UInt8] = []
    /// Whether a `~` before the text takes away the blanks at its start.
    private var trimsStart = false

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The pieces of a text.
    ///
    /// - Parameter trimsLines: whether tags that write nothing and have a line to themselves take that line with them, as in
    ///   Mustache.
    /// - Throws: when a tag has no end.
    static func pieces(of text: String, trimsLines: Bool) throws(TemplateMistake) -> [Piece] {
        var scanner = TemplateScanner(text)
        try scanner.scan()
        if trimsLines { scanner.removeTagLines() }
        return scanner.pieces
    }

    /// Whether there may be tags in a text.
    static func hasTags(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), before == byte { return true }
            before = byte
        }
        return false
    }

    private mutating func scan() throws(TemplateMistake) {
        var from = 0
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") else {
                index += 1
                continue
            }
            append(from..<index)
            if isEscaped(at: index) {
                // The backslash goes, and the braces stay.
                text.removeLast()
                from = index
                index = runEnd(of: UInt8(ascii: "{"), from: index)
                continue
            }
            index = try tag(at: index)
            from = index
        }
        append(from..<bytes.count)
        endText()
    }

    private func isEscaped(at index: Int) -> Bool {
        var count = 0
        while count < text.count, text[text.count - 1 - count] == UInt8(ascii: "\\") { count += 1 }
        return !count.isMultiple(of: 2)
    }

    private func runEnd(of byte: UInt8, from index: Int) -> Int {
        var end = index
        while end < bytes.count, bytes[end] == byte { end += 1 }
        return end
    }

    private mutating func append(_ range: Range<Int>) {
        text += bytes[range]
    }

    private mutating func endText() {
        if trimsStart { text.removeFirst(text.prefix { Self.isBlank($0) }.count) }
        trimsStart = false
        if !text.isEmpty { pieces.append(.text(text)) }
        text = []
    }

    /// Reads the tag whose braces begin at a place.
    ///
    /// - Returns: the place after it.
    private mutating func tag(at start: Int) throws(TemplateMistake) -> Int {
        let braces = start + 2 < bytes.count && bytes[start + 2] == UInt8(ascii: "{") ? 3 : 2
        if braces == 3, runEnd(of: UInt8(ascii: "{"), from: start) - start > 3 {
            throw TemplateMistake(
                "four braces begin nothing here; write two, or three for an unchanged value",
                offset: start
            )
        }
        var inner = start + braces
        if isTilde(inner) {
            text.removeLast(text.reversed().prefix { Self.isBlank($0) }.count)
            inner += 1
        }
        endText()
        let isLongComment = bytes[inner...].starts(with: "!--".utf8)
        guard let end = isLongComment ? commentEnd(inner) : end(from: inner, braces) else {
            if isLongComment { throw TemplateMistake("the comment has no end: write --}} after it", offset: start) }
            if let quote = openQuote(from: inner) {
                throw TemplateMistake(
                    "a quote in the tag has no end: write \(Unicode.Scalar(bytes[quote])) after the text",
                    offset: start
                )
            }
            throw TemplateMistake("the tag has no end: write }}\(braces == 3 ? "}" : "") after its name", offset: start)
        }
        var last = end
        if last > inner, isTilde(last - 1) {
            trimsStart = true
            last -= 1
        }
        var isRaw = braces == 3
        var sign: UInt8?
        while inner < last, Self.isBlank(bytes[inner]) { inner += 1 }
        if inner < last {
            if bytes[inner] == UInt8(ascii: "&") {
                isRaw = true
                inner += 1
            } else if Self.signs.contains(bytes[inner]), !isRaw {
                sign = bytes[inner]
                inner += 1
            }
        }
        var name = bytes[inner..<max(inner, last)]
        while let byte = name.first, Self.isBlank(byte) { name.removeFirst() }
        while let byte = name.last, Self.isBlank(byte) { name.removeLast() }
        let text = String(decoding: name, as: UTF8.self)
        pieces.append(.tag(Tag(sign: sign, text: text, isRaw: isRaw, offset: start)))
        return end + braces
    }

    private func isTilde(_ index: Int) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: "~") }

    private func commentEnd(_ from: Int) -> Int? {
        var index = from + 3
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}"),
                bytes[..<index].hasSuffix("--") || bytes[..<index].hasSuffix("--~")
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// The place of the closing braces; those in quotes don't count.
    private func end(from start: Int, _ braces: Int) -> Int? {
        let isComment = start < bytes.count && bytes[start] == UInt8(ascii: "!")
        var quote: UInt8?
        var run = 0
        for index in start..<max(start, bytes.count) {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            if !isComment, opensQuote(index, from: start) { quote = byte }
            run = byte == UInt8(ascii: "}") ? run + 1 : 0
            if run == braces { return index + 1 - braces }
        }
        return nil
    }

    /// Whether a text in quotes begins at a place: in other places quotes are part of a word.
    private func opensQuote(_ index: Int, from start: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") else { return false }
        guard index > start else { return true }
        // Inside a JSON string, quotes have a backslash before them.
        let before = bytes[index - 1]
        return Self.isBlank(before) || "(=\\".utf8.contains(before)
    }

    /// The place of a quote that isn't closed before the tag's line ends; nil when the tag just lacks its braces.
    private func openQuote(from start: Int) -> Int? {
        var quote: Int?
        for index in start..<max(start, bytes.count) {
            let byte = bytes[index]
            if let open = quote {
                if byte == bytes[open] { quote = nil }
            } else if opensQuote(index, from: start) {
                quote = index
            }
        }
        // Braces after the quote show that the tag was meant to end there.
        guard let quote, bytes[quote...].contains(UInt8(ascii: "}")) else { return nil }
        return quote
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension TemplateScanner {
    /// Takes away the blanks and the line break around tags that have a line to themselves and write nothing (Mustache's standalone
    /// tags).
    private mutating func removeTagLines() {
        // Whether the text before the tag begins a line: the line break before it was removed.
        var beginsLine = true
        for index in pieces.indices {
            guard case .tag(let tag) = pieces[index], tag.writesNothing else {
                if case .tag = pieces[index] { beginsLine = false }
                continue
            }
            var before: [UInt8]?
            if index > 0 {
                guard case .text(let text) = pieces[index - 1] else {
                    beginsLine = false
                    continue
                }
                let line = text.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
                let start = text.count - line
                guard start > 0 ? text[start - 1] == 0x0A : beginsLine else {
                    beginsLine = false
                    continue
                }
                before = Array(text[..<start])
            }
            takeLineEnd(after: index, &beginsLine)
            if let before, beginsLine || index + 1 == pieces.count { pieces[index - 1] = .text(before) }
        }
    }

    /// Removes the rest of the line after a tag if there are only blanks.
    private mutating func takeLineEnd(after index: Int, _ beginsLine: inout Bool) {
        beginsLine = false
        guard index + 1 < pieces.count, case .text(let text) = pieces[index + 1] else { return }
        var end = text.prefix { $0 == 0x20 || $0 == 0x09 }.count
        if end < text.count, text[end] == 0x0D { end += 1 }
        if end < text.count {
            guard text[end] == 0x0A else { return }
            end += 1
        } else if index + 2 != pieces.count {
            return
        }
        pieces[index + 1] = .text(Array(text[end...]))
        beginsLine = true
    }
}

extension TemplateScanner.Tag {
    /// Whether nothing is written where it stands.
    fileprivate var writesNothing: Bool {
        if let sign { return "#^/!".utf8.contains(sign) }
        return !isRaw && (text == "else" || text.hasPrefix("else "))
    }
}

extension Collection<UInt8> {
    /// Whether the bytes end with those of a text.
    fileprivate func hasSuffix(_ text: String) -> Bool {
        count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
