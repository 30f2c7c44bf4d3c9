package import BacklotJSON
internal import CYAML

/// A YAML text as JSON, with the places of its parts.
///
/// Words have their meaning of YAML 1.2, so that `no` and `on` are texts.
package struct YAMLDocument: Sendable {
    /// The deepest nesting of parts.
    static let deepest = 64
    /// The most parts of one of our files, after aliases are followed.
    package static let mostNodes = 200_000
    /// The most further bytes of a document's texts and keys, beyond the size of its file, after aliases are followed.
    static let mostAliasBytes = 16 * 1024 * 1024

    package let value: JSONValue
    /// The text.
    let bytes: [UInt8]
    private let root: YAMLNode?

    /// - Throws: `MockFileError`.
    package init(_ text: String, file: String, mostNodes: Int = Self.mostNodes) throws(MockFileError) {
        bytes = Array(text.utf8)
        var reader = YAMLReader(text, file: file, mostNodes: mostNodes)
        root = try reader.document()
        var value = root?.value ?? .null
        // It names the file's schema, for editors.
        if var object = value.object, object["$schema"] != nil {
            object["$schema"] = nil
            value = .object(object)
        }
        self.value = value
    }

    /// The place of a part, or of its key; if it is missing, of the nearest part around it.
    package func position(of path: [StubError.Step], key: Bool = false) -> TextPosition {
        guard var node = root else { return TextPosition() }
        for (index, step) in path.enumerated() {
            let found: YAMLNode.Part? =
                switch step {
                case .key(let name): node.parts.first { $0.key == name }
                case .index(let index): node.value.array != nil && index < node.parts.count ? node.parts[index] : nil
                }
            guard let found else { return node.position }
            if key, index == path.count - 1, let position = found.keyPosition { return position }
            node = found.node
        }
        return node.position
    }
}

/// A part of a YAML text, with its place.
struct YAMLNode: Sendable {
    /// An element of a sequence, or a pair of a mapping.
    struct Part: Sendable {
        var key: String?
        var keyPosition: TextPosition?
        let node: YAMLNode
    }

    package let value: JSONValue
    let position: TextPosition
    /// The text of a scalar, and whether it has no quotes.
    var text: String?
    var isBare = false
    var parts: [Part] = []
    /// The number of parts and the bytes of texts in it, with aliases followed, including the part itself.
    var size = (nodes: 1, bytes: 0)
    /// The depth of its nested parts.
    var height = 0

    init(_ value: JSONValue, _ position: TextPosition) {
        (self.value, self.position) = (value, position)
    }
}

/// Reads a YAML text of one document. Aliases are followed.
@safe struct YAMLReader: ~Copyable {
    private enum Event {
        case alias(String)
        case scalar(String, isPlain: Bool, tag: String?, anchor: String?)
        case collection(isMapping: Bool, tag: String?, anchor: String?)
        /// The end of a sequence or a mapping.
        case end
        case document
        case endOfText
        /// The beginning of the text, or the end of a document.
        case other
    }

    private let file: String
    private let text: String
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var anchors: [String: YAMLNode] = [:]
    /// The parts and bytes that may still come, with aliases followed.
    private var room: (nodes: Int, bytes: Int)

    init(_ text: String, file: String, mostNodes: Int) {
        room = (mostNodes, text.utf8.count + YAMLDocument.mostAliasBytes)
        (self.text, self.file) = (text, file)
        let bytes = Array(text.utf8)
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else { fatalError("there is no memory to read a YAML text") }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The text's document; nil for a text without one.
    ///
    /// - Throws: `MockFileError`.
    mutating func document() throws(MockFileError) -> YAMLNode? {
        while true {
            let (event, _) = try next()
            if case .endOfText = event { return nil }
            if case .document = event { break }
        }
        let (event, position) = try next()
        let root = try node(event, position, depth: 0)
        _ = try next()
        let (end, after) = try next()
        guard case .endOfText = end else {
            throw MockFileError(file, after, "a file has one document; put what follows --- into another file")
        }
        return root
    }

    private mutating func node(
        _ event: Event,
        _ position: TextPosition,
        depth: Int
    ) throws(MockFileError) -> YAMLNode {
        let before = room
        var node: YAMLNode
        let name: String?
        switch event {
        case .alias(let alias):
            guard let node = anchors[alias] else {
                throw MockFileError(file, position, "the alias *\(alias) has no anchor &\(alias) before it")
            }
            try take(node.size, at: node.position, depth: depth + node.height)
            return node
        case .scalar(let text, let isPlain, let tag, let anchor):
            try take((1, text.utf8.count), at: position, depth: depth)
            let isBare = try meaning(of: tag, Self.scalarTags, position) ?? isPlain
            node = YAMLNode(isBare ? Self.value(of: text) : .string(text), position)
            node.text = text
            node.isBare = isBare
            name = anchor
        case .collection(let isMapping, let tag, let anchor):
            try take((1, 0), at: position, depth: depth)
            _ = try meaning(of: tag, [isMapping ? "map" : "seq": true], position)
            let parts = try isMapping ? pairs(depth: depth + 1) : elements(depth: depth + 1)
            var object = JSONObject()
            for part in parts where isMapping { object.append(part.key ?? "", part.node.value) }
            node = YAMLNode(isMapping ? .object(object) : .array(parts.map(\.node.value)), position)
            (node.parts, name) = (parts, anchor)
        case .end, .document, .endOfText, .other: preconditionFailure("libyaml says what begins before what ends")
        }
        node.size = (before.nodes - room.nodes, before.bytes - room.bytes)
        node.height = node.parts.map { $0.node.height + 1 }.max() ?? 0
        if let name { anchors[name] = node }
        return node
    }

    private mutating func take(
        _ size: (nodes: Int, bytes: Int),
        at position: TextPosition,
        depth: Int
    ) throws(MockFileError) {
        room.nodes -= size.nodes
        room.bytes -= size.bytes
        guard room.nodes >= 0, depth <= YAMLDocument.deepest else {
            let text = "the document is too large, or nested too deeply, once its aliases are followed"
            throw MockFileError(file, position, text)
        }
        guard room.bytes < 0 else { return }
        let most = "more than \(YAMLDocument.mostAliasBytes >> 20) MB of text"
        let text = "the aliases of this file repeat \(most); use fewer aliases of what is long"
        throw MockFileError(file, position, text)
    }

    /// YAML 1.2, section 10.3.2 (the core schema).
    private static func value(of plain: String) -> JSONValue {
        switch plain {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            guard let first = plain.utf8.first,
                first == UInt8(ascii: "-") || first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9"),
                let value = try? JSONValue(parsing: plain), case .number = value
            else { return .string(plain) }
            return value
        }
    }

    /// Tags of scalars (YAML 1.2, section 10.3.2), and whether a tagged value is read as if it had no quotes.
    private static let scalarTags = ["str": false, "null": true, "bool": true, "int": true, "float": true]

    /// The effect of a tag on a value; nil without a tag.
    private func meaning(
        of tag: String?,
        _ known: [String: Bool],
        _ position: TextPosition
    ) throws(MockFileError) -> Bool? {
        let prefix = "tag:yaml.org,2002:"
        guard let tag else { return nil }
        // The mark of a value that is a text, even if it looks like a number.
        if tag == "!" { return false }
        if tag.hasPrefix(prefix), let meaning = known[String(tag.dropFirst(prefix.count))] { return meaning }
        let shown = tag.hasPrefix(prefix) ? "!!\(tag.dropFirst(prefix.count))" : tag
        throw MockFileError(file, position, "the tag \(shown) means nothing here; leave it out")
    }

    private mutating func elements(depth: Int) throws(MockFileError) -> [YAMLNode.Part] {
        var elements: [YAMLNode.Part] = []
        while true {
            let (event, position) = try next()
            if case .end = event { return elements }
            elements.append(.init(node: try node(event, position, depth: depth)))
        }
    }

    private mutating func pairs(depth: Int) throws(MockFileError) -> [YAMLNode.Part] {
        var pairs: [YAMLNode.Part] = []
        var known: Set<String> = []
        while true {
            let (event, position) = try next()
            if case .end = event { return pairs }
            let key = try node(event, position, depth: depth)
            guard let name = key.text else { throw MockFileError(file, key.position, "a key is a text here") }
            if name == "<<", key.isBare {
                let advice = "write the keys themselves, or \"<<\""
                throw MockFileError(file, key.position, "merge keys are not followed; \(advice)")
            }
            guard known.insert(name).inserted else {
                throw MockFileError(file, position, "the key \(name) is written twice; remove one of the two")
            }
            let (value, place) = try next()
            let node = try node(value, place, depth: depth)
            pairs.append(.init(key: name, keyPosition: key.position, node: node))
        }
    }

    private func next() throws(MockFileError) -> (Event, TextPosition) {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { unsafe yaml_event_delete(&event) }
        let position = TextPosition(unsafe event.start_mark)
        return (unsafe Self.event(event), position)
    }

    private static func event(_ event: yaml_event_t) -> Event {
        func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
            unsafe pointer.map { unsafe String(cString: $0) }
        }
        switch unsafe event.type {
        case YAML_ALIAS_EVENT: return .alias(unsafe name(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            // It may contain U+0000.
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(
                unsafe String(decoding: bytes, as: UTF8.self),
                isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE,
                tag: unsafe name(scalar.tag),
                anchor: unsafe name(scalar.anchor)
            )
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return .collection(isMapping: false, tag: unsafe name(start.tag), anchor: unsafe name(start.anchor))
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return .collection(isMapping: true, tag: unsafe name(start.tag), anchor: unsafe name(start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_DOCUMENT_START_EVENT: return .document
        case YAML_STREAM_END_EVENT: return .endOfText
        default: return .other
        }
    }

    /// libyaml's error.
    private func problem() -> MockFileError {
        let words = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "there is no memory for it"
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            let position = TextPosition(byteOffset: unsafe parser.pointee.problem_offset, in: Array(text.utf8))
            return MockFileError(
                file,
                position,
                "this isn't YAML: \(words); write \\x and its two digits in double quotes"
            )
        }
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) } ?? ""
        if context.contains("quoted scalar") {
            let text = "this isn't YAML: the quote has no end; write another one after the text"
            return MockFileError(file, TextPosition(unsafe parser.pointee.context_mark), text)
        }
        let position = TextPosition(unsafe parser.pointee.problem_mark)
        if let opening = quote(before: position) {
            return MockFileError(file, opening, "this isn't YAML: the quote has no end on its line: \(words)")
        }
        let advice = "check the indentation, and put texts with ': ', '{' or '#' in quotes"
        return MockFileError(file, position, "this isn't YAML: \(words); \(advice)")
    }

    /// The beginning of a quoted text that continues on the next line, up to the place of an error: it probably lacks its closing
    /// quote. nil without such a text.
    private func quote(before end: TextPosition) -> TextPosition? {
        var opening: (position: TextPosition, quote: Character)?
        var found: TextPosition?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard index < end.line else { break }
            var before: Character = " "
            var isEscaped = false
            for (column, character) in line.enumerated() {
                defer { before = character.isWhitespace && before != ":" && before != "-" ? before : character }
                if let open = opening {
                    if isEscaped {
                        isEscaped = false
                    } else if character == "\\", open.quote == "\"" {
                        isEscaped = true
                    } else if character == open.quote {
                        found = open.position.line < index + 1 && index + 1 == end.line ? open.position : nil
                        opening = nil
                    }
                } else if character == "#", before == " " {
                    break
                } else if character == "\"" || character == "'", " :-[{,".contains(before) {
                    opening = (TextPosition(line: index + 1, column: column + 1), character)
                }
            }
        }
        return found
    }
}

extension TextPosition {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
