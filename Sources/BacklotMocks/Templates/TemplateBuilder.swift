import BacklotJSON

/// Makes a template's tree of its tags and the texts between them.
struct TemplateBuilder {
    /// A block that has no end yet.
    private struct Open {
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
    private static let mostNested = 32

    var scope: TemplateScope
    private var opened: [Open] = []
    private var nodes: [TemplateNode] = []
    private var bytes: [UInt8] = []
    private var quotes = JSONQuotes()
    private var isJSON = false

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

    private mutating func flush() {
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

    private func form(isRaw: Bool) -> TemplateForm {
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

    // MARK: Blocks

    /// Begins a block.
    mutating func open(
        _ text: String,
        isInverted: Bool,
        isChained: Bool = false,
        at offset: Int
    ) throws(TemplateMistake) {
        guard opened.count < Self.mostNested else {
            throw TemplateMistake("more than \(Self.mostNested) sections stand in each other")
        }
        guard !text.isEmpty else { throw TemplateMistake("the tag is empty; write a name in it") }
        let word = String(text.prefix { !$0.isWhitespace })
        let rest = String(text.dropFirst(word.count)).withoutBlanks
        var kind: TemplateBlock.Kind
        let result: TemplateTagParser.Result
        var isLoop = false
        var name = word
        switch word {
        case "if", "unless":
            result = try TemplateTagParser.readArgument(rest, of: word, &scope)
            kind = .condition(isInverted: (word == "unless") != isInverted)
        case "each":
            result = try TemplateTagParser.readArgument(rest, of: word, &scope)
            (kind, isLoop) = (.each, true)
        case "with":
            result = try TemplateTagParser.readArgument(rest, of: word, &scope)
            kind = .with
        default:
            let helper = TemplateHelper.all[word]
            if let helper, !rest.isEmpty || helper.arguments.contains(1) && helper.hasContent,
                !isInverted || helper.isCondition
            {
                (kind, result) = try helperBlock(helper, text, isInverted)
                if case .join = kind { isLoop = true }
            } else if !rest.isEmpty, TemplateHelper.all[word] == nil, !rest.hasPrefix("as ") {
                result = try TemplateTagParser.read(text, isWhole: true, &scope)
                kind = .section
            } else {
                result = try TemplateTagParser.read(text, isWhole: true, &scope)
                kind = isInverted ? .inverted : .section
                isLoop = !isInverted
                name = text
            }
        }
        let hasFrame: Bool
        switch kind {
        case .each, .with, .section, .join: hasFrame = true
        case .condition, .inverted, .content: hasFrame = false
        }
        flush()
        opened.append(
            Open(
                kind: kind,
                expression: result.expression,
                name: name,
                hasFrame: hasFrame,
                isChained: isChained,
                offset: offset,
                quotes: quotes,
                isJSON: isJSON
            )
        )
        if hasFrame { scope.frames.append(.init(isLoop: isLoop, parameters: result.parameters)) }
        switch kind {
        // What a helper takes is plain text.
        case .content, .join: isJSON = false
        default: break
        }
    }

    private mutating func helperBlock(
        _ helper: TemplateHelper,
        _ text: String,
        _ isInverted: Bool
    ) throws(TemplateMistake) -> (TemplateBlock.Kind, TemplateTagParser.Result) {
        switch helper.block {
        case .condition:
            return (.condition(isInverted: isInverted), try TemplateTagParser.read(text, isWhole: true, &scope))
        case .content:
            return (.content(form(isRaw: false)), try TemplateTagParser.readBlock(text, &scope))
        case .join: return (.join(form(isRaw: false)), try TemplateTagParser.read(text, isWhole: true, &scope))
        case .none:
            throw TemplateMistake("the helper '\(helper.name)' is no block; write {{\(text)}}")
        }
    }

    /// Ends the first part of a block.
    mutating func addElse(_ condition: String, _ depth: Int, at offset: Int) throws(TemplateMistake) {
        flush()
        guard opened.count > depth else {
            throw TemplateMistake("{{else}} stands in no section; write it between {{#if …}} and {{/if}}")
        }
        let last = opened.count - 1
        guard opened[last].main == nil else {
            throw TemplateMistake("the section has an {{else}} already; remove one of the two")
        }
        switch opened[last].kind {
        case .content, .join: throw TemplateMistake("{{#\(opened[last].name)}} has no {{else}}")
        default: break
        }
        opened[last].main = opened[last].nodes
        opened[last].nodes = []
        // What stands after it isn't about the element.
        if opened[last].hasFrame { scope.frames.removeLast() }
        quotes = opened[last].quotes
        if !condition.withoutBlanks.isEmpty {
            try open(condition.withoutBlanks, isInverted: false, isChained: true, at: offset)
        }
    }

    /// Ends a block, and those that continue it.
    ///
    /// - Parameter depth: how many blocks were open before the text in which the tag stands.
    mutating func close(_ name: String, _ depth: Int) throws(TemplateMistake) {
        while opened.count > depth, let open = opened.last, open.isChained { closeLast() }
        guard opened.count > depth, let open = opened.last, open.name == name || open.name.hasPrefix("\(name) ") else {
            throw TemplateMistake(
                "a section is closed that isn't the one that is open; write {{/name}} with its name"
            )
        }
        closeLast()
    }

    /// Ends the block that is open, in a document.
    mutating func closeAll(to depth: Int) {
        while opened.count > depth { closeLast() }
    }

    var depth: Int { opened.count }

    private mutating func closeLast() {
        flush()
        let open = opened.removeLast()
        if open.hasFrame, open.main == nil { scope.frames.removeLast() }
        isJSON = open.isJSON
        let block = TemplateBlock(
            kind: open.kind,
            expression: open.expression,
            main: open.main ?? open.nodes,
            other: open.main == nil ? [] : open.nodes
        )
        append(.block(block))
    }
}

extension TemplateScanner.Tag {
    /// The text between the braces.
    fileprivate var shown: String {
        guard let sign else { return text }
        return "\(Unicode.Scalar(sign)) \(text)"
    }
}
