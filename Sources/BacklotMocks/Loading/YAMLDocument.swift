package import BacklotJSON

/// A YAML text, as JSON, with the places of its parts.
///
/// Words mean what they do in YAML 1.2, so that `no` and `on` are texts.
package struct YAMLDocument: Sendable {
    /// How deeply parts are nested at most.
    package static let deepest = 64
    /// How many parts a file of ours has at most, once aliases are followed.
    package static let mostNodes = 200_000
    /// The texts and keys of a document have at most so many bytes more than its file, once aliases are followed.
    static let mostAliasBytes = 16 * 1024 * 1024

    /// The parts that may still come.
    private struct Room {
        var nodes: Int
        var bytes: Int
    }

    package let value: JSONValue
    /// The text.
    package let bytes: [UInt8]
    private let root: YAMLNode?

    /// - Throws: `FileProblem`.
    package init(_ text: String, file: String, mostNodes: Int = Self.mostNodes) throws(FileProblem) {
        bytes = Array(text.utf8)
        var reader = YAMLReader(text, file: file)
        root = try reader.document()
        var room = Room(nodes: mostNodes, bytes: bytes.count + Self.mostAliasBytes)
        var value = try root.map { node throws(FileProblem) in try Self.json(node, file, &room, depth: 0) } ?? .null
        // It names the file's schema, for editors.
        if var object = value.object, object["$schema"] != nil {
            object["$schema"] = nil
            value = .object(object)
        }
        self.value = value
    }

    static func tooLarge(_ file: String, _ position: TextPosition) -> FileProblem {
        FileProblem(
            file,
            position,
            "the document is too large, or nested too deeply, once its aliases are followed"
        )
    }

    private static func json(
        _ node: YAMLNode,
        _ file: String,
        _ room: inout Room,
        depth: Int
    ) throws(FileProblem) -> JSONValue {
        room.nodes -= 1
        room.bytes -= node.text?.utf8.count ?? 0
        guard room.nodes >= 0, depth <= deepest else { throw tooLarge(file, node.position) }
        guard room.bytes >= 0 else {
            throw FileProblem(
                file,
                node.position,
                "the aliases of this file repeat more than \(mostAliasBytes >> 20) MB of text; use fewer aliases of what is long"
            )
        }
        switch node.content {
        case .scalar(let text, let isPlain): return isPlain ? Self.json(text) : .string(text)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try json(element, file, &room, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var object = JSONObject()
            for (key, value) in mapping {
                guard let name = key.text else { throw FileProblem(file, key.position, "a key is a text here") }
                if case .scalar("<<", isPlain: true) = key.content {
                    throw FileProblem(
                        file,
                        key.position,
                        "merge keys are not followed; write the keys themselves, or \"<<\""
                    )
                }
                room.bytes -= name.utf8.count
                // The reader refuses a key that is written twice.
                object.append(name, try json(value, file, &room, depth: depth + 1))
            }
            return .object(object)
        }
    }

    /// YAML 1.2, section 10.3.2 (the core schema).
    private static func json(_ plain: String) -> JSONValue {
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

    /// The place of a part, or of its key; of the nearest part around it when it isn't there.
    package func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        guard var node = root else { return TextPosition() }
        for (index, step) in path.enumerated() {
            switch (step, node.content) {
            case (.key(let name), .mapping(let mapping)):
                guard let pair = mapping.first(where: { $0.key.text == name }) else { return node.position }
                if key, index == path.count - 1 { return pair.key.position }
                node = pair.value
            case (.index(let index), .sequence(let sequence)) where index < sequence.count: node = sequence[index]
            default: return node.position
            }
        }
        return node.position
    }
}
