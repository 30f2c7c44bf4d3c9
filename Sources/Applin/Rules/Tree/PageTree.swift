/// The pages, widgets and actions of a document in one flat array, each after the one that it stands in. Rules go through
/// it without recursion, so that a deep page costs no stack.
struct PageTree {
    /// The page first; empty when the document has none.
    private(set) var nodes: [PageNode] = []
    /// The nodes of each `typ`, so that a rule looks only at those that it is about.
    private var nodesByTyp: [String: [Int]] = [:]
    /// The nodes of each list of actions, in their order.
    var actionLists: [[Int]] = []

    /// Adds a node and returns its index.
    mutating func append(_ node: PageNode) -> Int {
        nodes.append(node)
        nodesByTyp[node.typ, default: []].append(nodes.count - 1)
        return nodes.count - 1
    }

    /// The nodes of one kind that have one of some names, in the order of the page.
    func nodes(_ kind: PageNode.Kind, _ typs: [String]) -> [Int] {
        typs.flatMap { nodesByTyp[$0] ?? [] }.filter { nodes[$0].kind == kind }.sorted()
    }

    /// The names of the nodes from below the page to the node.
    func steps(to node: Int) -> [String] {
        ancestry(of: node).map(\.name).filter { !$0.isEmpty }
    }

    /// The node's place in the document (RFC 6901).
    func pointer(to node: Int) -> String {
        ancestry(of: node).map(\.pointer).joined()
    }

    private func ancestry(of node: Int) -> [PageNode] {
        var ancestry: [PageNode] = []
        var next: Int? = node
        while let index = next {
            ancestry.append(nodes[index])
            next = nodes[index].parent
        }
        return ancestry.reversed()
    }
}
