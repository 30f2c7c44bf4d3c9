public import BacklotJSON

/// A text to read.
///
/// Source: Applin documentation, Widgets, text.
public struct Text: Widget {
    /// The message.
    public let text: String

    /// `text`
    public var typ: StaticString { "text" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
        }
    }
}

/// Makes a ``Text``.
public func text(_ text: String) -> Text {
    Text(text: text)
}
