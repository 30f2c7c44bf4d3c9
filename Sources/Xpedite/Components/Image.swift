import Backlot
public import BacklotJSON

/// A picture. With a width alone, its height follows from its proportions.
///
/// Source: Xpedite API reference, component-image.
public struct Image: Component, Sized {
    /// The picture's address, with https; nil for a preloaded picture, which `id` names.
    public let url: String?
    /// The place and the size.
    public var size: Size?
    /// The preloaded picture, or for one with a URL the name for error messages.
    public var id: String?

    /// `image`
    public var type: StaticString { "image" }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) { $0.field("url", url) }
    }
}

extension Image {
    static let vocabulary = Kind(
        "image",
        as: [.component],
        "A picture; with a width alone, its height follows from its proportions.",
        groups: [.atLeastOne("url", "id")],
        keys: .part([.optional("url", .pictureURL, "Where the picture is downloaded when it is shown.")])
    )
}

extension ValueType {
    /// The address of a picture: clients load pictures with https only.
    static let pictureURL = text(
        TextForm("a URL that begins with https://", example: "https://example.com/a.png", rule: "image-not-https") {
            $0.lowercased().hasPrefix("https://")
        }
    )
}

/// Makes an ``Image`` of a picture that was preloaded under that id, by this page or an earlier one of the session.
public func image(id: String) -> Image {
    Image(url: nil, id: id)
}

/// Makes an ``Image`` that is downloaded when it is shown, with https.
public func image(url: String) -> Image {
    Image(url: url)
}
