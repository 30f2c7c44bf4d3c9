public import BacklotJSON

/// Lets the user choose one of the device's photos, and uploads it: a PUT of a JPEG picture, which waits for 100 Continue.
///
/// Source: not documented; clients have it in both dialects.
public struct ChoosePhoto: Action {
    /// The path to send the picture to; it must be inside the app's base URL.
    public let url: String

    /// The width divided by the height to which the picture is cut; nil leaves it as it is. Clients of the documented
    /// dialect can't be told.
    public let aspectRatio: Double?

    /// `choose_photo`
    public var typ: StaticString { "choose_photo" }

    /// The path to send the picture to; it must be inside the app's base URL.
    public var argument: String? { url }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("url", url)
        writer.field("aspect_ratio", aspectRatio)
    }
}

/// Makes a ``ChoosePhoto``.
///
/// - Parameters:
///   - url: The path to send the picture to; it must be inside the app's base URL.
///   - aspectRatio: The width divided by the height to which the picture is cut.
public func choosePhoto(_ url: String, aspectRatio: Double? = nil) -> ChoosePhoto {
    ChoosePhoto(url: url, aspectRatio: aspectRatio)
}
