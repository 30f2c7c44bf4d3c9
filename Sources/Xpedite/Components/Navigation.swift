public import Backlot
public import BacklotJSON

/// A button of the navigation bar, or a panel that slides in from the edge, with entries to tap.
///
/// Clients keep a navigation with an id: an app sends it whole once in a session, and by its id alone afterwards, which this
/// library does by itself.
///
/// Source: Xpedite API reference, component-navigation.
public struct Navigation: Component {
    /// The way onto the screen; nil for a navigation that the client has kept.
    public let implementation: Implementation?
    /// The entries, from top to bottom.
    public let entries: [MenuEntry]
    var shade: Double?
    /// The name under which the client keeps it.
    public var id: String?

    /// `navigation`
    public var type: StaticString { "navigation" }

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
    var reference: Navigation { Navigation(implementation: nil, entries: [], id: id) }

    /// Darkens the page beside a panel, by 0 to 100 per cent. A tap there closes the panel.
    public consuming func shade(_ percent: Double?) -> Navigation { changing(self) { $0.shade = percent } }
}

/// The way of a navigation onto the screen.
///
/// Source: Xpedite API reference, component-navigation, implementation keys.
public struct Implementation: Sendable, Equatable {
    /// A button or a panel.
    public enum Style: String, Sendable, CaseIterable {
        /// A button of the navigation bar.
        case button
        /// A panel that slides in from the edge.
        case slidefrom
    }

    /// The side of the screen.
    public enum Side: String, Sendable, CaseIterable {
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// A button or a panel.
    public let style: Style
    /// The side of the screen.
    public let position: Side
    /// The SF Symbol on the button.
    public let icon: String?
    /// The picture on the button, by its id on the device. Clients prefer it to the icon.
    public let image: String?

    /// A way onto the screen.
    public init(_ style: Style, _ position: Side, icon: String? = nil, image: String? = nil) {
        self.style = style
        self.position = position
        self.icon = icon
        self.image = image
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("style", style.rawValue)
            $0.field("position", position.rawValue)
            $0.field("icon", icon)
            $0.field("image", image)
        }
    }
}

extension Navigation {
    static let vocabulary = Kind(
        "navigation",
        as: [.component],
        "A button of the navigation bar, or a panel that slides in from the edge.",
        groups: [.atLeastOne("implementation", "id")],
        keys: [
            .optional("id", .filled, "The name under which the client keeps it."),
            .optional(
                "implementation",
                .object(.implementation),
                "The way onto the screen; without it, the client shows the navigation that it has kept."
            ),
            .optional("effects", .object(.effects), "The surroundings of a panel."),
            .optional("components", .objects(.menuEntry), "The entries, from top to bottom."),
        ]
    )
}

extension Implementation {
    static let vocabulary = Kind(
        "implementation",
        as: [.implementation],
        "The way of a navigation onto the screen.",
        keys: [
            .required(
                "style",
                .names(["button": "A button of the navigation bar.", "slidefrom": "A panel that slides in."]),
                "A button or a panel."
            ),
            .required(
                "position",
                .names(["left": "At the left.", "right": "At the right."]),
                "The side of the screen."
            ),
            .optional("icon", .filled, "The SF Symbol on the button."),
            .optional("image", .filled, "The picture on the button, by its id; clients prefer it to the icon."),
        ]
    )
}

/// The member `effects` of a navigation.
enum Effects {
    static let vocabulary = Kind(
        "effects",
        as: [.effects],
        "The surroundings of a panel.",
        noun: "the effects of a navigation",
        keys: [
            .optional(
                "shade%",
                .number(0...100),
                "How dark the page beside a panel is, in per cent.",
                rule: "shade-out-of-range"
            )
        ]
    )
}

extension Role {
    static let implementation = Role("implementation", hasStep: false)
    static let effects = Role("effects", hasStep: false)
}

/// Makes a ``Navigation`` that is a panel.
public func slideFrom(
    _ side: Implementation.Side,
    id: String? = nil,
    icon: String? = nil,
    image: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: Implementation(.slidefrom, side, icon: icon, image: image), entries: entries(), id: id)
}

/// Makes a ``Navigation`` that is a button of the navigation bar. A tap calls the method of a single entry; several entries are
/// a menu.
public func barButton(
    _ side: Implementation.Side,
    id: String? = nil,
    icon: String? = nil,
    image: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: Implementation(.button, side, icon: icon, image: image), entries: entries(), id: id)
}

/// Makes a ``Navigation``.
public func navigation(
    _ implementation: Implementation,
    id: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: implementation, entries: entries(), id: id)
}
