public import BacklotJSON

/// A message with a warning icon.
///
/// Clients put the text of the latest error in place of `${INTERACTIVE_ERROR_DETAILS}`.
///
/// Source: Applin documentation, Widgets, error_text.
public struct ErrorText: Widget {
    /// The message.
    public let text: String

    /// `error_text`
    public var typ: StaticString { "error_text" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
        }
    }
}

/// Makes an ``ErrorText``.
public func errorText(_ text: String) -> ErrorText {
    ErrorText(text: text)
}
