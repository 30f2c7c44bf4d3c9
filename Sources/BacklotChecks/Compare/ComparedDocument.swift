internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// An object of a document that clients know, such as a widget or an action.
struct ComparedPart {
    let node: DocumentNode
    /// The steps to the part, in words.
    let steps: [String]
    /// The variable that the part sets; nil without one.
    let variable: String?
    /// The target of the part's link; nil without a link.
    let target: String?
    /// Whether the part is in a list that may have any number of similar parts.
    let isRow: Bool

    /// The noun of the part's role, such as `widget`.
    var noun: String { node.role.noun }
    /// The name of the part's kind; empty for an unknown kind.
    var name: String { node.name }
    /// The last step, such as `textfield "username"`.
    var title: String { steps.last ?? noun }
    /// The title with an article: `a textfield "username"`.
    var article: String { title.withArticle }

    /// Whether clients use the value of a key.
    func reads(_ key: String) -> Bool {
        guard let kind = node.kind else { return node.isRead }
        let isName = kind.roles.contains { if case .key(let name) = $0.naming { name == key } else { false } }
        return node.isRead && (isName || kind.keys.contains { $0.name == key })
    }

    /// Whether clients assume this value if the key is missing.
    func assumes(_ value: JSONValue, _ key: String) -> Bool {
        node.kind?.keys.contains { $0.name == key && $0.defaultValue == value } ?? false
    }
}

/// A document with the parts that clients know, by JSON pointer.
struct ComparedDocument {
    /// A variable, with the path of the part that sets it.
    struct Variable {
        let name: String
        let path: FindingPath
    }

    let value: JSONValue
    let parts: [String: ComparedPart]
    /// The protocol; nil for plain JSON.
    let language: AppProtocol?
    /// The variables of the parts, in the order of the document.
    private(set) var variables: [Variable] = []
    /// The targets of the parts, in the order of the document.
    private(set) var targets: [String] = []

    init(_ value: JSONValue, _ language: AppProtocol?) {
        self.value = value
        self.language = language
        var parts: [String: ComparedPart] = [:]
        let tree = value.object == nil && value.array == nil ? nil : language?.tree(value)
        for node in tree?.nodes ?? [] {
            guard let path = tree?.path(to: node, page: ""), let language else { continue }
            func texts(_ keys: Set<String>) -> [String] {
                node.object.members.compactMap { keys.contains($0.key) ? $0.value.string : nil }
            }
            // Actions only refer to variables; inputs send them.
            let own = node.role.noun == "action" ? [] : texts(language.comparison.variables)
            let target = texts(language.comparison.targets).first
            parts[path.pointer] = ComparedPart(
                node: node,
                steps: path.steps,
                variable: own.first,
                target: target,
                isRow: language.comparison.rows.contains(node.role.noun)
            )
            if let target { targets.append(target) }
            guard node.isRead else { continue }
            variables += own.filter { !$0.isEmpty }.map { Variable(name: $0, path: path) }
        }
        self.parts = parts
    }

    /// The nearest part at or around a pointer, and the rest of the pointer.
    private func part(around pointer: String) -> (part: ComparedPart, rest: Substring)? {
        guard !parts.isEmpty else { return nil }
        var around = pointer[...]
        while true {
            if let part = parts[String(around)] { return (part, pointer[around.endIndex...]) }
            guard let slash = around.lastIndex(of: "/") else { return nil }
            around = around[..<slash]
        }
    }

    /// Whether clients use the value at a pointer.
    func isRead(_ pointer: String) -> Bool {
        guard let (part, rest) = part(around: pointer) else { return true }
        return JSONPointer.steps(of: String(rest)).first.map(part.reads) ?? part.node.isRead
    }

    /// The path to a pointer in words: the path of the nearest part around it.
    func path(to pointer: String) -> FindingPath {
        FindingPath(page: "", steps: part(around: pointer)?.part.steps ?? [], pointer: pointer)
    }

    /// Whether clients assume this value for a key at a pointer. A key of a part that is written as a string has the pointer of the part.
    func assumes(_ value: JSONValue, _ key: String, at pointer: String) -> Bool {
        owner(of: key, at: pointer)?.assumes(value, key) ?? false
    }

    /// The part with a key at this pointer.
    func owner(of key: String, at pointer: String) -> ComparedPart? {
        parts[String(pointer.dropLast(JSONPointer.step(key).count))] ?? parts[pointer]
    }

    /// The first target in a value.
    func firstTarget(in value: JSONValue, at pointer: String) -> String? {
        if let target = parts[pointer]?.target { return target }
        switch value {
        case .array(let elements):
            return elements.indices.lazy.compactMap { firstTarget(in: elements[$0], at: "\(pointer)/\($0)") }.first
        case .object(let object):
            return object.members.lazy.compactMap { member in
                firstTarget(in: member.value, at: pointer + JSONPointer.step(member.key))
            }.first
        default: return nil
        }
    }
}

extension JSONValue {
    /// The value at a JSON pointer; nil without one.
    func value(at pointer: String) -> JSONValue? {
        JSONPointer.steps(of: pointer).reduce(.some(self)) { value, step in
            value?.object == nil ? Int(step).flatMap { value?[$0] } : value?[step]
        }
    }

    /// Returns the value with its texts replaced.
    func mapTexts(_ map: (String) -> String) -> JSONValue {
        switch self {
        case .string(let text): return .string(map(text))
        case .array(let elements): return .array(elements.map { $0.mapTexts(map) })
        case .object(let object):
            return .object(JSONObject(pairs: object.members.map { ($0.key, $0.value.mapTexts(map)) }))
        default: return self
        }
    }

    /// The value's type, in words.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
