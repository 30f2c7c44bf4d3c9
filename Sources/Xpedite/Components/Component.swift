import Backlot
public import BacklotJSON

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

extension Key {
    static let id = optional("id", .filled, "The name for error messages and for references; unique on its page.")
}

extension [Key] {
    /// The keys of a component or field: those that all of them have, and its own.
    static func part(_ own: [Key]) -> [Key] { [.id, .size] + own }

    /// The keys of a component or field whose text has a style.
    static func styledPart(_ own: [Key]) -> [Key] { [.id, .size] + own + Key.textStyle }
}

extension JSONWriter {
    /// Writes a part: its type, its id, its own members, its size.
    mutating func component(_ part: some Part & Sized, _ members: (inout JSONWriter) -> Void) {
        object(startingWith: "type", part.type) { writer in
            writer.field("id", part.id)
            members(&writer)
            writer.field("size", part.size)
        }
    }

    /// Writes a field that holds components.
    mutating func field(_ key: StaticString, _ components: [any Component]) {
        array(key) { writer in
            for index in components.indices { components[index].encode(into: &writer) }
        }
    }
}
