public import Backlot

/// A button, which calls a method.
///
/// Source: Xpedite API reference, component-button. That it needs a text or an icon is this project's reading.
public struct Button: Component, Sized, Aligned, Backed, KeyedPart {
    /// The look of a button.
    public enum Style: String, Sendable, CaseIterable {
        /// Text alone: the default.
        case plain
        /// With a border and round corners.
        case button
    }

    /// The text on the button.
    public let text: String?
    var icon: String?
    var look: Style?
    var method: MethodCall?
    /// The look of the text.
    public var style = TextStyle()
    /// The background's colour.
    public var background: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `button`
    public var type: StaticString { "button" }

    static let vocabulary = Kind(
        Button(text: nil),
        "A button, which calls a method.",
        // [reading] see XpediteRuleReadings.buttonNeedsTextOrIcon
        groups: [.atLeastOne("text", "icon", name: "button-without-text")]
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("text", text).optional("The text on the button.")
        keys("icon", icon).optional("The icon on the button.", .filled)
        keys("style", look?.rawValue).optional(
            "The look of the button.",
            .names(["plain": "Text alone.", "button": "With a border and round corners."]),
            default: "plain"
        )
        keys.style(style)
        keys.background(background)
        keys("method", method).optional("The method that a tap calls.")
    }

    /// Sets the look; plain by default.
    public consuming func style(_ style: Style?) -> Button { changing(self) { $0.look = style } }

    /// Puts an icon on the button.
    public consuming func icon(_ icon: String?) -> Button { changing(self) { $0.icon = icon } }

    /// Sets the method that a tap calls.
    public consuming func method(_ method: MethodCall?) -> Button { changing(self) { $0.method = method } }

    /// Sets the method that a tap calls.
    public consuming func method(_ method: Method<Void>) -> Button { self.method(method()) }

    /// Not available: a call needs the method's input.
    @available(
        *,
        unavailable,
        message: "this method takes an input: write viewCustomer(CustomerID(id: 7)), or .formdata()"
    )
    public consuming func method<Input>(_ method: Method<Input>) -> Button { self }
}

/// Makes a ``Button`` with a text.
///
/// ```swift
/// button("Customers").method("customers")
/// ```
public func button(_ text: String) -> Button {
    Button(text: text)
}

/// Makes a ``Button`` with an icon alone.
///
/// ```swift
/// button(icon: "plus").method(addCustomer)
/// ```
public func button(icon: String) -> Button {
    Button(text: nil, icon: icon)
}
