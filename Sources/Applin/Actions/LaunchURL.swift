internal import Backlot
public import BacklotJSON

/// Opens a URL on the device, outside the app.
///
/// Source: Applin documentation, Actions, launch_url.
public struct LaunchURL: Action {
    /// A web address, or one of another app: `mailto:`, `tel:`, `sms:`.
    public let url: String

    /// `launch_url`
    public var typ: StaticString { "launch_url" }

    /// A web address, or one of another app: `mailto:`, `tel:`, `sms:`.
    public var argument: String? { url }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("url", url)
    }
}

extension LaunchURL {
    static let vocabulary = Kind(
        "launch_url",
        as: [.action],
        "Opens a URL on the device, outside the app.",
        argument: "url",
        keys: [
            .required("url", .string, "A web address, or one of another app: mailto:, tel:, sms:.")
        ]
    )
}

/// Makes a ``LaunchURL``.
///
/// - Parameter url: A web address, or one of another app: `mailto:`, `tel:`, `sms:`.
public func launchUrl(_ url: String) -> LaunchURL {
    LaunchURL(url: url)
}

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

extension CopyToClipboard {
    static let vocabulary = Kind(
        "copy_to_clipboard",
        as: [.action],
        "Puts a text on the device's clipboard.",
        argument: "string_value",
        keys: [
            .required("string_value", .string, "The text.")
        ]
    )
}

/// Makes a ``CopyToClipboard``.
public func copyToClipboard(_ text: String) -> CopyToClipboard {
    CopyToClipboard(text: text)
}
