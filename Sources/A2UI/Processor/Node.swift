public import Backlot

/// A component in its place in the tree. A component that several name, or a template, has several nodes.
public struct Node: Equatable, Sendable {
    /// A property without bindings and calls.
    public indirect enum Value: Equatable, Sendable {
        /// A value, and the path where a user's input is written; nil if it isn't bound.
        case value(JSONValue?, path: DataPath?)
        /// The path of a node.
        case node(String)
        case list([Value])
        case object([String: Value])
        case action
    }

    /// The path from the root by properties and positions, such as `root/children/0`.
    public let path: String
    /// The component's id.
    public let componentID: String
    /// The component; nil as long as it hasn't come.
    public let component: Component?
    /// The element of the template that it belongs to.
    public let scope: DataScope
    /// The properties, except checks.
    public internal(set) var properties: [String: Value] = [:]
    /// The paths of the nodes in it, in order.
    public internal(set) var children: [String] = []
}

/// The nodes of a surface.
public struct NodeTree: Sendable {
    /// The most nodes of a tree.
    public static let limit = 100_000

    /// The nodes by path.
    public private(set) var nodes: [String: Node] = [:]
    /// The paths from the root on, parents before children.
    public private(set) var order: [String] = []
    /// The errors of values that became null because of them, and of templates that have no list.
    public private(set) var errors: [A2UIError] = []
    private let surface: Surface
    private let tree: ComponentTree
    private var evaluator: Evaluator

    package init(_ surface: Surface, _ tree: ComponentTree) {
        (self.surface, self.tree) = (surface, tree)
        evaluator = Evaluator(surface.model, tree.scope)
        guard surface.components["root"] != nil else { return }
        build("root", at: "root", in: .root, depth: 1)
        errors = (errors + evaluator.errors).map { $0.on(surface.id) }
    }

    private mutating func build(_ id: String, at path: String, in scope: DataScope, depth: Int) {
        guard nodes.count < Self.limit, depth <= ComponentTree.depthLimit else {
            if errors.last?.category != .recursion {
                errors.append(
                    A2UIError(.recursion, "too_large", "The tree has more than \(Self.limit) nodes, or is too deep.")
                )
            }
            return
        }
        let component = surface.components[id]
        nodes[path] = Node(path: path, componentID: id, component: component, scope: scope)
        order.append(path)
        guard let component else { return }
        let shape = tree.shape(of: component)
        let version = surface.version
        for member in component.properties.members where !Self.skipped.contains(member.key) {
            let key = member.key
            if let references = shape?.references[key] {
                let value = resolve(
                    member.value,
                    references,
                    at: "\(path)/\(key)",
                    parent: path,
                    in: scope,
                    depth: depth
                )
                nodes[path]?.properties[key] = value
            } else if shape.map({ $0.actions.contains(key) }) ?? (key == "action") {
                nodes[path]?.properties[key] = .action
            } else {
                evaluator.scope = scope
                let bound = member.value.object.flatMap { $0.count == 1 ? $0[version.pathKey]?.string : nil }
                let target = bound.map { DataPath($0, in: scope.path) }
                nodes[path]?.properties[key] = .value(evaluator.value(of: member.value), path: target)
            }
        }
    }

    private static let skipped: Set<String> = [
        "id", "component", "checks", "@checks", "catalogId", "@catalogId", "metadata", "@metadata",
    ]

    private mutating func resolve(
        _ value: JSONValue,
        _ references: ComponentShape.References,
        at path: String,
        parent: String,
        in scope: DataScope,
        depth: Int
    ) -> Node.Value {
        func child(_ id: String, _ path: String, _ scope: DataScope, _ tree: inout NodeTree) -> Node.Value {
            tree.nodes[parent]?.children.append(path)
            tree.build(id, at: path, in: scope, depth: depth + 1)
            return .node(path)
        }
        switch (references, value) {
        case (.child, .string(let id)): return child(id, path, scope, &self)
        case (.children, .array(let ids)):
            return .list(
                ids.enumerated().map { index, id in child(id.string ?? "", "\(path)/\(index)", scope, &self) }
            )
        case (.children, .object(let template)):
            let list = DataPath(template["path"]?.string ?? "", in: scope.path)
            let elements = surface.model[list]
            guard let count = elements?.array?.count else {
                if let elements, elements != .null {
                    let text =
                        "The template of \(parent) is bound to \(list), which is \(elements.typeText) and not a list."
                    errors.append(A2UIError(.data, "type_mismatch", text))
                }
                return .list([])
            }
            let id = template["componentId"]?.string ?? ""
            return .list(
                (0..<count).prefix { _ in nodes.count < Self.limit }.map { index in
                    child(id, "\(path)/\(index)", DataScope(path: list.appending(String(index)), index: index), &self)
                }
            )
        case (.list(let inner), .array(let elements)):
            return .list(
                elements.enumerated().map { index, element in
                    resolve(element, inner, at: "\(path)/\(index)", parent: parent, in: scope, depth: depth)
                }
            )
        case (.object(let members), .object(let object)):
            var values: [String: Node.Value] = [:]
            for member in object.members {
                if let inner = members[member.key] {
                    values[member.key] = resolve(
                        member.value,
                        inner,
                        at: "\(path)/\(member.key)",
                        parent: parent,
                        in: scope,
                        depth: depth
                    )
                } else {
                    evaluator.scope = scope
                    values[member.key] = .value(evaluator.value(of: member.value), path: nil)
                }
            }
            return .object(values)
        default: return .value(value, path: nil)
        }
    }
}

/// The outcome of a check that failed.
public struct CheckFailure: Equatable, Sendable {
    /// The kind of failure; nil before 1.0, and if the function gives none.
    public let code: String?
    /// The message for the user.
    public let message: String?
    /// `error`, `warning` or `info`.
    public let severity: String
}

extension Processor {
    /// The tree of a surface as a client shows it; nil without the surface.
    public func nodes(of surface: String) -> NodeTree? {
        surfaces[surface].map { NodeTree($0, tree(of: $0)) }
    }

    /// The checks of a node that fail now. A check with an error fails.
    public func failures(of node: Node, on surface: String) -> [CheckFailure] {
        guard let surface = surfaces[surface], let checks = node.component?.common("checks")?.array else { return [] }
        return checks.compactMap { check in
            var evaluator = Evaluator(surface.model, scope(of: surface), scope: node.scope)
            let result = evaluator.value(of: check["condition"] ?? .null) ?? .null
            guard !result.isTruthy(surface.version) else { return nil }
            return CheckFailure(
                code: result["code"]?.string,
                message: result["message"]?.string ?? check["message"]?.string,
                severity: result["severity"]?.string ?? "error"
            )
        }
    }

    /// The effect of a tap.
    public struct Tap: Equatable, Sendable {
        /// The message to send; nil for a function of the client.
        public var message: ClientMessage?
        /// The work for the client, such as opening a URL.
        public var effects: [Evaluator.Effect] = []
        /// Errors in values of the context, which are null then, and of the function.
        public var errors: [A2UIError] = []
    }

    /// Taps a node.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - property: the property with the action.
    ///   - surface: the surface.
    ///   - timestamp: the time, in the form of ISO 8601.
    /// - Returns: what happens; nil without an action, and while a check of the node fails.
    public func tap(
        _ node: Node,
        property: String = "action",
        on surface: String,
        at timestamp: String
    ) -> Tap? {
        guard let state = surfaces[surface], let component = node.component,
            let action = component.properties[property],
            !failures(of: node, on: surface).contains(where: { $0.severity == "error" })
        else { return nil }
        return Self.tap(action, of: component.id, on: state, in: scope(of: state), scope: node.scope, at: timestamp)
    }

    package static func tap(
        _ action: JSONValue,
        of componentID: String,
        on surface: Surface,
        in catalogs: CatalogScope,
        scope: DataScope,
        at timestamp: String
    ) -> Tap? {
        var evaluator = Evaluator(surface.model, catalogs, scope: scope)
        var tap = Tap()
        if let event = action["event"]?.object {
            var context = JSONObject()
            for member in event["context"]?.object?.members ?? [] {
                context[member.key] = evaluator.value(of: member.value) ?? .null
            }
            var message = ClientMessage.Action(
                name: event["name"]?.string ?? "",
                surfaceID: surface.id,
                componentID: componentID,
                timestamp: timestamp,
                context: context
            )
            if surface.version.isOne {
                message.userMessage = event["userMessage"].flatMap { evaluator.value(of: $0) }?.string
                message.metadata = event["metadata"]?.object
            }
            tap.message = ClientMessage(surface.version, .action(message))
        } else if let call = action["functionCall"] {
            _ = evaluator.value(of: call)
        } else {
            return nil
        }
        tap.errors = evaluator.errors.map { $0.on(surface.id) }
        tap.effects = evaluator.effects
        return tap
    }
}
