import BacklotJSON

// The builder of lists comes with this module: pages need no import of Backlot for it.
@_exported public import enum Backlot.ListBuilder

/// A part of a page: something to see, to tap, or to fill in. Components are stacked from top to bottom.
///
/// A component is a small value. The function of its wire name makes one (``label(_:)`` makes a ``Label``): what the reference
/// requires is an argument, what it doesn't is a modifier (`.color("#333333")`).
///
/// Source: Xpedite API reference, Component types.
public protocol Component: Part {
    /// The components directly inside this one, in their order.
    var children: [any Component] { get }
}

extension Component {
    /// Most components have none inside.
    public var children: [any Component] { [] }
}

extension JSONWriter {
    /// Writes a field that holds components.
    mutating func field(_ key: StaticString, _ components: [any Component]) {
        array(key) { writer in
            for index in components.indices { components[index].encode(into: &writer) }
        }
    }
}
