import BacklotHTTP
import BacklotJSON

/// Makes a template's tree from its tags and the texts between them.
struct TemplateBuilder {
    /// A block without an end so far.
    private struct Open {
        var block: TemplateBlock
        /// The text that ends it.
        let name: String
        /// Whether it continues the block around it, as `else if` does, and ends with it.
        let isChained: Bool
        let offset: Int
        /// Whether the place in JSON was inside a string at its beginning.
        let quotes: JSONQuotes
        let isJSON: Bool
        var hasElse = false
    }

    /// The most levels of nested blocks.
    private static let mostNested = 32

    private let scope: TemplateScope
    private var opened: [Open] = []
    private var nodes: [TemplateNode] = []
    private var bytes: [UInt8] = []
    private var quotes = JSONQuotes()
    private var isJSON = false
    /// Whether the document is a matcher.
    var isMatcher = false
    /// The place in the JSON path that is added; nil elsewhere.
    private var jsonPath: JSONPathPlace?

    init(_ scope: TemplateScope) {
        self.scope = scope
    }

    /// The finished tree.
    mutating func end() throws(TemplateError) -> [TemplateNode] {
        flush()
        try scope.checkNames()
        return nodes
    }

    // MARK: Parts

    private mutating func append(_ node: TemplateNode) {
        flush()
        guard let last = opened.indices.last else { return nodes.append(node) }
        if opened[last].hasElse { opened[last].block.other.append(node) } else { opened[last].block.main.append(node) }
    }

    private mutating func flush() {
        guard !bytes.isEmpty else { return }
        let node = TemplateNode.bytes(bytes)
        bytes = []
        append(node)
    }

    /// Adds a text with tags.
    ///
    /// - Parameters:
    ///   - isWhollyJSON: whether it is JSON, except for the texts that go to helpers.
    ///   - isDecoded: whether it is the text of a JSON string, which isn't escaped yet.
    mutating func add(_ text: String, isJSON isWhollyJSON: Bool, isDecoded: Bool = false) throws(TemplateError) {
        isJSON = isWhollyJSON
        let depth = opened.count
        scope.place.text = text
        let pieces = try TemplateScanner.pieces(of: text, trimsLines: scope.dialect == .own)
        // Whether to leave out a closing quote, since the value before it has its own.
        var dropsQuote = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let part):
                jsonPath?.read(part)
                if isDecoded, isJSON {
                    JSONQuotes.appendEscaped(String(decoding: part, as: UTF8.self), to: &bytes)
                } else {
                    if isJSON { quotes.read(part) }
                    bytes += part.dropFirst(dropsQuote ? 1 : 0)
                }
                dropsQuote = false
            case .tag(let tag):
                scope.place.offset = tag.offset
                if tag.isRaw, !isDecoded, isLone(pieces, index) {
                    bytes.removeLast()
                    dropsQuote = true
                    try addLone(tag.text)
                } else {
                    try add(tag, isDecoded: isDecoded, depth)
                }
                quotes.hasJustOpened = false
            }
        }
        if opened.count > depth, let open = opened.last {
            throw TemplateError("a section has no end; write {{/\(open.name)}} after it", open.offset)
        }
    }

    /// Whether a tag is the only content of a JSON string.
    private func isLone(_ pieces: [TemplateScanner.Piece], _ index: Int) -> Bool {
        guard isJSON, quotes.isInside, quotes.hasJustOpened, bytes.last == UInt8(ascii: "\""),
            pieces.indices.contains(index + 1), case .text(let next) = pieces[index + 1]
        else { return false }
        return next.first == UInt8(ascii: "\"")
    }

    // MARK: Tags

    private mutating func add(_ tag: TemplateScanner.Tag, isDecoded: Bool, _ depth: Int) throws(TemplateError) {
        // Inside a string of a JSON text, quotes have a backslash before them.
        var tag = tag
        if isJSON, !isDecoded, quotes.isInside {
            tag.text = tag.text.replacing(#"\""#, with: "\"").replacing(#"\\"#, with: #"\"#)
        }
        let text = tag.text
        switch tag.sign {
        case UInt8(ascii: "!"): break
        case UInt8(ascii: "^") where text.isEmpty: try addElse("", depth)
        case UInt8(ascii: "#"), UInt8(ascii: "^"):
            try open(text, isInverted: tag.sign == UInt8(ascii: "^"))
        case UInt8(ascii: "/"): try close(text, depth)
        case .some(let sign):
            let shown = "{{\(Unicode.Scalar(sign)) \(text)}}"
            guard "><$".utf8.contains(sign) else {
                throw TemplateError("\(shown) is not known here; tags have two braces, and bodies their type")
            }
            throw TemplateError("\(shown) takes text from another template, which isn't possible here")
        case nil:
            guard !text.isEmpty else { throw TemplateError("the tag is empty; write a name in it") }
            if let condition = tag.elseCondition { return try addElse(condition, depth) }
            try addValue(text, form: form(isRaw: tag.isRaw))
        }
    }

    private func form(isRaw: Bool) -> TemplateForm {
        guard isJSON else { return .text }
        if quotes.isInside { return isRaw ? .text : jsonPath.map(TemplateForm.jsonPath) ?? .escaped }
        return scope.dialect == .own ? .value : .text
    }

    private mutating func addValue(_ text: String, form: TemplateForm) throws(TemplateError) {
        let result = try TemplateTagParser.read(text, scope)
        guard result.parameters.isEmpty else {
            throw TemplateError("{{\(text)}} isn't a block, so nothing can follow 'as'")
        }
        if case .call(let call) = result.expression, call.helper.isOwnBlock {
            throw TemplateError("{{\(text)}} is a block; write {{#\(text)}}…{{/\(call.helper.name)}}")
        }
        append(.value(result.expression, form))
    }

    private mutating func addLone(_ text: String) throws(TemplateError) {
        try addValue(text, form: scope.dialect == .own ? .value : .lone)
    }

    // MARK: Blocks

    private mutating func open(_ text: String, isInverted: Bool, isChained: Bool = false) throws(TemplateError) {
        guard opened.count < Self.mostNested else {
            throw TemplateError("more than \(Self.mostNested) sections stand in each other")
        }
        guard !text.isEmpty else { throw TemplateError("the tag is empty; write a name in it") }
        let word = String(text.prefix { !$0.isWhitespace })
        let rest = text.dropFirst(word.count).withoutBlanks
        var kind = isInverted ? TemplateBlock.Kind.inverted : .section
        var result: TemplateTagParser.Result
        var name = text
        if let helper = TemplateHelper.all[word], !rest.isEmpty || helper.takesContentAlone || helper.isOwnBlock,
            !isInverted || helper.block == .condition
        {
            (kind, name) = (try self.kind(of: helper, text, isInverted), word)
            let takesText = if case .content = kind { true } else { false }
            result = try TemplateTagParser.read(text, isWhole: true, isBlock: takesText || rest.isEmpty, scope)
            if helper.isOwnBlock, case .call(let call) = result.expression { result.expression = call.positional[0] }
        } else {
            result = try TemplateTagParser.read(text, isWhole: true, scope)
        }
        flush()
        opened.append(
            Open(
                block: TemplateBlock(kind: kind, expression: result.expression),
                name: name,
                isChained: isChained,
                offset: scope.place.offset,
                quotes: quotes,
                isJSON: isJSON
            )
        )
        if kind.hasFrame { scope.frames.append(.init(isLoop: word != "with", parameters: result.parameters)) }
        // Helpers take plain text.
        if kind.feedsHelper { isJSON = false }
    }

    private func kind(
        of helper: TemplateHelper,
        _ text: String,
        _ isInverted: Bool
    ) throws(TemplateError) -> TemplateBlock.Kind {
        switch helper.block {
        case .condition: .condition(isInverted: isInverted != (helper.name == "unless"))
        case .each: .each
        case .with: .with
        case .content: .content(form(isRaw: false))
        case .join: .join(form(isRaw: false))
        case .none: throw TemplateError("the helper '\(helper.name)' isn't a block; write {{\(text)}}")
        }
    }

    /// Ends the first part of a block.
    private mutating func addElse(_ condition: String, _ depth: Int) throws(TemplateError) {
        flush()
        guard opened.count > depth, let open = opened.last else {
            throw TemplateError("{{else}} isn't in a section; write it between {{#if …}} and {{/if}}")
        }
        if open.hasElse { throw TemplateError("the section has an {{else}} already; remove one of the two") }
        if open.block.kind.feedsHelper { throw TemplateError("{{#\(open.name)}} has no {{else}}") }
        opened[opened.count - 1].hasElse = true
        // The part after it isn't about the element.
        if open.block.kind.hasFrame { scope.frames.removeLast() }
        quotes = open.quotes
        if !condition.isEmpty { try self.open(condition, isInverted: false, isChained: true) }
    }

    /// Ends a block, and the blocks that continue it.
    ///
    /// - Parameter depth: the number of open blocks before the text with the tag.
    private mutating func close(_ name: String, _ depth: Int) throws(TemplateError) {
        while opened.count > depth, opened.last?.isChained == true { closeLast() }
        guard opened.count > depth, let open = opened.last, open.name == name || open.name.hasPrefix("\(name) ") else {
            throw TemplateError(
                "a section is closed that isn't the one that is open; write {{/name}} with its name"
            )
        }
        closeLast()
    }

    private mutating func closeLast() {
        flush()
        let open = opened.removeLast()
        if open.block.kind.hasFrame, !open.hasElse { scope.frames.removeLast() }
        isJSON = open.isJSON
        append(.block(open.block))
    }
}

/// Documents with tags in their strings. Keys with tags may repeat or choose their values:
///
///     widgets:
///       - {typ: text, text: Your cart}
///       - "{{#each data.cart}}": {typ: text, text: "{{name}}"}
///       - {"{{#if session.user}}": {typ: text, text: "Hello, {{session.user}}"}, "{{else}}": {typ: text, text: Hello}}
extension TemplateBuilder {
    /// Adds a value of a document.
    ///
    /// - Parameter path: the way to it.
    mutating func add(_ value: JSONValue, _ path: [StubError.Step] = []) throws(TemplateError) {
        switch value {
        case .null, .bool, .number: bytes += value.bytes
        case .string(let text): try addString(text, path, isKey: false)
        case .array(let elements):
            bytes += "[".utf8
            let isFlexible = elements.contains(where: Self.isBlock)
            for (index, element) in elements.enumerated() {
                if !isFlexible, index > 0 { bytes += ",".utf8 }
                try addElement(element, path + [.index(index)], isFlexible: isFlexible)
            }
            bytes += "]".utf8
        case .object(let object):
            bytes += "{".utf8
            try addMembers(object, path, isFlexible: object.members.contains { Self.blockTag($0.key) != nil })
            bytes += "}".utf8
        }
    }

    /// Whether keys of a document, or of its parts, begin blocks.
    static func hasBlocks(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: hasBlocks)
        case .object(let object): object.members.contains { blockTag($0.key) != nil || hasBlocks($0.value) }
        default: false
        }
    }

    /// Whether a value only has blocks, with elements that replace it in a list.
    private static func isBlock(_ value: JSONValue) -> Bool {
        guard let object = value.object, object.count > 0 else { return false }
        return object.members.allSatisfy { blockTag($0.key) != nil }
    }

    /// The tag of a key that begins or continues a block; nil for other keys.
    private static func blockTag(_ key: String) -> TemplateScanner.Tag? {
        guard let tag = TemplateScanner.onlyTag(of: key) else { return nil }
        let isOpening = tag.sign == UInt8(ascii: "#") || tag.sign == UInt8(ascii: "^")
        return isOpening || tag.elseCondition != nil ? tag : nil
    }

    private mutating func addElement(
        _ element: JSONValue,
        _ path: [StubError.Step],
        isFlexible: Bool
    ) throws(TemplateError) {
        guard isFlexible, Self.isBlock(element), let object = element.object else {
            if isFlexible { append(.comma) }
            return try add(element, path)
        }
        let depth = opened.count
        for member in object.members {
            let path = path + [.key(member.key)]
            try addTag(member.key, depth, path)
            let elements = member.value.array
            for (index, value) in (elements ?? [member.value]).enumerated() {
                try addElement(value, elements == nil ? path : path + [.index(index)], isFlexible: true)
            }
        }
        closeAll(to: depth)
    }

    private mutating func addMembers(
        _ object: JSONObject,
        _ path: [StubError.Step],
        isFlexible: Bool
    ) throws(TemplateError) {
        let depth = opened.count
        var isFirst = true
        for member in object.members {
            let path = path + [.key(member.key)]
            guard Self.blockTag(member.key) != nil else {
                closeAll(to: depth)
                if isFlexible { append(.comma) } else if !isFirst { bytes += ",".utf8 }
                isFirst = false
                try addString(member.key, path, isKey: true)
                bytes += ":".utf8
                try add(member.value, path)
                continue
            }
            try addTag(member.key, depth, path)
            guard let members = member.value.object else {
                scope.place = TemplatePlace(path: path)
                throw TemplateError(
                    "below \(member.key) stand members of the object around it, such as {\"key\": …}; \(member.value.kind) belongs into a list"
                )
            }
            let isConstant = { Self.blockTag($0) == nil && !TemplateScanner.hasTags($0) }
            if case .each? = opened.last?.block.kind, Self.blockTag(member.key)?.elseCondition == nil,
                let doubled = members.keys.first(where: isConstant)
            {
                scope.place = TemplatePlace(path: path, isAboutKey: true)
                throw TemplateError(
                    "\(member.key) would write the key '\(doubled)' once for each element, and an object has a key once; let the key have a tag, such as \"{{id}}\", or write a list"
                )
            }
            try addMembers(members, path, isFlexible: true)
        }
        closeAll(to: depth)
    }

    private mutating func closeAll(to depth: Int) {
        while opened.count > depth { closeLast() }
    }

    /// Begins a block, or its part after `else`.
    private mutating func addTag(_ key: String, _ depth: Int, _ path: [StubError.Step]) throws(TemplateError) {
        guard let tag = Self.blockTag(key) else { return }
        scope.place = TemplatePlace(path: path, isAboutKey: true)
        if let condition = tag.elseCondition { return try addElse(condition, depth) }
        closeAll(to: depth)
        try open(tag.text, isInverted: tag.sign == UInt8(ascii: "^"))
    }

    /// Whether the text at a place of a matcher is a JSON path.
    private static func leadsToJSONPath(_ path: [StubError.Step]) -> Bool {
        let matcher = path.last == .key("expression") ? path.dropLast() : path[...]
        return matcher.last == .key("matchesJsonPath")
    }

    private mutating func addString(_ text: String, _ path: [StubError.Step], isKey: Bool) throws(TemplateError) {
        guard TemplateScanner.hasTags(text) else { return bytes += JSONValue.string(text).bytes }
        scope.place = TemplatePlace(path: path, isAboutKey: isKey)
        if !isKey, let tag = TemplateScanner.onlyTag(of: text), tag.isRaw { return try addLone(tag.text) }
        bytes += "\"".utf8
        quotes = JSONQuotes()
        quotes.read("\"".utf8)
        jsonPath = !isKey && isMatcher && Self.leadsToJSONPath(path) ? JSONPathPlace() : nil
        try add(text, isJSON: true, isDecoded: true)
        jsonPath = nil
        bytes += "\"".utf8
    }
}
