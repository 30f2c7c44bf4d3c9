import Backlot
public import BacklotJSON

/// Several lines to type into.
///
/// Source: Xpedite API reference, Form field types, textview.
public struct TextView: FormField {
    /// The name that its value is sent under.
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

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", title)
            $0.field("placeholder", placeholder)
            $0.field("value", value)
        }
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

extension TextView {
    static let vocabulary = Kind(
        "textview",
        as: [.field],
        "Several lines to type into.",
        keys: .part([.fieldName, .fieldTitle, .placeholder, .textValue])
    )
}

/// Makes a ``TextView``.
///
/// - Parameter name: the name that its value is sent under.
public func textview(_ name: String) -> TextView {
    TextView(name: name)
}
