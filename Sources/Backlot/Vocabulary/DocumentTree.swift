/// The objects of a document that a vocabulary knows, in one flat array, each after the one that it stands in. Rules go
/// through it without recursion, so that a deep document costs no stack.
package struct DocumentTree: Sendable {
    /// Every object, in the order of the document. The first is the document itself, if it is an object.
    package private(set) var nodes: [DocumentNode] = []
    private var nodesByKind: [ObjectIdentifier: [Int]] = [:]
    private var contents: [[Int]] = []

    /// Adds a node and returns its index.
    mutating func append(_ node: DocumentNode) -> Int {
        let index = nodes.count
        nodes.append(node)
        contents.append([])
        if let kind = node.kind, node.isRead {
            nodesByKind[ObjectIdentifier(kind), default: []].append(index)
        }
        if let parent = node.parent {
            contents[parent].append(index)
        }
        return index
    }

    /// The nodes of some kinds, in the order of the document. Those that clients pass over are left out.
    package func nodes(_ kinds: Kind...) -> [DocumentNode] {
        var indices: [Int] = []
        for kind in kinds {
            indices += nodesByKind[ObjectIdentifier(kind)] ?? []
        }
        return (kinds.count == 1 ? indices : indices.sorted()).map { nodes[$0] }
    }

    /// The nodes that stand directly in another, in the order of the document.
    package func contents(of node: DocumentNode) -> [DocumentNode] {
        contents[node.index].map { nodes[$0] }
    }

    /// The nodes that stand under a key of another, in the order of the document.
    package func contents(of node: DocumentNode, under key: String) -> [DocumentNode] {
        contents(of: node).filter { $0.key == key }
    }

    /// The node that another stands in; nil for the document.
    package func parent(of node: DocumentNode) -> DocumentNode? { node.parent.map { nodes[$0] } }

    /// The way to a place, for findings.
    ///
    /// - Parameter pointer: the way from the node to the place, as JSON pointer.
    package func path(to node: DocumentNode, _ pointer: String = "", page: String) -> FindingPath {
        var ancestry = [node]
        while let parent = ancestry[ancestry.count - 1].parent {
            ancestry.append(nodes[parent])
        }
        ancestry.reverse()
        return FindingPath(
            page: page,
            steps: ancestry.map(\.step).filter { !$0.isEmpty },
            pointer: ancestry.map(\.pointer).joined() + pointer
        )
    }
}

/// An object of a document, with access to its members by their types.
package struct DocumentNode: Sendable {
    /// Where it is among the nodes of its tree.
    package let index: Int
    package let role: Role
    /// What clients take it for; nil for a kind that no client knows.
    package let kind: Kind?
    /// The name of its kind on the wire; empty where that is missing or no text.
    package let name: String
    /// The members. Those of an object that is written as a text are what they would be in an object.
    package let object: JSONObject
    /// The whole of an object that is written as a text.
    package let text: String?
    /// The node that it stands in.
    let parent: Int?
    /// The key of the parent under which it stands.
    package let key: String
    /// The way from the parent, as JSON pointer: `/widgets/3`.
    let pointer: String
    /// Its step on a finding's path: `textfield "username"`; empty for what needs no step.
    package let step: String
    /// Whether clients use it. They pass over what stands under a key that the object around it doesn't have.
    package let isRead: Bool

    /// The kind in sentences: `a textfield`.
    package var noun: String { kind?.noun ?? (name.isEmpty ? role.noun : name.excerpt).withArticle }

    /// What stands under a key; nil for `null`.
    package func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    package func has(_ key: String) -> Bool { value(key) != nil }
    package func string(_ key: String) -> String? { object[key]?.string }
    package func bool(_ key: String) -> Bool? { object[key]?.bool }
    package func number(_ key: String) -> Double? { object[key]?.number?.double }
    package func array(_ key: String) -> [JSONValue]? { object[key]?.array }

    package func integer(_ key: String) -> Int? { object[key]?.number?.int64.map { Int($0) } }

    /// The texts of an array, others left out; nil where there is no array.
    package func strings(_ key: String) -> [String]? { object[key]?.array?.compactMap(\.string) }
}
