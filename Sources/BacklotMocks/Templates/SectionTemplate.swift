/// A body with sections and the rest of Mustache: `{{#list}}…{{/list}}`, `{{^none}}…{{/none}}`, `{{! a comment }}`, transforms.
struct SectionTemplate: Sendable {
    indirect enum Node: Sendable {
        case text([UInt8])
        /// The value, inside a JSON string unless it is raw.
        case value(TemplateExpression, isRaw: Bool)
        /// Written for each element of a list, and once for any other value. An inverted section is written once where those are missing.
        case section(TemplateExpression, isInverted: Bool, [Node])
    }

    /// How deep sections may stand in each other.
    private static let mostNested = 32

    let nodes: [Node]
    let isJSON: Bool

    /// - Parameter scanned: the pieces of the body.
    init(_ scanned: [TemplateScanner.Piece], isJSON: Bool) throws(TemplateMistake) {
        var open = OpenSections()
        for piece in Self.withoutTagLines(scanned) {
            switch piece {
            case .text(let text): if !text.isEmpty { open.append(.text(Array(text.utf8))) }
            case .tag(let tag, let isRaw, let offset):
                do {
                    try open.read(tag, isRaw: isRaw, at: offset, most: Self.mostNested)
                } catch {
                    throw TemplateMistake(error.text, offset: error.offset ?? offset)
                }
            }
        }
        nodes = try open.end()
        self.isJSON = isJSON
    }

    /// The sections that have no end yet.
    private struct OpenSections {
        private struct Section {
            let expression: TemplateExpression
            let isInverted: Bool
            let offset: Int
            var nodes: [Node] = []
        }

        private var sections: [Section] = []
        private var nodes: [Node] = []

        mutating func append(_ node: Node) {
            if sections.isEmpty { nodes.append(node) } else { sections[sections.count - 1].nodes.append(node) }
        }

        mutating func read(_ tag: String, isRaw: Bool, at offset: Int, most: Int) throws(TemplateMistake) {
            guard let sign = tag.first else { throw TemplateMistake("the tag is empty; write a name in it") }
            let name = String(tag.dropFirst().drop { $0 == " " })
            switch sign {
            case "!": break
            case "#", "^":
                guard sections.count < most else {
                    throw TemplateMistake("more than \(most) sections stand in each other")
                }
                let expression = try TemplateExpression(name, isInside: !sections.isEmpty, isSection: true)
                sections.append(Section(expression: expression, isInverted: sign == "^", offset: offset))
            case "/":
                guard let section = sections.popLast(), section.expression.text == name else {
                    throw TemplateMistake(
                        "a section is closed that isn't the one that is open; write {{/name}} with its name"
                    )
                }
                append(.section(section.expression, isInverted: section.isInverted, section.nodes))
            case ">", "<", "$":
                throw TemplateMistake("{{\(tag)}} takes text from another template, and there are no others here")
            case "=", "%":
                throw TemplateMistake("{{\(tag)}} is not known here; tags have two braces, and bodies their type")
            default:
                let expression = try TemplateExpression(tag, isInside: !sections.isEmpty, isSection: false)
                append(.value(expression, isRaw: isRaw))
            }
        }

        func end() throws(TemplateMistake) -> [Node] {
            guard let section = sections.last else { return nodes }
            throw TemplateMistake("a section has no end; write {{/name}} after it", offset: section.offset)
        }
    }

    /// The pieces, without the blanks and the line break around tags that have a line to themselves and write nothing (Mustache's
    /// standalone tags).
    private static func withoutTagLines(_ pieces: [TemplateScanner.Piece]) -> [TemplateScanner.Piece] {
        var pieces = pieces
        // Whether the text before the tag begins a line: the line break before it was removed.
        var beginsLine = true
        for index in pieces.indices {
            guard case .tag(let tag, false, _) = pieces[index], let sign = tag.first, "#^/!".contains(sign) else {
                if case .tag = pieces[index] { beginsLine = false }
                continue
            }
            var before: Substring?
            if index > 0 {
                guard case .text(let text) = pieces[index - 1] else {
                    beginsLine = false
                    continue
                }
                let lineStart = text.lastIndex(where: \.isNewline).map { text.index(after: $0) }
                guard lineStart != nil || beginsLine, text[(lineStart ?? text.startIndex)...].allSatisfy(\.isBlank)
                else {
                    beginsLine = false
                    continue
                }
                before = text[..<(lineStart ?? text.startIndex)]
            }
            beginsLine = false
            if index + 1 < pieces.count {
                guard case .text(let text) = pieces[index + 1] else { continue }
                let lineEnd = text.firstIndex(where: \.isNewline)
                guard lineEnd != nil || index + 2 == pieces.count,
                    text[..<(lineEnd ?? text.endIndex)].allSatisfy(\.isBlank)
                else { continue }
                pieces[index + 1] = .text(lineEnd.map { text[text.index(after: $0)...] } ?? "")
                beginsLine = true
            }
            if let before { pieces[index - 1] = .text(before) }
        }
        return pieces
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
