public import BacklotJSON

/// Puts a text on the device's clipboard.
///
/// Source: not documented; clients have it in both dialects.
public struct CopyToClipboard: Action {
    /// The text.
    public let text: String

    /// `copy_to_clipboard`
    public var typ: StaticString { "copy_to_clipboard" }

    /// The text.
    public var argument: String? { text }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("string_value", text)
    }
}

/// Makes a ``CopyToClipboard``.
public func copyToClipboard(_ text: String) -> CopyToClipboard {
    CopyToClipboard(text: text)
}
