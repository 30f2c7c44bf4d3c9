public import Backlot

/// A picture of a gallery.
///
/// Source: Floki server protocols, Gallery item protocol.
public struct Thumb: FeedEntry {
    /// `thumbs`
    public static var key: FeedKey { .thumbs }
    /// The number of the picture, unique in its feed: 1 to 2147483647.
    public let id: Int
    /// The whole picture.
    public var url: Link
    /// The small picture.
    public var image: Link
    /// The size of the whole picture, in pixels.
    public var width, height: Int
    /// The properties that items have too.
    public var traits = EntryTraits()
    /// The title over the picture.
    public var title = ""
    /// A longer text over the picture.
    public var captionText: String?
    /// The factor of enlargement for a double tap; 1 turns it off.
    public var maxZoom = 2.0

    init(id: Int, url: Link, image: Link, width: Int, height: Int) {
        self.id = id
        self.url = url
        self.image = image
        self.width = width
        self.height = height
    }

    /// The picture that a feed's store keeps. Saved unchanged, it is stored with the same bytes.
    ///
    /// - Throws: ``FeedError`` for a picture that this version of the library can't read.
    public init(stored entry: StoredEntry, of feed: String) throws(FeedError) {
        self = try Self.read(entry, of: feed)
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
    public func title(_ title: String) -> Thumb { setting(\.title, title) }
    /// A longer text over the picture.
    public func captionText(_ text: String) -> Thumb { setting(\.captionText, text) }
    /// The factor of enlargement for a double tap; 2 by default, 1 turns it off.
    public func maxZoom(_ factor: Double) -> Thumb { setting(\.maxZoom, factor) }
}

extension Thumb {
    static let vocabulary = Kind(
        "thumb",
        as: [.thumb],
        "A picture of a gallery.",
        keys: [
            .entryID,
            .required("title", .string, "The title over the picture; an empty one doesn't show."),
            .required("url", .text(.pictureURL), "The whole picture, or what a tap opens instead."),
            .required("image", .text(.pictureURL), "The small picture."),
            .required("width", .positive, "The width of the whole picture, in pixels."),
            .required("height", .positive, "The height of the whole picture, in pixels."),
            .optional(
                "max_zoom",
                .number(1...Double.greatestFiniteMagnitude),
                "The factor of enlargement for a double tap; 1 turns it off.",
                default: 2
            ),
            .optional("caption_text", .string, "A longer text over the picture."),
            .sortID,
            .sectionIDs,
            .expirationDate,
            .shareURL,
            .online,
            .className([
                UnwrittenControllers.photo, GalleryViewController.vocabulary, NewsViewController.vocabulary,
                WebViewController.vocabulary, MovieViewController.vocabulary,
            ]),
            .entryData,
        ]
    )
}

extension Role {
    static let thumb = Role("thumb", labels: ["id"])
}

/// Makes a ``Thumb``.
///
/// ```swift
/// let photos = GalleryFeed("photos", in: store)
/// let url: Link = "https://news.example.com/ferry.jpg"
/// try await photos.save([thumb(1, url: url, image: url, width: 1600, height: 1200)], language: "en")
/// ```
/// - Parameters:
///   - id: 1 to 2147483647, unique in its feed.
///   - url: The whole picture; clients can't show more than 1024 × 1024 pixels.
///   - image: The small picture.
///   - width: The width of the whole picture, in pixels.
///   - height: The height of the whole picture, in pixels.
public func thumb(_ id: Int, url: Link, image: Link, width: Int, height: Int) -> Thumb {
    Thumb(id: id, url: url, image: image, width: width, height: height)
}
