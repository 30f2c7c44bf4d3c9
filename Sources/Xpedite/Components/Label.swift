import Backlot
public import BacklotJSON

/// A text to read; it wraps.
///
/// Source: Xpedite API reference, component-label.
public struct Label: Component, Sized, TextStyled, Backed {
    /// The text.
    public let text: String
    /// The look of the text.
    public var style = TextStyle()
    /// The background's colour.
    public var background: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `label`
    public var type: StaticString { "label" }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("text", text)
            $0.style(style)
            $0.field("background", background)
        }
    }
}

extension Label {
    static let vocabulary = Kind(
        "label",
        as: [.component],
        "A text to read; it wraps.",
        keys: .styledPart([.required("text", .string, "The text."), .background])
    )
}

/// Makes a ``Label``.
public func label(_ text: String) -> Label {
    Label(text: text)
}
