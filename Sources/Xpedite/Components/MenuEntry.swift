public import Backlot

/// An entry of a menu. With a method, users can tap it; with only a text, it is a heading; without both, it is a line between
/// entries.
///
/// Source: Xpedite API reference, component-navigation, menuEntry keys.
public struct MenuEntry: Sendable, Equatable, KeyedObject {
    /// The text; nil for a line, and for the single entry of a button.
    public let text: String?
    var method: MethodCall?
    var icon: String?
    var symbol: String?

    /// Shows a picture of the device left of the text: in panels only.
    public consuming func icon(_ image: String?) -> MenuEntry { changing(self) { $0.icon = image } }

    /// Shows an SF Symbol beside the text: in the menus of buttons only.
    public consuming func symbol(_ symbol: String?) -> MenuEntry { changing(self) { $0.symbol = symbol } }

    package var wireName: StaticString { "menuEntry" }
    package static var roles: [Role] { [.menuEntry] }
    static let vocabulary = Kind(
        MenuEntry(text: nil),
        "An entry of a menu; without keys, a line between entries.",
        noun: "a menu entry"
    )

    package func keys(_ keys: inout some Keys) {
        keys.write { $0.field("type", "menuEntry") }
        keys("text", text).optional("The text; without a method, a heading.")
        keys("icon", icon).optional("The picture left of the text, by its id; in panels only.", .filled)
        keys("symbol", symbol).optional("The SF Symbol beside the text; in the menus of buttons only.", .filled)
        keys("method", method).optional("The method that a tap calls.")
    }
}

extension Role {
    static let menuEntry = Role("menu entry", .key("type"), labels: ["text"], example: "menuEntry")
}

/// Makes a ``MenuEntry`` that calls a method.
///
/// ```swift
/// slideFrom(.left, icon: "menu") { menuEntry("Ann", viewCustomer(CustomerID(id: 7))) }
/// ```
public func menuEntry(_ text: String, _ method: MethodCall) -> MenuEntry {
    MenuEntry(text: text, method: method)
}

/// Not available: a call needs the method's input.
@available(*, unavailable, message: "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()")
public func menuEntry<Input>(_ text: String, _ method: Method<Input>) -> MenuEntry { MenuEntry(text: text) }

/// Makes a ``MenuEntry`` that calls a method.
///
/// ```swift
/// slideFrom(.left, icon: "menu") { menuEntry("Home", home) }
/// ```
public func menuEntry(_ text: String, _ method: Method<Void>) -> MenuEntry { menuEntry(text, method()) }

/// Makes the single ``MenuEntry`` of a button without a menu: a tap on the button calls the method.
///
/// ```swift
/// barButton(.right, icon: "star") { menuEntry(viewCustomer(CustomerID(id: 7))) }
/// ```
public func menuEntry(_ method: MethodCall) -> MenuEntry {
    MenuEntry(text: nil, method: method)
}

/// Not available: a call needs the method's input.
@available(*, unavailable, message: "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()")
public func menuEntry<Input>(_ method: Method<Input>) -> MenuEntry { MenuEntry(text: nil) }

/// Makes the single ``MenuEntry`` of a button without a menu: a tap on the button calls the method.
///
/// ```swift
/// barButton(.right, icon: "plus") { menuEntry(addCustomer) }
/// ```
public func menuEntry(_ method: Method<Void>) -> MenuEntry { menuEntry(method()) }

/// Makes a heading within a menu.
///
/// ```swift
/// slideFrom(.left, icon: "menu") {
///     menuHeader("Customers")
///     menuEntry("New customer", addCustomer)
/// }
/// ```
public func menuHeader(_ text: String) -> MenuEntry {
    MenuEntry(text: text)
}

/// Makes a line between the entries of a menu.
///
/// ```swift
/// slideFrom(.left, icon: "menu") {
///     menuEntry("Home", home)
///     menuDivider()
///     menuEntry("New customer", addCustomer)
/// }
/// ```
public func menuDivider() -> MenuEntry {
    MenuEntry(text: nil)
}
