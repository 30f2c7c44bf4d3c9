public import Backlot

/// A text to read; it wraps.
///
/// Source: Xpedite API reference, component-label.
public struct Label: Component, Sized, Aligned, Backed, KeyedPart {
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

    static let vocabulary = Kind(Label(text: ""), "A text to read; it wraps.")

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("text", text).required("The text.")
        keys.style(style)
        keys.background(background)
    }
}

/// Makes a ``Label``.
///
/// ```swift
/// label("Welcome").align(.center).color("#0A5ACB")
/// ```
public func label(_ text: String) -> Label {
    Label(text: text)
}
