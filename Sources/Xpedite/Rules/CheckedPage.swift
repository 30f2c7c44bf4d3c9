import BacklotJSON

/// A page as a flat list of what stands on it, each after the one that it stands in, and what is known around it.
struct CheckedPage {
    /// The most parts of a page that are looked at.
    static let limit = 20_000

    let name: String
    let facts: AppFacts
    let readings: RuleReadings
    private(set) var nodes: [WireNode] = []
    /// The indices of what stands directly in each node.
    private var contents: [[Int]] = [[]]

    init(_ document: JSONObject, name: String, facts: AppFacts, readings: RuleReadings) {
        self.name = name
        self.facts = facts
        self.readings = readings
        nodes.append(WireNode(kind: .page, type: "", object: document, steps: [], pointer: "", index: 0))
        add(.preload, "images", of: 0)
        add(.component, "components", of: 0)
        var index = 1
        while index < nodes.count, nodes.count < Self.limit {
            addParts(of: index)
            index += 1
        }
    }

    /// The page itself.
    var page: WireNode { nodes[0] }

    /// The components and fields of some types.
    func parts(_ types: String...) -> [WireNode] {
        nodes.filter { ($0.kind == .component || $0.kind == .field) && types.contains($0.type) }
    }

    /// The nodes that stand directly in one.
    func nodes(_ kind: WireNode.Kind, in parent: WireNode) -> [WireNode] {
        contents[parent.index].map { nodes[$0] }.filter { $0.kind == kind }
    }

    private mutating func addParts(of index: Int) {
        let node = nodes[index]
        guard node.kind == .component else { return }
        switch node.type {
        case "scrollview": add(.component, "components", of: index)
        case "form": add(.field, "components", of: index)
        case "navigation": add(.entry, "components", of: index)
        case "table":
            add(.heading, "header", of: index)
            add(.cell, "cell", of: index)
        default: break
        }
    }

    private mutating func add(_ kind: WireNode.Kind, _ key: String, of parent: Int) {
        let node = nodes[parent]
        var names: [String: Int] = [:]
        for (index, value) in (node.object[key]?.array ?? []).enumerated() {
            guard let object = value.object else { continue }
            let type = object["type"]?.string ?? ""
            let base = Self.name(kind, type, object)
            let number = names[base, default: 0] + 1
            names[base] = number
            contents[parent].append(nodes.count)
            contents.append([])
            nodes.append(
                WireNode(
                    kind: kind,
                    type: type,
                    object: object,
                    steps: node.steps + [number > 1 ? "\(base) #\(number)" : base],
                    pointer: "\(node.pointer)/\(key)/\(index)",
                    index: nodes.count
                )
            )
        }
    }

    private static func name(_ kind: WireNode.Kind, _ type: String, _ object: JSONObject) -> String {
        let noun: String
        let labels: [String]
        switch kind {
        case .page: return ""
        case .component, .field:
            noun = type.isEmpty ? "component" : type.excerpt
            labels = ["name", "id", "text", "title"]
        case .entry: (noun, labels) = ("menuEntry", ["text"])
        case .cell: (noun, labels) = ("cell", ["field"])
        case .heading: (noun, labels) = ("header", ["text"])
        case .preload: (noun, labels) = ("images", ["id"])
        }
        let label = labels.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
        return label.map { "\(noun) \"\($0.excerpt)\"" } ?? noun
    }
}

extension String {
    /// The text for one line of a terminal: without control characters, and not too long.
    var excerpt: String {
        let limit = 40
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }
}
