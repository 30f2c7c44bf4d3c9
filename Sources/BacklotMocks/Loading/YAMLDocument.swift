import BacklotJSON
import Yams

/// A YAML text, as JSON, with the places of its parts.
///
/// Words mean what they do in YAML 1.2, so that `no` and `on` are texts.
struct YAMLDocument {
    private static let mostNodes = 200_000
    private static let deepest = 64

    let value: JSONValue
    /// The text.
    let bytes: [UInt8]
    private let root: Node?

    /// - Throws: `FileProblem`.
    init(_ text: String, file: String) throws(FileProblem) {
        bytes = Array(text.utf8)
        do {
            root = try compose(yaml: text)
        } catch let error as YamlError {
            throw Self.problem(error, file, text)
        } catch {
            throw FileProblem(file, "this is no YAML: \(error)")
        }
        var count = 0
        var value = try root.map { node throws(FileProblem) in try Self.json(node, file, &count, depth: 0) } ?? .null
        // It names the file's schema, for editors.
        if var object = value.object, object["$schema"] != nil {
            object["$schema"] = nil
            value = .object(object)
        }
        self.value = value
    }

    private static func problem(_ error: YamlError, _ file: String, _ text: String) -> FileProblem {
        switch error {
        case .scanner(let context?, _, _, _) where context.text.contains("quoted scalar"):
            let text = "this is no YAML: the quote has no end; write another one after the text"
            return FileProblem(file, TextPosition(line: context.mark.line, column: context.mark.column), text)
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            if let opening = quote(before: mark, in: text) {
                return FileProblem(file, opening, "this is no YAML: the quote has no end on its line: \(problem)")
            }
            return FileProblem(
                file,
                TextPosition(line: mark.line, column: mark.column),
                "this is no YAML: \(problem); check the indentation, and put texts with ': ', '{' or '#' in quotes"
            )
        case .duplicatedKeysInMapping(let keys, let context):
            let position = Self.second(keys.first ?? "", from: context.mark, in: text)
            return FileProblem(
                file,
                position,
                "the key \(keys.joined(separator: ", ")) is written twice; remove one of the two"
            )
        default: return FileProblem(file, "this is no YAML: \(error)")
        }
    }

    /// Where a text in quotes begins that goes on over the end of its line until the place of an error: it probably lacks
    /// its closing quote. Nil when there is none.
    private static func quote(before mark: Mark, in text: String) -> TextPosition? {
        var opening: (position: TextPosition, quote: Character)?
        var found: TextPosition?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard index < mark.line else { break }
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
                        found = open.position.line < index + 1 && index + 1 == mark.line ? open.position : nil
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

    /// Where a key comes for the second time in a mapping; the mapping's place where it can't be seen.
    private static func second(_ key: String, from mark: Mark, in text: String) -> TextPosition {
        var count = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let blanks = line.prefix { $0 == " " }.count
            guard index + 1 >= mark.line, blanks == mark.column - 1, line.dropFirst(blanks).hasPrefix("\(key):") else {
                continue
            }
            count += 1
            if count == 2 { return TextPosition(line: index + 1, column: blanks + 1) }
        }
        return TextPosition(line: mark.line, column: mark.column)
    }

    private static func json(
        _ node: Node,
        _ file: String,
        _ count: inout Int,
        depth: Int
    ) throws(FileProblem) -> JSONValue {
        count += 1
        guard count <= mostNodes, depth <= deepest else {
            throw FileProblem(
                file,
                node.position,
                "the document is too large, or nested too deeply, once its aliases are followed"
            )
        }
        switch node {
        case .scalar(let scalar): return Self.json(scalar)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try json(element, file, &count, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var object = JSONObject()
            for (key, value) in mapping {
                guard case .scalar(let name) = key else {
                    throw FileProblem(file, key.position, "a key is a text here")
                }
                object[name.string] = try json(value, file, &count, depth: depth + 1)
            }
            return .object(object)
        case .alias: return .null
        }
    }

    /// YAML 1.2, section 10.3.2 (the core schema).
    private static func json(_ scalar: Node.Scalar) -> JSONValue {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case let text:
            guard let first = text.utf8.first,
                first == UInt8(ascii: "-") || first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9"),
                let value = try? JSONValue(parsing: text), case .number = value
            else { return .string(text) }
            return value
        }
    }

    /// The place of a part, or of its key; of the nearest part around it when it isn't there.
    func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        guard var node = root else { return TextPosition() }
        for (index, step) in path.enumerated() {
            switch (step, node) {
            case (.key(let name), .mapping(let mapping)):
                guard let pair = mapping.first(where: { $0.key.scalar?.string == name }) else { return node.position }
                if key, index == path.count - 1 { return pair.key.position }
                node = pair.value
            case (.index(let index), .sequence(let sequence)) where index < sequence.count: node = sequence[index]
            default: return node.position
            }
        }
        return node.position
    }
}

extension Node {
    fileprivate var position: TextPosition {
        mark.map { TextPosition(line: $0.line, column: $0.column) } ?? TextPosition()
    }
}
