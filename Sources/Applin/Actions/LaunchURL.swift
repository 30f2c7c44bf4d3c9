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

/// Makes a ``LaunchURL``.
///
/// - Parameter url: A web address, or one of another app: `mailto:`, `tel:`, `sms:`.
public func launchUrl(_ url: String) -> LaunchURL {
    LaunchURL(url: url)
}
