internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// An object of a document that clients know, such as a widget or an action.
struct ComparedPart {
    let node: DocumentNode
    /// The way to it, in words.
    let steps: [String]
    /// The variable that it sets; nil for none.
    let variable: String?
    /// Where it leads; nil for nowhere.
    let target: String?
    /// Whether there may be any number of its like.
    let isRow: Bool

    /// What stands there: `widget`.
    var noun: String { node.role.noun }
    /// The name of its kind; empty where it has none.
    var name: String { node.name }
    /// Its last step: `textfield "username"`.
    var title: String { steps.last ?? noun }
    /// Its title with an article: `a textfield "username"`.
    var article: String { title.withArticle }

    /// Whether clients use what stands under a key.
    func reads(_ key: String) -> Bool {
        guard let kind = node.kind else { return node.isRead }
        let isName = kind.roles.contains { if case .key(let name) = $0.naming { name == key } else { false } }
        return node.isRead && (isName || kind.keys.contains { $0.name == key })
    }

    /// Whether clients assume a value where a key is missing.
    func assumes(_ value: JSONValue, _ key: String) -> Bool {
        node.kind?.keys.contains { $0.name == key && $0.defaultValue == value } ?? false
    }
}

/// A document with the parts that clients know, by their JSON pointers.
struct ComparedDocument {
    /// A variable, and the part that sets it.
    struct Variable {
        let name: String
        let path: FindingPath
    }

    let value: JSONValue
    let parts: [String: ComparedPart]
    /// The protocol; nil for plain JSON.
    let language: AppProtocol?
    /// The variables that parts set, in the order of the document.
    private(set) var variables: [Variable] = []
    /// Where parts lead, in the order of the document.
    private(set) var targets: [String] = []

    init(_ value: JSONValue, _ language: AppProtocol?) {
        self.value = value
        self.language = language
        var parts: [String: ComparedPart] = [:]
        let tree = value.object == nil ? nil : language?.tree(value)
        for node in tree?.nodes ?? [] {
            guard let path = tree?.path(to: node, page: ""), let language else { continue }
            func texts(_ keys: Set<String>) -> [String] {
                node.object.members.compactMap { keys.contains($0.key) ? $0.value.string : nil }
            }
            // Actions name variables that inputs send.
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

    /// The nearest part at or around a place, and the way from there.
    private func part(around pointer: String) -> (part: ComparedPart, rest: Substring)? {
        guard !parts.isEmpty else { return nil }
        var around = pointer[...]
        while true {
            if let part = parts[String(around)] { return (part, pointer[around.endIndex...]) }
            guard let slash = around.lastIndex(of: "/") else { return nil }
            around = around[..<slash]
        }
    }

    /// Whether clients use what stands at a place.
    func isRead(_ pointer: String) -> Bool {
        guard let (part, rest) = part(around: pointer) else { return true }
        return JSONPointer.steps(of: String(rest)).first.map(part.reads) ?? part.node.isRead
    }

    /// The way to a place, in words: that of the nearest part around it.
    func path(to pointer: String) -> FindingPath {
        FindingPath(page: "", steps: part(around: pointer)?.part.steps ?? [], pointer: pointer)
    }

    /// Whether clients assume what stands under a key at a place. The place of a key in a part that is written as a text is the
    /// part's.
    func assumes(_ value: JSONValue, _ key: String, at pointer: String) -> Bool {
        owner(of: key, at: pointer)?.assumes(value, key) ?? false
    }

    /// The part that has a key at a place.
    func owner(of key: String, at pointer: String) -> ComparedPart? {
        parts[String(pointer.dropLast(JSONPointer.step(key).count))] ?? parts[pointer]
    }

    /// Where the first part in a value leads that leads anywhere.
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
    /// The part that a JSON pointer leads to; nil where there is none.
    func value(at pointer: String) -> JSONValue? {
        JSONPointer.steps(of: pointer).reduce(.some(self)) { value, step in
            value?.object == nil ? Int(step).flatMap { value?[$0] } : value?[step]
        }
    }

    /// The same with other texts.
    func mapTexts(_ map: (String) -> String) -> JSONValue {
        switch self {
        case .string(let text): return .string(map(text))
        case .array(let elements): return .array(elements.map { $0.mapTexts(map) })
        case .object(let object):
            return .object(object.members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.mapTexts(map) })
        default: return self
        }
    }

    /// The type of a value, in words.
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
