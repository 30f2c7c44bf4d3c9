internal import Backlot
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

extension Text {
    static let vocabulary = Kind(
        "text",
        as: [.widget],
        "A text to read.",
        keys: [.required("text", .string, "The message.")]
    )
}

/// Makes a ``Text``.
public func text(_ text: String) -> Text {
    Text(text: text)
}

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

extension ErrorText {
    static let vocabulary = Kind(
        "error_text",
        as: [.widget],
        "A message with a warning icon.",
        keys: [
            .required(
                "text",
                .string,
                "The message; ${INTERACTIVE_ERROR_DETAILS} stands for the text of the latest error."
            )
        ]
    )
}

/// Makes an ``ErrorText``.
public func errorText(_ text: String) -> ErrorText {
    ErrorText(text: text)
}

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

extension LastErrorText {
    static let vocabulary = Kind(
        "last_error_text",
        as: [.widget],
        "The details of the latest error."
    )
}

/// Makes a ``LastErrorText``.
public func lastErrorText() -> LastErrorText {
    LastErrorText()
}
