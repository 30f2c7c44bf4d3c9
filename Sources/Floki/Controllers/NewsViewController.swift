public import BacklotJSON

/// A list of news.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, News_view_controller class data.
public struct NewsViewController: ViewController {
    /// Where footers stand.
    public enum FooterAlignment: Int, Sendable {
        /// At the left.
        case left = -1
        /// In the middle.
        case center = 0
        /// At the right.
        case right = 1
    }

    /// `News_view_controller`
    public var className: StaticString { "News_view_controller" }
    /// The feed's address.
    public let mainURL: Link
    let feed: String
    let cacheSize: Int
    var rowHeight = 44
    var padding = 3
    var imageIsRight = false
    var imageSize: (width: Int, height: Int)?
    var titleLines = 1
    var titleSize = 16
    var titleColor = Color.blue
    var textSize = 13
    var textColor = Color.black
    var footerSize = 11
    var footerColor = Color.gray
    var footerAlignment = FooterAlignment.center
    var normalColor = Color.white
    var highlightColor = Color.blue
    var ttl = 300
    var downloadIfVirgin = false
    var allowManualReload = false
    var itemDisclosure: Picture?
    var navigationChangesSection = false
    var sectionTitlePadding = 10
    var collapsedTextColor = Color.black
    var expandedTextColor = Color.white
    var collapsedBackColor = Color.collapsedSection
    var expandedBackColor = Color.expandedSection
    var searchURL: String?
    var moreItemsURL: String?
    var tagsURL: String?
    var tagsRegex: [String] = []
    var videosURL: String?
    var videosRegex: [String] = []

    init(feed: NewsFeed) {
        mainURL = feed.link
        self.feed = feed.name
        cacheSize = feed.cacheSize
    }

    /// Writes the members of `data`.
    public func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        writer.field("row_height", rowHeight, default: 44)
        writer.field("padding", padding, default: 3)
        writer.field("image_alignment", imageIsRight ? 1 : 0, default: 0)
        if let imageSize {
            writer.array("image_size") {
                $0.value(imageSize.width)
                $0.value(imageSize.height)
            }
        }
        writer.field("title_lines", titleLines, default: 1)
        writer.field("title_size", titleSize, default: 16)
        writer.field("title_color", titleColor, default: .blue)
        writer.field("text_size", textSize, default: 13)
        writer.field("text_color", textColor, default: .black)
        writer.field("footer_size", footerSize, default: 11)
        writer.field("footer_color", footerColor, default: .gray)
        writer.field("footer_alignment", footerAlignment.rawValue, default: 0)
        writer.field("back_normal_color", normalColor, default: .white)
        writer.field("back_highlight_color", highlightColor, default: .blue)
        writer.field("cache_size", cacheSize, default: 50)
        writer.field("ttl", ttl, default: 300)
        writer.field("download_if_virgin", downloadIfVirgin, default: false)
        writer.field("allow_manual_reload", allowManualReload, default: false)
        writer.field("item_disclosure", itemDisclosure?.base64)
        writer.field("navigation_changes_section", navigationChangesSection, default: false)
        writer.field("section_title_padding", sectionTitlePadding, default: 10)
        writer.field("section_collapsed_text_color", collapsedTextColor, default: .black)
        writer.field("section_expanded_text_color", expandedTextColor, default: .white)
        writer.field("section_collapsed_back_color", collapsedBackColor, default: .collapsedSection)
        writer.field("section_expanded_back_color", expandedBackColor, default: .expandedSection)
        writer.field("search_bar", searchURL)
        writer.field("more_items_url", moreItemsURL)
        writer.field("tags_regex", tagsRegex)
        writer.field("tags_url", tagsURL)
        writer.field("videos_regex", videosRegex)
        writer.field("videos_url", videosURL)
    }
}

/// Makes a ``NewsViewController``, which shows a feed.
public func newsViewController(_ feed: NewsFeed) -> NewsViewController { NewsViewController(feed: feed) }
