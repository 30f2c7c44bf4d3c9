public import Backlot
public import BacklotJSON

/// A button of the navigation bar, or a panel that slides in from the edge, with entries to tap.
///
/// A navigation with an id is kept by the client: an app sends it whole once in a session, and by its id alone afterwards. That
/// happens by itself.
///
/// Source: Xpedite API reference, component-navigation.
public struct Navigation: Component {
    /// How it comes onto the screen; nil for one that the client has kept.
    public let implementation: Implementation?
    /// The entries, from top to bottom.
    public let entries: [MenuEntry]
    var shade: Int?
    /// What the client keeps it under.
    public var id: String?

    /// `navigation`
    public var type: StaticString { "navigation" }

    init(implementation: Implementation?, id: String?, entries: [MenuEntry]) {
        self.implementation = implementation
        self.id = id
        self.entries = entries
    }

    init(_ wire: WireReader) throws(WireError) {
        implementation = try wire.object("implementation") { reader throws(WireError) in try Implementation(reader) }
        entries = try wire.list("components") { reader throws(WireError) in try MenuEntry(reader) }
        shade = try wire.reader("effects")?.integer("shade%")
        id = try wire.string("id")
        guard implementation != nil || id != nil else { throw wire.error("implementation", "is missing") }
    }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(startingWith: "type", "navigation") {
            $0.field("id", id)
            guard let implementation else { return }
            $0.key("implementation")
            implementation.encode(into: &$0)
            if let shade {
                $0.object("effects") { $0.field("shade%", shade) }
            }
            $0.array("components") { writer in
                for entry in entries { entry.encode(into: &writer) }
            }
        }
    }

    /// The same by its id alone, for a client that has kept it.
    var reference: Navigation { Navigation(implementation: nil, id: id, entries: []) }

    /// Darkens the page beside a panel, by 0 to 100 per cent. A tap there closes the panel.
    public consuming func shade(_ percent: Int?) -> Navigation {
        shade = percent
        return consume self
    }
}

/// Makes a ``Navigation`` that is a panel.
public func slideFrom(
    _ side: Implementation.Side,
    id: String? = nil,
    icon: String? = nil,
    image: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: Implementation(.slidefrom, side, icon: icon, image: image), id: id, entries: entries())
}

/// Makes a ``Navigation`` that is a button of the navigation bar. With one entry a tap calls its method; several are a menu.
public func barButton(
    _ side: Implementation.Side,
    id: String? = nil,
    icon: String? = nil,
    image: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: Implementation(.button, side, icon: icon, image: image), id: id, entries: entries())
}

/// Makes a ``Navigation``.
public func navigation(
    _ implementation: Implementation,
    id: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: implementation, id: id, entries: entries())
}
