/// The known objects of a document, in one flat array, each after its parent. Rules visit it without recursion, so that a deep
/// document needs no stack.
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

    /// The nodes of some kinds, in the order of the document. Nodes that clients ignore are left out.
    package func nodes(_ kinds: Kind...) -> [DocumentNode] {
        var indices: [Int] = []
        for kind in kinds {
            indices += nodesByKind[ObjectIdentifier(kind)] ?? []
        }
        return (kinds.count == 1 ? indices : indices.sorted()).map { nodes[$0] }
    }

    /// The children of a node, in the order of the document.
    package func contents(of node: DocumentNode) -> [DocumentNode] {
        contents[node.index].map { nodes[$0] }
    }

    /// The children of a node under one key, in the order of the document.
    package func contents(of node: DocumentNode, under key: String) -> [DocumentNode] {
        contents(of: node).filter { $0.key == key }
    }

    /// The parent of a node; nil for the document.
    package func parent(of node: DocumentNode) -> DocumentNode? { node.parent.map { nodes[$0] } }

    /// The path to a position, for findings.
    ///
    /// - Parameter pointer: the path from the node to the position, as a JSON pointer.
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
    /// The node's index in the nodes of its tree.
    package let index: Int
    package let role: Role
    /// The kind that clients read it as; nil for an unknown kind.
    package let kind: Kind?
    /// The name of its kind on the wire; empty if it is missing or isn't a text.
    package let name: String
    /// The members. For an object written as a text, the members that the text stands for.
    package let object: JSONObject
    /// The text of an object that is written as a text.
    package let text: String?
    /// The index of the node's parent.
    let parent: Int?
    /// The node's key in its parent.
    package let key: String
    /// The path from the parent, as a JSON pointer: `/widgets/3`.
    let pointer: String
    /// The node's step on a finding's path, such as `textfield "username"`; empty for an object without a step.
    package let step: String
    /// Whether clients use it. They ignore the value of a key that the object around it doesn't have.
    package let isRead: Bool

    /// The kind in sentences: `a textfield`.
    package var noun: String { kind?.noun ?? (name.isEmpty ? role.noun : name.excerpt).withArticle }

    /// The value of a key; nil for `null`.
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

    /// The texts in an array, without other values; nil without an array.
    package func strings(_ key: String) -> [String]? { object[key]?.array?.compactMap(\.string) }
}
