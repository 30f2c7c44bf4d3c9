import A2UI
import Backlot

/// A case of the suite about trees of nodes: what a surface looks like after each of some steps, and which nodes have changed.
struct NodeCase {
    typealias Mismatch = ConformanceCases.Mismatch

    private let item: JSONValue
    private var surface: Surface
    private var nodes: [String: Node] = [:]
    private let scope: CatalogScope

    init(_ item: JSONValue, _ file: (String) -> JSONValue?) throws(Mismatch) {
        self.item = item
        let path = item["fixture"]?.string ?? ""
        guard let fixture = file(path) else { throw Mismatch("the fixture \(path) isn't there") }
        let isOne = fixture["catalog"]?.string?.contains("v1") == true
        let basic = isOne ? Catalog.basic1_0 : .basic0_9
        surface = Surface("main", isOne ? .v1_0 : .v0_9, ServerMessage.Creation(catalogID: basic.id))
        scope = CatalogScope(catalogs: Catalog.basics, defaultID: basic.id, version: surface.version)
        surface.model = DataModel(fixture["data"] ?? [:])
        try add(fixture["components"]?.array ?? [])
    }

    private mutating func add(_ components: [JSONValue]) throws(Mismatch) {
        do throws(A2UIError) {
            let rules = ComponentRules(scope: scope, version: surface.version, strictness: .lenient)
            for component in try rules.components(components.compactMap(\.object), known: surface.components, at: "") {
                surface.components[component.id] = component
            }
        } catch {
            throw Mismatch("\(error)")
        }
    }

    private var tree: NodeTree { NodeTree(surface, ComponentTree(components: surface.components, scope: scope)) }

    mutating func run() throws(Mismatch) {
        nodes = tree.nodes
        try check(item["expect"] ?? [:], nodes, effects: [], message: nil)
        for step in item["steps"]?.array ?? [] {
            let former = nodes
            var (effects, message): ([Evaluator.Effect], ClientMessage?) = ([], nil)
            let node = nodes[step["node"]?.string ?? ""]
            let property = step["property"]?.string ?? ""
            if step["op"] == "update_components" { try add(step["components"]?.array ?? []) }
            do throws(A2UIError) {
                switch step["op"]?.string {
                case "update_components": break
                case "remove_component": surface.components[step["component_id"]?.string ?? ""] = nil
                case "set_data": try surface.model.set(step["value"], at: DataPath(step["path"]?.string ?? ""))
                case "write":
                    guard case .value(_, let path?)? = node?.properties[property] else {
                        throw A2UIError(.data, "", "not bound")
                    }
                    try surface.model.set(step["value"], at: path)
                case "invoke":
                    let action = node?.component?.properties[property] ?? .null
                    let tap = Processor.tap(
                        action,
                        of: node?.componentID ?? "",
                        on: surface,
                        in: scope,
                        scope: node?.scope ?? .root,
                        at: ""
                    )
                    (effects, message) = (tap?.effects ?? [], tap?.message)
                case "dispose": surface.components = [:]
                default: throw A2UIError(.state, "", "op \(step["op"] ?? .null)")
                }
            } catch {
                guard error.category != .state else { throw .unsupported(error.message) }
                throw Mismatch("\(error)")
            }
            nodes = tree.nodes
            try check(step["expect"] ?? [:], former, effects: effects, message: message)
        }
    }

    private func check(
        _ expected: JSONValue,
        _ former: [String: Node],
        effects: [Evaluator.Effect],
        message: ClientMessage?
    ) throws(Mismatch) {
        if let expected = expected["nodes"]?.object {
            guard Set(expected.keys) == Set(nodes.keys) else {
                throw Mismatch("nodes \(nodes.keys.sorted()), but \(expected.keys)")
            }
            for member in expected.members { if let node = nodes[member.key] { try checkNode(node, member.value) } }
        }
        for member in expected["data"]?.object?.members ?? [] {
            try Mismatch.check(surface.model[DataPath(member.key)], is: member.value, member.key)
        }
        func isSame(_ old: Node, _ new: Node?) -> Bool {
            new.map { $0.componentID == old.componentID && $0.component?.type == old.component?.type } ?? false
        }
        func checkPaths(_ name: String, _ paths: some Sequence<String>) throws(Mismatch) {
            guard let expected = expected[name] else { return }
            let names = expected.object?.keys ?? (expected.array ?? []).compactMap(\.string)
            guard Set(names) == Set(paths) else { throw Mismatch("\(name): \(Set(paths).sorted()), but \(expected)") }
        }
        let same = former.values.filter { isSame($0, nodes[$0.path]) }
        let lost = former.values.filter { !isSame($0, nodes[$0.path]) }
        // A container changes with its children; where one is replaced, it isn't the same child.
        let changed = same.filter { old in
            guard let new = nodes[old.path] else { return false }
            return old != new || new.children.contains { path in lost.contains { $0.path == path } }
        }
        try checkPaths("same_nodes", same.map(\.path))
        try checkPaths("destroyed", lost.map(\.path))
        try checkPaths("replaced_nodes", lost.map(\.path).filter { nodes[$0] != nil })
        try checkPaths("emissions", changed.map(\.path))
        if let expected = expected["functions"]?.array {
            let calls = effects.map { JSONValue.object(["name": .string($0.name), "args": .object($0.arguments)]) }
            try Mismatch.check(.array(calls), is: .array(expected), "the calls")
        }
        for expected in (expected["actions"] ?? expected["events"])?.array ?? [] {
            try Mismatch.check(message?.json["action"], has: expected, "the action")
        }
    }

    private func checkNode(_ node: Node, _ expected: JSONValue) throws(Mismatch) {
        var state: JSONObject = [
            "component_id": .string(node.componentID), "state": node.component == nil ? "pending" : "resolved",
            "data_path": .string(node.scope.path.description), "props": .object([:]),
        ]
        state["type"] = node.component.map { .string($0.type) }
        state["props"] = .object(node.properties.reduce(into: JSONObject()) { $0[$1.key] = Self.json($1.value) })
        try Mismatch.check(.object(state), has: expected, node.path)
    }

    private static func json(_ value: Node.Value) -> JSONValue {
        switch value {
        case .value(let value, let path): ["value": value ?? .null, "writable": .bool(path != nil)]
        case .node(let path): ["node": .string(path)]
        case .list(let values): .array(values.map(json))
        case .object(let members): .object(members.reduce(into: JSONObject()) { $0[$1.key] = json($1.value) })
        case .action: ["action": true]
        }
    }
}
