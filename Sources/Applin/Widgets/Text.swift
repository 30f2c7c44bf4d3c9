public import Backlot

/// A text to read.
///
/// Source: Applin documentation, Widgets, text.
public struct Text: Widget, KeyedObject {
    /// The message.
    public let text: String

    /// `text`
    public var typ: StaticString { "text" }

    static let vocabulary = Kind(Text(text: ""), "A text to read.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("text", text).required("The message.")
    }
}

/// Makes a ``Text``.
///
/// ```swift
/// text("Welcome")
/// ```
public func text(_ text: String) -> Text {
    Text(text: text)
}

/// A message with a warning icon.
///
/// Clients put the text of the latest error in place of `${INTERACTIVE_ERROR_DETAILS}`.
///
/// Source: Applin documentation, Widgets, error_text.
public struct ErrorText: Widget, KeyedObject {
    /// The message.
    public let text: String

    /// `error_text`
    public var typ: StaticString { "error_text" }

    static let vocabulary = Kind(ErrorText(text: ""), "A message with a warning icon.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("text", text).required(
            "The message; ${INTERACTIVE_ERROR_DETAILS} stands for the text of the latest error."
        )
    }
}

/// Makes an ``ErrorText``.
///
/// ```swift
/// errorText("The server is away: ${INTERACTIVE_ERROR_DETAILS}")
/// ```
public func errorText(_ text: String) -> ErrorText {
    ErrorText(text: text)
}

/// The details of the latest error, for pages that explain an error.
///
/// Source: Applin documentation, Widgets, last_error_text.
public struct LastErrorText: Widget, KeyedObject {
    /// `last_error_text`
    public var typ: StaticString { "last_error_text" }

    static let vocabulary = Kind(LastErrorText(), "The details of the latest error.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func keys(_ keys: inout some Keys) {}
}

/// Makes a ``LastErrorText``.
///
/// ```swift
/// navPage("Offline") { lastErrorText() }
/// ```
public func lastErrorText() -> LastErrorText {
    LastErrorText()
}
