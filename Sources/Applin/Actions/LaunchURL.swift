public import Backlot

/// Opens a URL on the device, outside the app.
///
/// Source: Applin documentation, Actions, launch_url.
public struct LaunchURL: Action, KeyedObject {
    /// A web address, or an address for another app: `mailto:`, `tel:` or `sms:`.
    public let url: String

    /// `launch_url`
    public var typ: StaticString { "launch_url" }

    /// A web address, or an address for another app: `mailto:`, `tel:` or `sms:`.
    public var argument: String? { url }

    static let vocabulary = Kind(LaunchURL(url: ""), "Opens a URL on the device, outside the app.", argument: "url")

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("url", url).required("A web address, or one of another app: mailto:, tel:, sms:.")
    }
}

/// Makes a ``LaunchURL``.
///
/// ```swift
/// button("Our website", launchURL("https://clinic.example/"))
/// ```
/// - Parameter url: A web address, or an address for another app: `mailto:`, `tel:` or `sms:`.
public func launchURL(_ url: String) -> LaunchURL {
    LaunchURL(url: url)
}

/// Puts a text on the device's clipboard.
///
/// Source: not documented; clients have it in both dialects.
public struct CopyToClipboard: Action, KeyedObject {
    /// The text.
    public let text: String

    /// `copy_to_clipboard`
    public var typ: StaticString { "copy_to_clipboard" }

    /// The text.
    public var argument: String? { text }

    static let vocabulary = Kind(
        CopyToClipboard(text: ""),
        "Puts a text on the device's clipboard.",
        argument: "string_value"
    )

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("string_value", text).required("The text.")
    }
}

/// Makes a ``CopyToClipboard``.
///
/// ```swift
/// button("Copy the code", copyToClipboard("4711"))
/// ```
public func copyToClipboard(_ text: String) -> CopyToClipboard {
    CopyToClipboard(text: text)
}
