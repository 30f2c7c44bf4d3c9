public import A2UI
import Backlot

/// A component in a surface's tree, with the components in it.
///
/// Functions make them: ``column(justify:align:_:)``, ``text(_:_:)``. ``element(_:)`` makes those of your own catalogs.
///
/// ```swift
/// func heading(_ title: Dynamic<String>) -> Element { row(align: .center) { text(title, .h2) } }
/// ```
public struct Element: Sendable {
    let type: String
    /// The catalog of the component; nil for the surface's.
    let catalog: Catalog.Component?
    var id: String?
    var entries: [Entry]
    var checks: [Term] = []
    var accessibility: [Entry] = []

    init(_ type: String, _ entries: [Entry], catalog: Catalog.Component? = nil) {
        (self.type, self.entries, self.catalog) = (type, entries, catalog)
    }

    /// Sets the id. Without it, it comes from the position in the tree, and from the types of the components around it.
    ///
    /// - Parameter id: letters, digits and `_`, unique in the surface.
    public func id(_ id: String) -> Element { changing(self) { $0.id = id } }

    /// Sets the share of the room in a row or a column.
    public func weight(_ weight: Double) -> Element { property("weight", Dynamic(weight)) }

    /// Adds a check. An input shows its message while the condition is false, and a button is disabled.
    ///
    /// - Parameters:
    ///   - condition: a path or a call.
    ///   - message: the text for the user.
    public func check(_ condition: Dynamic<Bool>, _ message: String) -> Element {
        let entries = [Entry("condition", condition.term), Entry("message", .literal(.string(message)))]
        return changing(self) { $0.checks.append(.object(entries)) }
    }

    /// The politeness of announcements when a component changes.
    public enum Announcement: String, Sendable { case off, polite, assertive }

    /// Sets the words of screen readers. `live` and `hidden` reach clients of 1.0 only.
    public func accessibility(
        label: Dynamic<String>? = nil,
        description: Dynamic<String>? = nil,
        live: Announcement? = nil,
        hidden: Dynamic<Bool>? = nil
    ) -> Element {
        changing(self) {
            $0.accessibility = .present([
                ("label", label?.term), ("description", description?.term),
                ("live", (live?.term).map { .versions(nil, $0) }),
                ("hidden", (hidden?.term).map { .versions(nil, $0) }),
            ])
        }
    }

    /// Sets a property of a component of your own catalog, or one that has no parameter.
    public func property<Value>(_ name: String, _ value: Dynamic<Value>) -> Element { with(name, value.term) }

    /// Sets a property to a literal.
    public func property(_ name: String, _ value: some Encodable) -> Element { property(name, Dynamic(value)) }

    /// Sets a property that holds one component.
    public func child(_ name: String = "child", _ child: () -> Element) -> Element { with(name, .child(child())) }

    /// Sets a property that holds several components.
    public func children(_ name: String = "children", @ElementBuilder _ children: () -> [PlacedElement]) -> Element {
        with(name, .children(children()))
    }

    /// Sets a property that holds an action.
    public func action(_ name: String = "action", _ action: ElementAction) -> Element { with(name, action.term) }

    private func with(_ name: String, _ term: Term) -> Element {
        changing(self) { element in
            if let catalog, name != "weight", !catalog.properties.contains(where: { $0.name == name }) {
                let near = Suggestion.nearest(to: name, among: catalog.properties.map(\.name))
                let advice = near.map { "; do you mean \($0)?" } ?? ""
                return element.entries.append(
                    Entry(name, .mistake("\(catalog.name) has no property \(name.quoted)\(advice)"))
                )
            }
            element.entries.removeAll { $0.name == name }
            element.entries.append(Entry(name, term))
        }
    }
}

/// Makes a component of a catalog of your own.
///
/// ```swift
/// let stars = Catalog.Component(
///     "Stars",
///     "A rating.",
///     properties: [Property("value", .dynamic(.number), "The number of stars.")]
/// )
/// let pain = element(stars).property("value", m.pain)
/// ```
public func element(_ component: Catalog.Component) -> Element { Element(component.name, [], catalog: component) }

/// The effect of a tap: an event for the server, or a function of the client.
public struct ElementAction: Sendable {
    let term: Term

    /// Calls a function of the client.
    public static func function<Value>(_ call: Dynamic<Value>) -> ElementAction {
        ElementAction(term: .object([Entry("functionCall", call.term)]))
    }

    /// Opens a URL in the client's browser.
    public static func openURL(_ url: Dynamic<String>) -> ElementAction {
        function(Dynamic<String>.call("openUrl").with("url", url))
    }
}

/// An action with a name and the values that go along, declared once for components and handlers.
///
/// ```swift
/// struct Slot: Codable, Sendable { var id = "", time = "" }
/// let take = SurfaceAction<Slot>("take")
/// let taker = button("Take", take.event { $0.id = "monday-9" })  // in a tree
/// booking.on(take) { slot, turn in turn.model.name = slot.id }  // the handler
/// ```
public struct SurfaceAction<Context: Decodable & Sendable>: Sendable {
    /// The name on the wire.
    public let name: String

    /// Names an action.
    public init(_ name: String) { self.name = name }

    /// The values of an action's context, which clients resolve at the tap.
    @dynamicMemberLookup
    public struct Values {
        fileprivate var entries: [Entry] = []

        /// Sets the value of a property.
        public subscript<Value>(dynamicMember property: KeyPath<Context, Value>) -> Dynamic<Value> {
            get { Dynamic(term: .mistake("the value of \(property) can't be read")) }
            set { entries.append(Entry(property.fieldName ?? "\(property)", newValue.term)) }
        }
    }

    /// The event of a tap.
    ///
    /// - Parameters:
    ///   - message: the action in words, for clients of 1.0 that show a conversation.
    ///   - fill: sets the values of the context.
    public func event(message: Dynamic<String>? = nil, _ fill: (inout Values) -> Void = { _ in }) -> ElementAction {
        var values = Values()
        fill(&values)
        let event = Term.event(name, values.entries, message?.term)
        return ElementAction(term: .object([Entry("event", event)]))
    }
}

/// The context of actions without values.
///
/// ```swift
/// let cancel = SurfaceAction<NoContext>("cancel")
/// ```
public struct NoContext: Codable, Sendable {
    /// Makes an empty context.
    public init() {}
}

/// Builds the components between braces. Each keeps its position, so that an `if` without a branch leaves the ids of others alone.
@resultBuilder
public enum ElementBuilder {
    /// One component.
    public static func buildExpression(_ element: Element) -> [PlacedElement] { [PlacedElement("", element)] }

    /// Components from another function.
    public static func buildExpression(_ elements: [PlacedElement]) -> [PlacedElement] { elements }

    /// The statements of a block.
    public static func buildBlock(_ parts: [PlacedElement]...) -> [PlacedElement] { placed(parts) }

    /// `if` without `else`.
    public static func buildOptional(_ elements: [PlacedElement]?) -> [PlacedElement] { elements ?? [] }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: [PlacedElement]) -> [PlacedElement] { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: [PlacedElement]) -> [PlacedElement] { second }

    /// `for`.
    public static func buildArray(_ rounds: [[PlacedElement]]) -> [PlacedElement] { placed(rounds) }

    private static func placed(_ parts: [[PlacedElement]]) -> [PlacedElement] {
        parts.enumerated().flatMap { index, part in part.map { PlacedElement("_\(index)\($0.position)", $0.element) } }
    }
}

/// Builds the one component of a surface's tree. It lets the compiler find the model's type before it reads the tree.
@resultBuilder
public enum TreeBuilder {
    /// The component.
    public static func buildBlock(_ root: Element) -> Element { root }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: Element) -> Element { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: Element) -> Element { second }
}

/// A component with its position between braces.
public struct PlacedElement: Sendable {
    let position: String
    let element: Element

    init(_ position: String, _ element: Element) { (self.position, self.element) = (position, element) }
}
