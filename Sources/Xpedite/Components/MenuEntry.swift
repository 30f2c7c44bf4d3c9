import Backlot
import BacklotJSON

/// An entry of a menu: with a method, an entry to tap; with a text alone, a heading; with nothing, a line between entries.
///
/// Source: Xpedite API reference, component-navigation, menuEntry keys.
public struct MenuEntry: Sendable, Equatable {
    /// The text; nil for a line, and for the single entry of a button.
    public let text: String?
    var method: MethodCall?
    var icon: String?
    var symbol: String?

    /// Shows a picture of the device left of the text: in panels only.
    public consuming func icon(_ image: String?) -> MenuEntry { changing(self) { $0.icon = image } }

    /// Shows an SF Symbol beside the text: in the menus of buttons only.
    public consuming func symbol(_ symbol: String?) -> MenuEntry { changing(self) { $0.symbol = symbol } }
}

extension MenuEntry {
    static let vocabulary = Kind(
        "menuEntry",
        as: [.menuEntry],
        "An entry of a menu; without keys, a line between entries.",
        noun: "a menu entry",
        keys: [
            .optional("text", .string, "The text; without a method, a heading."),
            .optional("method", .object(.method), "The method that a tap calls."),
            .optional("icon", .filled, "The picture left of the text, by its id; in panels only."),
            .optional("symbol", .filled, "The SF Symbol beside the text; in the menus of buttons only."),
        ]
    )

    func encode(into writer: inout JSONWriter) {
        writer.object(startingWith: "type", "menuEntry") {
            $0.field("text", text)
            $0.field("icon", icon)
            $0.field("symbol", symbol)
            $0.field("method", method)
        }
    }
}

extension Role {
    static let menuEntry = Role("menu entry", .key("type"), labels: ["text"], example: "menuEntry")
}

/// Makes a ``MenuEntry`` that calls a method.
public func menuEntry(_ text: String, _ method: MethodCall) -> MenuEntry {
    MenuEntry(text: text, method: method)
}

/// Not available: a call needs the method's input.
@available(*, unavailable, message: "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()")
public func menuEntry<Input>(_ text: String, _ method: Method<Input>) -> MenuEntry { MenuEntry(text: text) }

/// Makes a ``MenuEntry`` that calls a method.
public func menuEntry(_ text: String, _ method: Method<Void>) -> MenuEntry { menuEntry(text, method()) }

/// Makes the single ``MenuEntry`` of a button without a menu: a tap on the button calls the method.
public func menuEntry(_ method: MethodCall) -> MenuEntry {
    MenuEntry(text: nil, method: method)
}

/// Not available: a call needs the method's input.
@available(*, unavailable, message: "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()")
public func menuEntry<Input>(_ method: Method<Input>) -> MenuEntry { MenuEntry(text: nil) }

/// Makes the single ``MenuEntry`` of a button without a menu: a tap on the button calls the method.
public func menuEntry(_ method: Method<Void>) -> MenuEntry { menuEntry(method()) }

/// Makes a heading within a menu.
public func menuHeader(_ text: String) -> MenuEntry {
    MenuEntry(text: text)
}

/// Makes a line between the entries of a menu.
public func menuDivider() -> MenuEntry {
    MenuEntry(text: nil)
}
