public import Backlot

/// A button of the navigation bar, or a panel that slides in from the edge, with entries to tap.
///
/// Clients keep a navigation with an id: an app sends it completely once in a session, and only its id afterwards. This library does
/// so automatically.
///
/// Source: Xpedite API reference, component-navigation.
public struct Navigation: Component, KeyedObject {
    /// The way onto the screen; nil for a navigation that the client keeps.
    public let implementation: Implementation?
    /// The entries, from top to bottom.
    public let entries: [MenuEntry]
    var shade: Double?
    /// The client's name for keeping it.
    public var id: String?

    /// `navigation`
    public var type: StaticString { "navigation" }

    static let vocabulary = Kind(
        Navigation(implementation: nil, entries: []),
        "A button of the navigation bar, or a panel that slides in from the edge.",
        groups: [.atLeastOne("implementation", "id")]
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func keys(_ keys: inout some Keys) {
        keys("id", id).optional("The name under which the client keeps it.", .filled)
        keys("implementation", implementation).optional(
            "The way onto the screen; without it, the client shows the navigation that it has kept."
        )
        let isWhole = implementation != nil
        keys("effects", isWhole ? shade.map { Effects(shade: $0) } : nil).optional("The surroundings of a panel.")
        keys("components", isWhole ? entries : nil).optional("The entries, from top to bottom.")
    }

    /// Only the id, for a client that keeps the navigation.
    var reference: Navigation { Navigation(implementation: nil, entries: [], id: id) }

    /// Darkens the page beside a panel, by 0 to 100 per cent. A tap there closes the panel.
    public consuming func shade(_ percent: Double?) -> Navigation { changing(self) { $0.shade = percent } }
}

/// The way of a navigation onto the screen.
///
/// Source: Xpedite API reference, component-navigation, implementation keys.
public struct Implementation: Sendable, Equatable, KeyedObject {
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

    /// Creates a way onto the screen.
    public init(_ style: Style, _ position: Side, icon: String? = nil, image: String? = nil) {
        self.style = style
        self.position = position
        self.icon = icon
        self.image = image
    }

    static let vocabulary = Kind(Implementation(.button, .left), "The way of a navigation onto the screen.")

    package var wireName: StaticString { "implementation" }
    package static var roles: [Role] { [.implementation] }

    package func keys(_ keys: inout some Keys) {
        keys("style", style.rawValue).required(
            "A button or a panel.",
            .names(["button": "A button of the navigation bar.", "slidefrom": "A panel that slides in."])
        )
        keys("position", position.rawValue).required(
            "The side of the screen.",
            .names(["left": "At the left.", "right": "At the right."])
        )
        keys("icon", icon).optional("The SF Symbol on the button.", .filled)
        keys("image", image).optional("The picture on the button, by its id; clients prefer it to the icon.", .filled)
    }
}

/// The member `effects` of a navigation.
struct Effects: KeyedObject {
    let shade: Double

    var wireName: StaticString { "effects" }
    static var roles: [Role] { [.effects] }
    static let vocabulary = Kind(Effects(shade: 0), "The surroundings of a panel.", noun: "the effects of a navigation")

    func keys(_ keys: inout some Keys) {
        keys("shade%", shade).optional(
            "The darkness of the page beside a panel, in per cent.",
            .number(0...100),
            rule: "shade-out-of-range"
        )
    }
}

extension Role {
    static let implementation = Role("implementation", hasStep: false)
    static let effects = Role("effects", hasStep: false)
}

/// Makes a ``Navigation`` that is a panel.
///
/// ```swift
/// page("Home") {
///     slideFrom(.left, id: "main", icon: "menu") { menuEntry("Home", home); menuEntry("New customer", addCustomer) }
///     label("Welcome")
/// }
/// ```
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
///
/// ```swift
/// page("Customers") {
///     barButton(.right, icon: "plus") { menuEntry(addCustomer) }
///     table(customerRows) { cell("name") }
/// }
/// ```
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
///
/// ```swift
/// navigation(Implementation(.slidefrom, .left, icon: "menu"), id: "main") { menuEntry("Home", home) }
/// ```
public func navigation(
    _ implementation: Implementation,
    id: String? = nil,
    @ListBuilder<MenuEntry> _ entries: () -> [MenuEntry]
) -> Navigation {
    Navigation(implementation: implementation, entries: entries(), id: id)
}
