import Backlot
import BacklotJSON

/// Documents whose strings have tags, and whose keys may repeat or choose what stands under them:
///
///     widgets:
///       - {typ: text, text: Your cart}
///       - "{{#each data.cart}}": {typ: text, text: "{{name}}"}
///       - {"{{#if session.user}}": {typ: text, text: "Hello, {{session.user}}"}, "{{else}}": {typ: text, text: Hello}}
extension TemplateBuilder {
    /// Adds a value of a document.
    mutating func addValue(_ value: JSONValue, _ path: [StubProblem.Step]) throws(TemplateMistake) {
        switch value {
        case .null, .bool, .number: append(value.bytes)
        case .string(let text): try addText(text, path, isKey: false)
        case .array(let elements):
            append("[".utf8)
            let isFlexible = elements.contains { Self.isBlock($0) }
            for (index, element) in elements.enumerated() {
                if !isFlexible, index > 0 { append(",".utf8) }
                try addElement(element, path + [.index(index)], isFlexible: isFlexible)
            }
            append("]".utf8)
        case .object(let object):
            append("{".utf8)
            try addMembers(object, path, isFlexible: object.members.contains { Self.blockTag($0.key) != nil })
            append("}".utf8)
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

    /// Whether a value is made of blocks only, whose elements take its place in a list.
    private static func isBlock(_ value: JSONValue) -> Bool {
        guard let object = value.object, object.count > 0 else { return false }
        return object.members.allSatisfy { blockTag($0.key) != nil }
    }

    /// The tag of a key that begins or continues a block; nil for other keys.
    static func blockTag(_ key: String) -> TemplateScanner.Tag? {
        guard key.hasPrefix("{{"), let pieces = try? TemplateScanner.pieces(of: key, trimsLines: false),
            pieces.count == 1,
            case .tag(let tag) = pieces[0]
        else { return nil }
        switch tag.sign {
        case UInt8(ascii: "#"), UInt8(ascii: "^"): return tag
        case nil: return !tag.isRaw && (tag.text == "else" || tag.text.hasPrefix("else ")) ? tag : nil
        default: return nil
        }
    }

    private mutating func addElement(
        _ element: JSONValue,
        _ path: [StubProblem.Step],
        isFlexible: Bool
    ) throws(TemplateMistake) {
        guard isFlexible, Self.isBlock(element), let object = element.object else {
            if isFlexible { append(.comma) }
            return try addValue(element, path)
        }
        let depth = depth
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
        _ path: [StubProblem.Step],
        isFlexible: Bool
    ) throws(TemplateMistake) {
        let depth = depth
        var isFirst = true
        for member in object.members {
            let path = path + [.key(member.key)]
            guard Self.blockTag(member.key) != nil else {
                closeAll(to: depth)
                if isFlexible { append(.comma) } else if !isFirst { append(",".utf8) }
                isFirst = false
                try addText(member.key, path, isKey: true)
                append(":".utf8)
                try addValue(member.value, path)
                continue
            }
            try addTag(member.key, depth, path)
            guard let members = member.value.object else {
                var mistake = TemplateMistake(
                    "below \(member.key) stand members of the object around it, such as {\"key\": …}; \(member.value.kind) belongs into a list"
                )
                mistake.path = path
                throw mistake
            }
            try addMembers(members, path, isFlexible: true)
        }
        closeAll(to: depth)
    }

    /// Begins a block, or what stands in it after `else`.
    private mutating func addTag(_ key: String, _ depth: Int, _ path: [StubProblem.Step]) throws(TemplateMistake) {
        guard let tag = Self.blockTag(key) else { return }
        do throws(TemplateMistake) {
            if tag.sign == nil {
                try addElse(String(tag.text.dropFirst(5)), depth, at: 0)
            } else {
                closeAll(to: depth)
                try open(tag.text, isInverted: tag.sign == UInt8(ascii: "^"), at: 0)
            }
        } catch {
            throw error.at(path, isKey: true)
        }
        scope.locate { $0.at(path, isKey: true) }
    }

    private mutating func addText(_ text: String, _ path: [StubProblem.Step], isKey: Bool) throws(TemplateMistake) {
        guard TemplateScanner.hasTags(text) else { return append(JSONValue.string(text).bytes) }
        defer { scope.locate { $0.at(path, isKey: isKey) } }
        do throws(TemplateMistake) {
            if !isKey, let tag = Self.loneTag(text) {
                return try addValue(tag, form: scope.dialect == .own ? .value : .lone)
            }
            append("\"".utf8)
            try addString(text)
            append("\"".utf8)
        } catch {
            throw error.at(path, isKey: isKey)
        }
    }

    /// What stands in a tag of three braces that is the whole text.
    private static func loneTag(_ text: String) -> String? {
        guard let pieces = try? TemplateScanner.pieces(of: text, trimsLines: false), pieces.count == 1,
            case .tag(let tag) = pieces[0], tag.isRaw
        else { return nil }
        return tag.text
    }
}

extension TemplateMistake {
    fileprivate func at(_ path: [StubProblem.Step], isKey: Bool) -> TemplateMistake {
        guard self.path.isEmpty else { return self }
        var mistake = self
        mistake.path = path
        mistake.isAboutKey = isKey
        return mistake
    }
}
