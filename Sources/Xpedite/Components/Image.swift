import Backlot
public import BacklotJSON

/// A picture. With a width alone, its height follows from its proportions.
///
/// Source: Xpedite API reference, component-image.
public struct Image: Component, Sized {
    /// Where the picture comes from: https; nil for one that was preloaded, which `id` names.
    public let url: String?
    /// Where it stands and how large it is.
    public var size: Size?
    /// The preloaded picture, or for one with a URL what it is called.
    public var id: String?

    /// `image`
    public var type: StaticString { "image" }

    init(id: String?, url: String?) {
        self.id = id
        self.url = url
    }

    init(_ wire: WireReader) throws(WireError) {
        url = try wire.string("url")
        id = try wire.string("id")
        size = try wire.size()
        guard url != nil || id != nil else { throw wire.error("url", "is missing, and so is id") }
    }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) { $0.field("url", url) }
    }
}

/// Makes an ``Image`` of a picture that was preloaded under that id, by this page or an earlier one of the session.
public func image(id: String) -> Image {
    Image(id: id, url: nil)
}

/// Makes an ``Image`` that is downloaded when it is shown, by https.
public func image(url: String) -> Image {
    Image(id: nil, url: url)
}
