public import BacklotJSON

/// The details of the latest error, for pages that explain an error.
///
/// Source: Applin documentation, Widgets, last_error_text.
public struct LastErrorText: Widget {
    /// `last_error_text`
    public var typ: StaticString { "last_error_text" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ)
    }
}

/// Makes a ``LastErrorText``.
public func lastErrorText() -> LastErrorText {
    LastErrorText()
}
