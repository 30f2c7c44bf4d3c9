import Backlot

/// Pictures in rows.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, Gallery_view_controller class data.
public struct GalleryViewController: KeyedController {
    /// `Gallery_view_controller`
    public var className: StaticString { "Gallery_view_controller" }
    /// The feed's address.
    public let mainURL: Link
    let feed: String
    var values = KeyedValues()

    init(feed: GalleryFeed) {
        mainURL = feed.link
        self.feed = feed.name
        // Clients assume blue, and the reference black.
        values = KeyedValues().with("cache_size", feed.cacheSize).with("cell_highlight_color", .black)
    }

    /// The right size of thumbnails, and their positions on clients.
    public var geometry: GalleryGeometry {
        GalleryGeometry { values[$0]?.int }
    }

    /// The height of a row, in pixels; 79 by default, and more than twice the padding.
    public func rowHeight(_ height: Int) -> Self { with("row_height", height) }
    /// The maximum number of pictures in a row; 4 by default.
    public func cellsPerRow(_ count: Int) -> Self { with("cells_per_row", count) }
    /// The pixels around each picture; 2 by default.
    public func padding(_ padding: Int) -> Self { with("padding", padding) }
    /// The background of cells; white by default.
    public func cellNormalColor(_ color: Color) -> Self { with("cell_normal_color", color) }
    /// The colour that covers a touched picture; black by default.
    public func cellHighlightColor(_ color: Color) -> Self { with("cell_highlight_color", color) }
    /// The interval at which the view fetches the feed again, in whole seconds; 5 minutes by default.
    public func ttl(_ duration: Duration) -> Self { with("ttl", duration.wholeSeconds) }
    /// Fetches the feed when the view is first shown, regardless of its age.
    public func downloadIfVirgin(_ isOn: Bool = true) -> Self { with("download_if_virgin", isOn) }
    /// Shows a button that fetches the feed again.
    public func allowManualReload(_ isOn: Bool = true) -> Self { with("allow_manual_reload", isOn) }
    /// Whether thumbnails fill their cells; they do by default.
    public func stretchImages(_ isOn: Bool) -> Self { with("stretch_images", isOn) }
    /// Gives older pictures to clients that don't send `o`. This library serves them.
    public func moreItems() -> Self { moreItems("\(FeedPath.base(feed))/older/_LNG_") }
    /// Gives older pictures to clients that don't send `o`. In `url`, clients replace `_LNG_`.
    public func moreItems(_ url: String) -> Self { with("more_items_url", url) }
    /// Opens links to galleries as all pictures with a tag. This library serves them. By default these links end in `/galleries/` and
    /// a tag.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the tag.
    public func galleries(_ patterns: [String] = [#".*/galleries/([^/?#]+)$"#]) -> Self {
        galleries(patterns, url: "\(FeedPath.base(feed))/gallery/_LNG_?tag=_WORDS_")
    }
    /// Opens links to galleries as the pictures that `url` returns. Clients replace `_WORDS_`, and also `_LNG_`.
    public func galleries(_ patterns: [String], url: String) -> Self {
        with("gallery_regex", patterns).with("gallery_url", url)
    }
}

extension GalleryViewController {
    static let vocabulary = Kind(
        "Gallery_view_controller",
        as: [.controller],
        "Pictures in rows.",
        keys: [
            .mainURL,
            .size("row_height", "The height of a row, in pixels.", default: 79),
            .size("cells_per_row", "The most pictures in a row.", default: 4),
            .optional("padding", .positive, "The pixels around each picture.", default: 2, rule: "gallery-padding"),
            .color("cell_normal_color", "The background of cells.", default: .white),
            .color("cell_highlight_color", "The colour that covers a touched picture."),
            .cacheSize,
            .ttl,
            .downloadIfVirgin,
            .allowManualReload,
            .optional("stretch_images", .bool, "Whether thumbnails fill their cells.", default: true),
            .moreItemsURL,
            .optional(
                "gallery_regex",
                .array(.string),
                "Patterns of links to galleries, each with one group: the tag."
            ),
            .optional(
                "gallery_url",
                .text(.searchURL(hasPages: false)),
                "The address of the pictures for such a link; clients replace _WORDS_ and _LNG_."
            ),
        ]
    )
}

/// The size of thumbnails on a row of 320 pixels, and their positions.
///
/// ```swift
/// GalleryGeometry(rowHeight: 79, padding: 2, cellsPerRow: 4)    // 75 × 75, 2 pixels from the left
/// ```
/// Thumbnails of just this size, cropped around their middle, spare clients from scaling them.
///
/// Source: Floki server protocols, Gallery_view_controller class data.
public struct GalleryGeometry: Sendable, Hashable {
    /// The width of a row.
    public static let rowWidth = 320

    /// The width of a thumbnail, in pixels. It is 0 or less if so many don't fit.
    public let imageWidth: Int
    /// The height of a thumbnail, in pixels.
    public let imageHeight: Int
    /// The pixels between the left edge and the first cell.
    public let left: Int

    /// The geometry of a gallery with the values of some keys, or their defaults.
    init(_ value: (String) -> Int?) {
        self.init(
            rowHeight: value("row_height") ?? 79,
            padding: value("padding") ?? 2,
            cellsPerRow: value("cells_per_row") ?? 4
        )
    }

    /// The geometry of a gallery.
    ///
    /// - Parameters:
    ///   - rowHeight: in pixels.
    ///   - padding: around each thumbnail, in pixels.
    ///   - cellsPerRow: at least 1; less counts as 1.
    public init(rowHeight: Int, padding: Int, cellsPerRow: Int) {
        let count = max(1, cellsPerRow)
        // Rounds down, also below 0, as floating-point numbers do.
        func floor(_ dividend: Int, _ divisor: Int) -> Int {
            dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor)
        }
        imageWidth = floor(Self.rowWidth - 2 * padding, count) - 2 * padding
        imageHeight = rowHeight - 2 * padding
        left = floor(Self.rowWidth - count * (imageWidth + 2 * padding), 2)
    }
}

/// Makes a ``GalleryViewController``, which shows a feed.
///
/// ```swift
/// let photos = GalleryFeed("photos", in: store)
/// galleryViewController(photos).rowHeight(79).padding(2).cellsPerRow(4)
/// ```
public func galleryViewController(_ feed: GalleryFeed) -> GalleryViewController { GalleryViewController(feed: feed) }
