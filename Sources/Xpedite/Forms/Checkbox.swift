public import Backlot

/// A switch. Its value goes over the wire as `"1"` or `"0"`.
///
/// Source: Xpedite API reference, Form field types, checkbox.
public struct Checkbox: FormField, KeyedPart {
    /// The name under which clients send the field's value.
    public let name: String?
    var title: String?
    var value: Bool?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `checkbox`
    public var type: StaticString { "checkbox" }

    static let vocabulary = Kind(Checkbox(name: ""), "A switch.")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.fieldName(name)
        keys.fieldTitle(title)
        keys("value", value.map { $0 ? "1" : "0" }).optional(
            "Whether the switch is on.",
            .names(["0": "Off.", "1": "On."]),
            rule: "malformed-checkbox"
        )
    }

    /// Shows a text beside the switch.
    public consuming func title(_ title: String?) -> Checkbox { changing(self) { $0.title = title } }

    /// Turns the switch on or off.
    public consuming func value(_ value: Bool?) -> Checkbox { changing(self) { $0.value = value } }
}

/// Makes a ``Checkbox``.
///
/// ```swift
/// form(id: "customer") { checkbox(name: "active").title("Active") }
/// ```
/// - Parameter name: the name that its value is sent under.
public func checkbox(name: String) -> Checkbox {
    Checkbox(name: name)
}
