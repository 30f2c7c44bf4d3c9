import BacklotJSON

/// A document as a flat list of its objects, each after the one that it stands in, and what is known around it.
struct CheckedDocument {
    /// The most objects of a document that are looked at.
    static let limit = 20_000

    let dialect: Dialect
    let catalogue: Catalogue
    private(set) var nodes: [WireNode] = []
    /// The indices of what stands directly in each node.
    private var contents: [[Int]] = [[]]
    /// Elements of arrays that should be objects and aren't: the node, the key and the place.
    private(set) var strays: [(node: WireNode, key: String)] = []

    init(_ document: JSONObject, dialect: Dialect, catalogue: Catalogue) {
        self.dialect = dialect
        self.catalogue = catalogue
        nodes.append(WireNode(part: .document, object: document, steps: [], pointer: "", index: 0))
        if let configuration = document["configuration"]?.object {
            add(.configuration, configuration, step: "configuration", pointer: "/configuration", in: nodes[0])
        }
        addList(.widget, "widgets", of: nodes[0])
        var index = 1
        while index < nodes.count, nodes.count < Self.limit {
            let node = nodes[index]
            switch node.kind {
            case .section, .developerMode: addList(.widget, "items", of: node)
            case .multiValue: addList(.option, "values", of: node)
            default: break
            }
            index += 1
        }
    }

    /// The document itself.
    var document: WireNode { nodes[0] }

    /// The configuration; nil where there is none.
    var configuration: WireNode? { nodes.first { $0.part == .configuration } }

    /// Every widget.
    var widgets: [WireNode] { nodes.filter { $0.part == .widget } }

    /// The widgets of a kind.
    func widgets(_ kind: WidgetKind) -> [WireNode] { nodes.filter { $0.kind == kind } }

    /// What stands directly in a node.
    func contents(of node: WireNode) -> [WireNode] { contents[node.index].map { nodes[$0] } }

    private mutating func addList(_ part: WireNode.Part, _ key: String, of parent: WireNode) {
        var names: [String: Int] = [:]
        for (index, value) in (parent.object[key]?.array ?? []).enumerated() {
            guard let object = value.object else {
                strays.append((parent, "\(key)/\(index)"))
                continue
            }
            let base = Self.name(part, object)
            let number = names[base, default: 0] + 1
            names[base] = number
            let step = number > 1 ? "\(base) #\(number)" : base
            add(part, object, step: step, pointer: "\(parent.pointer)/\(key)/\(index)", in: parent)
        }
    }

    private mutating func add(
        _ part: WireNode.Part,
        _ object: JSONObject,
        step: String,
        pointer: String,
        in parent: WireNode
    ) {
        contents[parent.index].append(nodes.count)
        contents.append([])
        let steps = parent.steps + [step]
        nodes.append(WireNode(part: part, object: object, steps: steps, pointer: pointer, index: nodes.count))
    }

    private static func name(_ part: WireNode.Part, _ object: JSONObject) -> String {
        let noun = part == .option ? "option" : object["type"]?.string?.excerpt ?? "widget"
        return object["id"]?.string.map { "\(noun) \"\($0.excerpt)\"" } ?? noun
    }
}
