package import Backlot
package import BacklotJSON

/// The words by which answers of one protocol are read and judged, when a mock's answer is compared with the backend's.
package struct AnswerWords: Sendable {
    /// The protocol, as in ``MountedApp/wire``.
    package let wire: String
    /// The keys under which parts name a variable that clients send.
    package let variables: Set<String>
    /// The keys under which parts say where clients go, or what they call.
    package let targets: Set<String>
    /// The keys whose values above 0 make a variable required.
    package let requirements: Set<String>
    /// The nouns of parts that are rows of data, of which there may be any number.
    package let rows: Set<String>
    /// The objects of an answer.
    package let tree: @Sendable (JSONValue) -> DocumentTree
    /// What clients reject in an answer.
    package let findings: @Sendable (_ document: JSONValue, _ path: String) -> [Finding]

    package init(
        wire: String,
        variables: Set<String> = [],
        targets: Set<String> = [],
        requirements: Set<String> = [],
        rows: Set<String> = [],
        tree: @escaping @Sendable (JSONValue) -> DocumentTree,
        findings: @escaping @Sendable (_ document: JSONValue, _ path: String) -> [Finding]
    ) {
        self.wire = wire
        self.variables = variables
        self.targets = targets
        self.requirements = requirements
        self.rows = rows
        self.tree = tree
        self.findings = findings
    }
}

/// An object of an answer that clients know, such as a widget or an action.
struct AnswerPart {
    /// What stands there: `widget`.
    let noun: String
    /// The name of its kind; empty where it has none.
    let name: String
    /// Its members; those of one that is written as a text are what they would be in an object.
    let object: JSONObject
    let isText: Bool
    /// The way to it, in words.
    let steps: [String]
    /// The variable that it sets; nil for none.
    let variable: String?
    /// Where it leads; nil for nowhere.
    let target: String?
    /// Whether there may be any number of its like.
    let isRow: Bool
    /// What clients take it for; nil for a kind that no client knows.
    let kind: Kind?
    /// Whether clients use it.
    let isRead: Bool

    /// Its last step: `textfield "username"`.
    var title: String { steps.last ?? noun }

    /// Whether clients use what stands under a key.
    func reads(_ key: String) -> Bool {
        guard let kind else { return isRead }
        let isName = kind.roles.contains { if case .key(let name) = $0.naming { name == key } else { false } }
        return isRead && (isName || kind.keys.contains { $0.name == key })
    }

    /// Whether clients assume a value where a key is missing.
    func assumes(_ value: JSONValue, _ key: String) -> Bool {
        kind?.keys.contains { $0.name == key && $0.defaultValue == value } ?? false
    }
}

/// An answer with the parts that clients know, by their JSON pointers.
struct AnswerDocument {
    let value: JSONValue
    let parts: [String: AnswerPart]
    let words: AnswerWords?

    init(_ value: JSONValue, _ words: AnswerWords?) {
        self.value = value
        self.words = words
        guard let words, value.object != nil else {
            parts = [:]
            return
        }
        let tree = words.tree(value)
        var parts: [String: AnswerPart] = [:]
        for node in tree.nodes {
            let path = tree.path(to: node, page: "")
            func text(_ keys: Set<String>) -> String? {
                node.object.members.first { keys.contains($0.key) && $0.value.string != nil }?.value.string
            }
            parts[path.pointer] = AnswerPart(
                noun: node.role.noun,
                name: node.name,
                object: node.object,
                isText: node.text != nil,
                steps: path.steps,
                // Actions name variables that inputs send.
                variable: node.role.noun == "action" ? nil : text(words.variables),
                target: text(words.targets),
                isRow: words.rows.contains(node.role.noun),
                kind: node.kind,
                isRead: node.isRead
            )
        }
        self.parts = parts
    }

    /// Whether clients use what stands at a place.
    func isRead(_ pointer: String) -> Bool {
        if let part = parts[pointer] { return part.isRead }
        var around = pointer[...]
        while let slash = around.lastIndex(of: "/") {
            around = around[..<slash]
            guard let part = parts[String(around)] else { continue }
            guard let key = JSONPointer.steps(of: String(pointer.dropFirst(around.count))).first else { return true }
            return part.reads(key)
        }
        return true
    }

    /// The way to a place, in words: that of the nearest part around it.
    func steps(to pointer: String) -> [String] {
        var pointer = pointer[...]
        while true {
            if let part = parts[String(pointer)] { return part.steps }
            guard let slash = pointer.lastIndex(of: "/") else { return [] }
            pointer = pointer[..<slash]
        }
    }
}
