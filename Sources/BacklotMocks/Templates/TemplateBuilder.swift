import BacklotJSON

/// Makes a template's tree of its tags and the texts between them.
struct TemplateBuilder {
    /// A block that has no end yet.
    struct Open {
        var kind: TemplateBlock.Kind
        let expression: TemplateExpression
        /// The text that ends it.
        let name: String
        let hasFrame: Bool
        /// Whether it continues the block around it, as `else if` does, and ends with that.
        let isChained: Bool
        let offset: Int
        /// Whether a place in JSON was inside a string where it began.
        let quotes: JSONQuotes
        let isJSON: Bool
        var nodes: [TemplateNode] = []
        /// What stands before `else`; nil before that was read.
        var main: [TemplateNode]?
    }

    /// How deep blocks may stand in each other.
    static let mostNested = 32

    var scope: TemplateScope
    var opened: [Open] = []
    private var nodes: [TemplateNode] = []
    private var bytes: [UInt8] = []
    var quotes = JSONQuotes()
    var isJSON = false

    init(_ dialect: TemplateDialect) {
        scope = TemplateScope(dialect)
    }

    /// The finished tree.
    mutating func end() throws(TemplateMistake) -> [TemplateNode] {
        flush()
        try scope.checkNames()
        return nodes
    }

    // MARK: Parts

    mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    mutating func append(_ node: TemplateNode) {
        flush()
        if opened.isEmpty { nodes.append(node) } else { opened[opened.count - 1].nodes.append(node) }
    }

    mutating func flush() {
        guard !bytes.isEmpty else { return }
        let node = TemplateNode.bytes(bytes)
        bytes = []
        append(node)
    }

    /// Adds a whole text with tags.
    mutating func addText(_ text: String, isJSON: Bool) throws(TemplateMistake) {
        self.isJSON = isJSON
        try add(text)
    }

    /// Adds the text of a JSON string, without its quotes.
    mutating func addString(_ text: String) throws(TemplateMistake) {
        isJSON = true
        var inside = JSONQuotes()
        inside.read([UInt8(ascii: "\"")])
        quotes = inside
        try add(text, isDecoded: true)
    }

    /// - Parameter isDecoded: whether the text is that of a string, which is to be escaped yet.
    private mutating func add(_ text: String, isDecoded: Bool = false) throws(TemplateMistake) {
        let depth = opened.count
        let pieces: [TemplateScanner.Piece]
        do throws(TemplateMistake) {
            pieces = try TemplateScanner.pieces(of: text, trimsLines: scope.dialect == .own)
        } catch {
            throw error.located(at: error.offset ?? 0, in: text)
        }
        // Where a closing quote is left out, since the value before it brings its own.
        var dropsQuote = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let part):
                if isDecoded, isJSON {
                    JSONQuotes.appendEscaped(String(decoding: part, as: UTF8.self), to: &bytes)
                } else {
                    if isJSON { quotes.read(part) }
                    bytes += part.dropFirst(dropsQuote ? 1 : 0)
                }
                dropsQuote = false
            case .tag(let tag):
                do throws(TemplateMistake) {
                    if tag.isRaw, !isDecoded, isLone(pieces, index) {
                        bytes.removeLast()
                        dropsQuote = true
                        try addValue(tag.text, form: scope.dialect == .own ? .value : .lone)
                    } else {
                        try add(tag, isDecoded: isDecoded, depth)
                    }
                } catch {
                    throw error.located(at: error.offset ?? tag.offset, in: text)
                }
                scope.locate { $0.offset == nil ? $0.located(at: tag.offset, in: text) : $0 }
                quotes.hasJustOpened = false
            }
        }
        if opened.count > depth, let open = opened.last {
            throw TemplateMistake("a section has no end; write {{/\(open.name)}} after it")
                .located(at: open.offset, in: text)
        }
    }

    /// Whether a tag is all that stands in a JSON string.
    private func isLone(_ pieces: [TemplateScanner.Piece], _ index: Int) -> Bool {
        guard isJSON, quotes.isInside, quotes.hasJustOpened, bytes.last == UInt8(ascii: "\""),
            pieces.indices.contains(index + 1), case .text(let next) = pieces[index + 1]
        else { return false }
        return next.first == UInt8(ascii: "\"")
    }

    // MARK: Tags

    private mutating func add(_ tag: TemplateScanner.Tag, isDecoded: Bool, _ depth: Int) throws(TemplateMistake) {
        // Inside a string of a JSON text, quotes have a backslash before them.
        let isEncoded = isJSON && !isDecoded && quotes.isInside
        let text = isEncoded ? tag.text.replacing(#"\""#, with: "\"").replacing(#"\\"#, with: #"\"#) : tag.text
        switch tag.sign {
        case UInt8(ascii: "!"): break
        case UInt8(ascii: "#"): try open(text, isInverted: false, at: tag.offset)
        case UInt8(ascii: "^") where text.isEmpty: try addElse("", depth, at: tag.offset)
        case UInt8(ascii: "^"): try open(text, isInverted: true, at: tag.offset)
        case UInt8(ascii: "/"): try close(text, depth)
        case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "$"):
            throw TemplateMistake("{{\(tag.shown)}} takes text from another template, and there are no others here")
        case .some:
            throw TemplateMistake("{{\(tag.shown)}} is not known here; tags have two braces, and bodies their type")
        case nil:
            guard !text.isEmpty else { throw TemplateMistake("the tag is empty; write a name in it") }
            if !tag.isRaw, text == "else" || text.hasPrefix("else ") {
                return try addElse(String(text.dropFirst(5)), depth, at: tag.offset)
            }
            try addValue(text, form: form(isRaw: tag.isRaw))
        }
    }

    func form(isRaw: Bool) -> TemplateForm {
        guard isJSON else { return .text }
        if quotes.isInside { return isRaw ? .text : .escaped }
        return scope.dialect == .own ? .value : .text
    }

    mutating func addValue(_ text: String, form: TemplateForm) throws(TemplateMistake) {
        let result = try TemplateTagParser.read(text, &scope)
        guard result.parameters.isEmpty else {
            throw TemplateMistake("{{\(text)}} is no block, so that nothing can stand after 'as'")
        }
        append(.value(result.expression, form))
    }
}

extension TemplateScanner.Tag {
    /// The text between the braces.
    fileprivate var shown: String {
        guard let sign else { return text }
        return "\(Unicode.Scalar(sign)) \(text)"
    }
}
