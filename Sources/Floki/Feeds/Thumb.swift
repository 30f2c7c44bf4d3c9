public import BacklotJSON

/// A picture of a gallery.
///
/// Source: Floki server protocols, Gallery item protocol.
public struct Thumb: FeedEntry {
    /// `thumbs`
    public static var key: StaticString { "thumbs" }
    /// What it is known by, unique in its feed: 1 to 2147483647.
    public let id: Int
    /// The whole picture.
    public let url: Link
    /// The small picture.
    public let image: Link
    /// The size of the whole picture, in pixels.
    public let width, height: Int
    /// What it has in common with items.
    public var traits = EntryTraits()
    var title = ""
    var captionText: String?
    var maxZoom = 2.0

    init(id: Int, url: Link, image: Link, width: Int, height: Int) {
        self.id = id
        self.url = url
        self.image = image
        self.width = width
        self.height = height
    }

    /// The title, the caption and the tags.
    public var searchText: String { ([title, captionText ?? ""] + traits.tags).joined(separator: " ") }

    /// Writes the picture as one JSON object.
    public func encode(into writer: inout JSONWriter, feed: String) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("title", title.unmarked)
            writer.field("url", traits.controller?.mainURL ?? url)
            writer.field("image", image)
            writer.field("width", width)
            writer.field("height", height)
            if maxZoom != 2 { writer.field("max_zoom", maxZoom) }
            writer.field("caption_text", captionText?.unmarked)
            traits.encode(into: &writer)
        }
    }

    /// The title over the picture.
    public func title(_ title: String) -> Thumb { changed { $0.title = title } }
    /// A longer text over the picture.
    public func captionText(_ text: String) -> Thumb { changed { $0.captionText = text } }
    /// How much a double tap enlarges it; 2 by default, 1 for not at all.
    public func maxZoom(_ factor: Double) -> Thumb { changed { $0.maxZoom = factor } }

    private func changed(_ change: (inout Thumb) -> Void) -> Thumb {
        var copy = self
        change(&copy)
        return copy
    }
}

/// Makes a ``Thumb``.
///
/// - Parameters:
///   - id: 1 to 2147483647, unique in its feed.
///   - url: the whole picture; clients can't show one of more than 1024 × 1024 pixels.
///   - image: the small picture.
///   - width: how wide the whole picture is, in pixels.
///   - height: how high it is.
public func thumb(_ id: Int, url: Link, image: Link, width: Int, height: Int) -> Thumb {
    Thumb(id: id, url: url, image: image, width: width, height: height)
}
