public import Backlot

/// A component of a surface, as the server sent it.
public struct Component: Equatable, Sendable {
    /// The id, unique in its surface.
    public let id: String
    /// The name of its type in the catalog.
    public let type: String
    /// All of its keys.
    public let properties: JSONObject

    /// The name in 1.0 of a key that all components may have: `checks` becomes `@checks`.
    func common(_ key: String) -> JSONValue? { properties["@\(key)"] ?? properties[key] }

    var catalogID: String? { common("catalogId")?.string }
}

/// A surface: a catalog, a flat list of components, and a data model.
public struct Surface: Sendable {
    /// The id.
    public let id: String
    /// The version.
    public let version: ProtocolVersion
    /// The catalog, the theme and the other parts that it was created with.
    public let creation: ServerMessage.Creation
    /// The components by id.
    public package(set) var components: [String: Component] = [:]
    /// The data model.
    public package(set) var model: DataModel
    /// An upper bound of the model's bytes.
    var modelBytes = 0

    package init(_ id: String, _ version: ProtocolVersion, _ creation: ServerMessage.Creation) {
        (self.id, self.version, self.creation) = (id, version, creation)
        model = DataModel(.object(creation.dataModel ?? [:]))
    }
}

/// The references from component to component.
package struct ComponentTree {
    package let components: [String: Component]
    package let scope: CatalogScope

    package init(components: [String: Component], scope: CatalogScope) {
        (self.components, self.scope) = (components, scope)
    }

    /// The deepest nesting of components.
    static let depthLimit = 100

    func shape(of component: Component) -> ComponentShape? {
        (try? scope.catalog(scope.version.isOne ? component.catalogID : nil))?.components[component.type]
    }

    /// The components that a component names, and whether it does so as a template.
    func children(of component: Component) -> [(id: String, isTemplate: Bool)] {
        guard let shape = shape(of: component) else { return [] }
        var children: [(id: String, isTemplate: Bool)] = []
        func add(_ value: JSONValue?, _ references: ComponentShape.References) {
            switch references {
            case .child: if let id = value?.string { children.append((id, false)) }
            case .children:
                for element in value?.array ?? [] { add(element, .child) }
                if let id = value?["componentId"]?.string { children.append((id, true)) }
            case .list(let inner): for element in value?.array ?? [] { add(element, inner) }
            case .object(let members):
                for (key, inner) in members.sorted(by: { $0.key < $1.key }) { add(value?[key], inner) }
            }
        }
        for (key, references) in shape.references.sorted(by: { $0.key < $1.key }) {
            add(component.properties[key], references)
        }
        return children
    }

    /// Looks for a cycle through one of some components, and for a tree that is too deep below them.
    func checkCycles(from ids: [String]) throws(A2UIError) {
        var isDone: [String: Bool] = [:]
        for start in ids where isDone[start] == nil {
            var stack: [(id: String, children: [(id: String, isTemplate: Bool)])] = []
            func push(_ id: String) {
                isDone[id] = false
                stack.append((id, components[id].map { Array(children(of: $0).reversed()) } ?? []))
            }
            push(start)
            while let last = stack.last {
                guard let child = last.children.last else {
                    isDone[last.id] = true
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].children.removeLast()
                switch isDone[child.id] {
                case true?: continue
                case false?:
                    let text =
                        child.id == last.id
                        ? "The component \(child.id.quoted) refers to itself."
                        : "The component \(child.id.quoted) is within itself, by way of \(last.id.quoted)."
                    throw A2UIError(.integrity, child.id == last.id ? "self_reference" : "circular_reference", text)
                case nil:
                    push(child.id)
                    guard stack.count <= Self.depthLimit else {
                        throw A2UIError(
                            .recursion,
                            "too_deep",
                            "Components are nested more than \(Self.depthLimit) deep."
                        )
                    }
                }
            }
        }
    }

    /// The errors in the tree from the root on: its types, and indices outside of templates. If `isComplete`, also a missing
    /// root, references to nothing and components without a parent.
    func check(isComplete: Bool) throws(A2UIError) {
        guard let root = components["root"] else {
            guard isComplete, !components.isEmpty else { return }
            throw A2UIError(.integrity, "missing_root", "Missing root component: the tree begins at the id root.")
        }
        try checkPlace(of: root, under: nil)
        var reached: [String: Bool] = ["root": false]
        var queue = [root]
        while let component = queue.popLast() {
            let isWithin = reached[component.id] ?? false
            if !isWithin, scope.version.isOne, Self.callsIndex(.object(component.properties)) {
                throw A2UIError(
                    .validation,
                    "invalid_value",
                    "\(component.id.quoted) calls @index outside of a template, where no index is."
                )
            }
            for child in children(of: component) {
                guard let next = components[child.id] else {
                    guard isComplete else { continue }
                    throw A2UIError(
                        .integrity,
                        "dangling_reference",
                        "Dangling reference: \(component.id.quoted) names \(child.id.quoted), which isn't there."
                    )
                }
                try checkPlace(of: next, under: component)
                // A component outside of a template counts more than one inside.
                let isInTemplate = isWithin || child.isTemplate
                guard reached[child.id] == nil || reached[child.id] == true && !isInTemplate else { continue }
                reached[child.id] = isInTemplate
                queue.append(next)
            }
        }
        guard isComplete, let orphan = components.keys.filter({ reached[$0] == nil }).min() else { return }
        throw A2UIError(.integrity, "orphan", "The component \(orphan.quoted) is not reachable from the root.")
    }

    private func checkPlace(of child: Component, under parent: Component?) throws(A2UIError) {
        let type = parent?.type ?? "Surface"
        let place =
            "\(child.id.quoted) (\(child.type)) can't stand under \(parent.map { "\($0.id.quoted) (\(type))" } ?? "the surface")"
        if let allowed = shape(of: child)?.allowedParents, !allowed.contains(type) {
            throw A2UIError(.validation, "UNALLOWED_PARENT", "\(place); its parent must be one of \(allowed.sorted()).")
        }
        if let allowed = parent.flatMap(shape)?.allowedChildren, !allowed.contains(child.type) {
            throw A2UIError(
                .validation,
                "UNALLOWED_CHILD",
                "\(place); a child there must be one of \(allowed.sorted())."
            )
        }
    }

    private static func callsIndex(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: callsIndex)
        case .object(let object): object["@call"] == "@index" || object.members.contains { callsIndex($0.value) }
        default: false
        }
    }
}
