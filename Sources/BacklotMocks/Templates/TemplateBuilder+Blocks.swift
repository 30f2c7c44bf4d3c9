internal import BacklotHTTP

/// Blocks: what stands between `{{#name}}` and `{{/name}}`.
extension TemplateBuilder {
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
