public import Backlot

/// A picture. With only a width, its height follows from its proportions.
///
/// Source: Xpedite API reference, component-image.
public struct Image: Component, Sized, KeyedPart {
    /// The picture's address, with https; nil for a preloaded picture, which `id` names.
    public let url: String?
    /// The place and the size.
    public var size: Size?
    /// The preloaded picture; for a picture with a URL, the name for error messages.
    public var id: String?

    /// `image`
    public var type: StaticString { "image" }

    static let vocabulary = Kind(
        Image(url: nil),
        "A picture; with a width alone, its height follows from its proportions.",
        groups: [.atLeastOne("url", "id")]
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("url", url).optional("The picture's address; it is downloaded when it is shown.", .pictureURL)
    }
}

extension ValueType {
    /// The address of a picture: clients load pictures with https only.
    static let pictureURL = text(
        TextForm("a URL that begins with https://", example: "https://example.com/a.png", rule: "image-not-https") {
            $0.lowercased().hasPrefix("https://")
        }
    )
}

/// Makes an ``Image`` of a picture that was preloaded with that id, by this page or an earlier one of the session.
///
/// ```swift
/// page("Welcome") { image(id: "logo") }.images([Preload(id: "logo", url: "https://clinic.example/logo.png")])
/// ```
public func image(id: String) -> Image {
    Image(url: nil, id: id)
}

/// Makes an ``Image`` that is downloaded when it is shown, with https.
///
/// ```swift
/// image(url: "https://clinic.example/logo.png")
/// ```
public func image(url: String) -> Image {
    Image(url: url)
}
