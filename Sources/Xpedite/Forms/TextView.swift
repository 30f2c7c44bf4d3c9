public import Backlot

/// Several lines to type into.
///
/// Source: Xpedite API reference, Form field types, textview.
public struct TextView: FormField, KeyedPart {
    /// The name under which clients send the field's value.
    public let name: String?
    var title: String?
    var placeholder: String?
    var value: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `textview`
    public var type: StaticString { "textview" }

    static let vocabulary = Kind(TextView(name: ""), "Several lines to type into.")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.fieldName(name)
        keys.fieldTitle(title)
        keys.placeholder(placeholder)
        keys.textValue(value)
    }

    /// Shows a text beside the field.
    public consuming func title(_ title: String?) -> TextView { changing(self) { $0.title = title } }

    /// Shows a hint while the field is empty.
    public consuming func placeholder(_ placeholder: String?) -> TextView {
        changing(self) { $0.placeholder = placeholder }
    }

    /// Fills the field.
    public consuming func value(_ value: String?) -> TextView { changing(self) { $0.value = value } }
}

/// Makes a ``TextView``.
///
/// ```swift
/// form(id: "customer") { textview(name: "notes").title("Notes") }
/// ```
/// - Parameter name: the name that its value is sent under.
public func textview(name: String) -> TextView {
    TextView(name: name)
}
