public import BacklotJSON

/// Pictures in rows.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, Gallery_view_controller class data.
public struct GalleryViewController: ViewController {
    /// `Gallery_view_controller`
    public var className: StaticString { "Gallery_view_controller" }
    /// The feed's address.
    public let mainURL: Link
    let feed: String
    let cacheSize: Int
    var rowHeight = 79
    var cellsPerRow = 4
    var padding = 2
    var normalColor = Color.white
    var highlightColor = Color.black
    var ttl = 300
    var downloadIfVirgin = false
    var allowManualReload = false
    var stretchImages = true
    var moreItemsURL: String?
    var galleryURL: String?
    var galleryRegex: [String] = []

    init(feed: GalleryFeed) {
        mainURL = feed.link
        self.feed = feed.name
        cacheSize = feed.cacheSize
    }

    /// How large thumbnails are to be, and where they stand.
    public var geometry: GalleryGeometry {
        GalleryGeometry(rowHeight: rowHeight, padding: padding, cellsPerRow: cellsPerRow)
    }

    /// Writes the members of `data`.
    public func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        writer.field("row_height", rowHeight, default: 79)
        writer.field("cells_per_row", cellsPerRow, default: 4)
        writer.field("padding", padding, default: 2)
        writer.field("cell_normal_color", normalColor, default: .white)
        // Clients take blue by themselves, and the reference black.
        writer.field("cell_highlight_color", highlightColor)
        writer.field("cache_size", cacheSize, default: 50)
        writer.field("ttl", ttl, default: 300)
        writer.field("download_if_virgin", downloadIfVirgin, default: false)
        writer.field("allow_manual_reload", allowManualReload, default: false)
        writer.field("stretch_images", stretchImages, default: true)
        writer.field("more_items_url", moreItemsURL)
        writer.field("gallery_regex", galleryRegex)
        writer.field("gallery_url", galleryURL)
    }

    /// How high each row is, in pixels; 79 by default, and more than twice the padding.
    public func rowHeight(_ height: Int) -> Self { setting(\.rowHeight, height) }
    /// How many pictures a row has at most; 4 by default.
    public func cellsPerRow(_ count: Int) -> Self { setting(\.cellsPerRow, count) }
    /// The pixels around each picture; 2 by default.
    public func padding(_ padding: Int) -> Self { setting(\.padding, padding) }
    /// The background of cells; white by default.
    public func cellNormalColor(_ color: Color) -> Self { setting(\.normalColor, color) }
    /// What is drawn over a touched picture; black by default.
    public func cellHighlightColor(_ color: Color) -> Self { setting(\.highlightColor, color) }
    /// After how many seconds the view asks for the feed again; 300 by default.
    public func ttl(_ seconds: Int) -> Self { setting(\.ttl, seconds) }
    /// Asks for the feed when the view is first shown, whatever its age.
    public func downloadIfVirgin(_ isOn: Bool = true) -> Self { setting(\.downloadIfVirgin, isOn) }
    /// Shows a button that asks for the feed again.
    public func allowManualReload(_ isOn: Bool = true) -> Self { setting(\.allowManualReload, isOn) }
    /// Whether thumbnails fill their cells; they do by default.
    public func stretchImages(_ isOn: Bool) -> Self { setting(\.stretchImages, isOn) }
    /// Lets clients that don't ask by `o` have older pictures; the module answers.
    public func moreItems() -> Self { moreItems("\(FeedPath.base(feed))/older/_LNG_") }
    /// Lets clients that don't ask by `o` have older pictures; `url` may have `_LNG_`.
    public func moreItems(_ url: String) -> Self { setting(\.moreItemsURL, url) }
    /// Opens links to galleries as all pictures with that tag; the module answers. Without `patterns` these are links that end
    /// in `/galleries/` and a tag.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the tag.
    public func galleries(_ patterns: [String] = [#".*/galleries/([^/?#]+)$"#]) -> Self {
        setting(\.galleryRegex, patterns)
            .setting(\.galleryURL, "\(FeedPath.base(feed))/gallery/_LNG_?tag=_WORDS_")
    }
    /// Opens links to galleries as what `url` answers; it has `_WORDS_`, and perhaps `_LNG_`.
    public func galleries(_ patterns: [String], url: String) -> Self {
        setting(\.galleryRegex, patterns).setting(\.galleryURL, url)
    }
}

/// Makes a ``GalleryViewController``, which shows a feed.
public func galleryViewController(_ feed: GalleryFeed) -> GalleryViewController { GalleryViewController(feed: feed) }
