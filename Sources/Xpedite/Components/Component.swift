public import Backlot

/// The common part of components and the fields of forms: each is one JSON object with a `type`.
public protocol Part: Sendable {
    /// The part's name on the wire, such as `scrollview`.
    var type: StaticString { get }

    /// The name for error messages, for saving a form and for caching; unique on its page.
    var id: String? { get set }

    /// Writes the part as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Part {
    /// Gives the part an id, which is unique on its page.
    public consuming func id(_ id: String?) -> Self { changing(self) { $0.id = id } }

    /// The part's JSON, in UTF-8.
    var bytes: [UInt8] {
        JSONWriter.document(capacity: 512) { encode(into: &$0) }
    }
}

/// A part of a page: something to see, to tap, or to fill in. Components are stacked from top to bottom.
///
/// A component is a small value. The function of its wire name makes one (``label(_:)`` makes a ``Label``): what the reference
/// requires is an argument, the rest are modifiers (`.color("#333333")`).
///
/// Source: Xpedite API reference, Component types.
///
/// ```swift
/// let greeting: any Component = label("Welcome").color("#333333")
/// page("Home") { greeting }
/// ```
public protocol Component: Part {
    /// The components directly inside this one, in their order.
    var children: [any Component] { get }
}

extension Component {
    /// Most components contain no others.
    public var children: [any Component] { [] }
}

extension Role {
    static let component = Role(
        "component",
        .key("type"),
        labels: ["name", "id", "text", "title"],
        example: "label"
    )
}

/// A component or field that says each of its keys once.
package protocol KeyedPart: Part, Sized, KeyedObject {
    /// Visits the keys that not every part has.
    func ownKeys(_ keys: inout some Keys)
}

extension KeyedPart {
    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("id", id).optional("The name for error messages and for references; unique on its page.", .filled)
        ownKeys(&keys)
        keys("size", size).optional("The place and the size; without it, the client's default.")
    }
}

extension KeyedObject where Self: Part {
    package var wireName: StaticString { type }
}

extension KeyedObject where Self: Component {
    package static var roles: [Role] { [.component] }
}

extension JSONWriter {
    /// Writes a part: an object that begins with its type.
    mutating func write(_ part: some KeyedObject) {
        object(startingWith: "type", part.wireName) { part.keys(&$0) }
    }
}

extension KeyVisitor where Self: ~Copyable {
    /// A key with components.
    mutating func callAsFunction(_ name: StaticString, _ components: [any Component]) -> KeyDeclaration {
        self(name, .objects(.component)) {
            $0.array($1) { writer in
                for index in components.indices { components[index].encode(into: &writer) }
            }
        }
    }
}
