import Backlot

/// A list of news.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, News_view_controller class data.
public struct NewsViewController: KeyedController {
    /// The alignment of footers.
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
    var values = KeyedValues()

    init(feed: NewsFeed) {
        mainURL = feed.link
        self.feed = feed.name
        values = KeyedValues().with("cache_size", feed.cacheSize)
    }
}

extension NewsViewController {
    static let vocabulary = Kind(
        "News_view_controller",
        as: [.controller],
        "A list of news.",
        keys: [
            .mainURL,
            .size("row_height", "The height of a row, in pixels.", default: 44),
            .size("padding", "The pixels around the content of a row.", default: 3),
            .optional("image_alignment", .anyInteger, "The side of pictures: 0 left, 1 right.", default: 0),
            .optional("image_size", .array(.positive, .exactly([2])), "The width and height of pictures, in pixels."),
            .size("title_lines", "The most lines of a title.", default: 1),
            .size("title_size", "The font size of titles.", default: 16),
            .color("title_color", "The colour of titles.", default: .blue),
            .size("text_size", "The font size of texts.", default: 13),
            .color("text_color", "The colour of texts.", default: .black),
            .size("footer_size", "The font size of footers.", default: 11),
            .color("footer_color", "The colour of footers.", default: .gray),
            .optional(
                "footer_alignment",
                .anyInteger,
                "The alignment of footers: below 0 left, 0 centred, above 0 right.",
                default: 0
            ),
            .color("back_normal_color", "The background of rows.", default: .white),
            .color("back_highlight_color", "The background of a touched row.", default: .blue),
            .cacheSize,
            .ttl,
            .downloadIfVirgin,
            .allowManualReload,
            .optional("item_disclosure", .text(.base64), "The picture of the button at the end of a row."),
            .optional(
                "navigation_changes_section",
                .bool,
                "Whether the buttons for the next and the previous item lead into other sections.",
                default: false
            ),
            .optional(
                "section_title_padding",
                .integer(0...319),
                "The pixels beside the name of a section.",
                default: 10
            ),
            .color("section_collapsed_text_color", "The name of a collapsed section.", default: .black),
            .color("section_expanded_text_color", "The name of an expanded section.", default: .white),
            .color("section_collapsed_back_color", "The header of a collapsed section.", default: .collapsedSection),
            .color("section_expanded_back_color", "The header of an expanded section.", default: .expandedSection),
            .optional(
                "search_bar",
                .text(.searchURL(hasPages: true)),
                "The address of a search; clients replace _WORDS_, _PAGE_ and _LNG_."
            ),
            .moreItemsURL,
            .optional("tags_regex", .array(.string), "Patterns of links to tags, each with one group: the tag."),
            .optional(
                "tags_url",
                .text(.searchURL(hasPages: true)),
                "The address of the items for such a link; clients replace _WORDS_, _PAGE_ and _LNG_."
            ),
            .optional("videos_regex", .array(.string), "Patterns of links to videos, each with one group: the video."),
            .optional(
                "videos_url",
                .text(.searchURL(hasPages: false)),
                "The address of the item for such a link; clients replace _WORDS_ and _LNG_."
            ),
        ]
    )
}

/// Sizes are in pixels and at least 1, times are in seconds.
extension NewsViewController {
    /// The height of a row; 44 by default.
    public func rowHeight(_ height: Int) -> Self { with("row_height", height) }
    /// The space around the content of a row; 3 by default.
    public func padding(_ padding: Int) -> Self { with("padding", padding) }
    /// Puts pictures to the right of the row; by default they are at the left.
    public func imageAtRight(_ isRight: Bool = true) -> Self { with("image_alignment", isRight ? 1 : 0) }
    /// The size of pictures; by default 30 wide, and as high as the row without its padding.
    public func imageSize(_ width: Int, _ height: Int) -> Self { with("image_size", json: .numbers([width, height])) }
    /// The maximum number of lines of a title; 1 by default.
    public func titleLines(_ lines: Int) -> Self { with("title_lines", lines) }
    /// The font size of titles; 16 by default.
    public func titleSize(_ size: Int) -> Self { with("title_size", size) }
    /// The colour of titles; blue by default.
    public func titleColor(_ color: Color) -> Self { with("title_color", color) }
    /// The font size of texts; 13 by default.
    public func textSize(_ size: Int) -> Self { with("text_size", size) }
    /// The colour of texts; black by default.
    public func textColor(_ color: Color) -> Self { with("text_color", color) }
    /// The font size of footers; 11 by default.
    public func footerSize(_ size: Int) -> Self { with("footer_size", size) }
    /// The colour of footers; gray by default.
    public func footerColor(_ color: Color) -> Self { with("footer_color", color) }
    /// The alignment of footers; centred by default.
    public func footerAlignment(_ alignment: FooterAlignment) -> Self {
        with("footer_alignment", alignment.rawValue)
    }
    /// The background of rows; white by default.
    public func backNormalColor(_ color: Color) -> Self { with("back_normal_color", color) }
    /// The background of a touched row; blue by default.
    public func backHighlightColor(_ color: Color) -> Self { with("back_highlight_color", color) }
    /// The interval at which the view fetches the feed again, in whole seconds; 5 minutes by default.
    public func ttl(_ duration: Duration) -> Self { with("ttl", duration.wholeSeconds) }
    /// Fetches the feed when the view is first shown, regardless of its age.
    public func downloadIfVirgin(_ isOn: Bool = true) -> Self { with("download_if_virgin", isOn) }
    /// Shows a button that fetches the feed again.
    public func allowManualReload(_ isOn: Bool = true) -> Self { with("allow_manual_reload", isOn) }
    /// The picture of the button at the end of a row.
    public func itemDisclosure(_ picture: Picture) -> Self { with("item_disclosure", picture.base64) }
    /// Lets the buttons for the next and the previous item lead into other sections.
    public func navigationChangesSection(_ isOn: Bool = true) -> Self { with("navigation_changes_section", isOn) }
    /// The space beside the name of a section; 10 by default, 0 to 319, and at least 1 on Android.
    public func sectionTitlePadding(_ padding: Int) -> Self { with("section_title_padding", padding) }
    /// The colour of the name of a collapsed section; black by default.
    public func sectionCollapsedTextColor(_ color: Color) -> Self { with("section_collapsed_text_color", color) }
    /// The colour of the name of an expanded section; white by default.
    public func sectionExpandedTextColor(_ color: Color) -> Self { with("section_expanded_text_color", color) }
    /// The colour of the header of a collapsed section; gray by default.
    public func sectionCollapsedBackColor(_ color: Color) -> Self { with("section_collapsed_back_color", color) }
    /// The colour of the header of an expanded section; bluish by default.
    public func sectionExpandedBackColor(_ color: Color) -> Self { with("section_expanded_back_color", color) }

    /// Shows a bar to search the feed. This library serves the results.
    public func searchBar() -> Self { searchBar("\(FeedPath.base(feed))/search/_LNG_?q=_WORDS_&page=_PAGE_") }
    /// Shows a search bar. In `url`, clients replace `_WORDS_` and `_PAGE_`, and also `_LNG_`.
    public func searchBar(_ url: String) -> Self { with("search_bar", url) }
    /// Gives older items to clients that don't send `o`. This library serves them.
    public func moreItems() -> Self { moreItems("\(FeedPath.base(feed))/older/_LNG_") }
    /// Gives older items to clients that don't send `o`. In `url`, clients replace `_LNG_`.
    public func moreItems(_ url: String) -> Self { with("more_items_url", url) }
    /// Opens a link to a tag as a list of the items with that tag. This library serves the lists. By default these links end in
    /// `/tags/` and a tag.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the tag.
    public func tags(_ patterns: [String] = [#".*/tags/([^/?#]+)$"#]) -> Self {
        tags(patterns, url: "\(FeedPath.base(feed))/tagged/_LNG_?tag=_WORDS_&page=_PAGE_")
    }
    /// Opens links to tags as the items that `url` returns. Clients replace `_WORDS_` and `_PAGE_`, and also `_LNG_`.
    public func tags(_ patterns: [String], url: String) -> Self {
        with("tags_regex", patterns).with("tags_url", url)
    }
    /// Opens a link to a video as the items with that ``Item/video(_:)``. This library serves them. By default these links end in
    /// `/videos/` and a name.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the video.
    public func videos(_ patterns: [String] = [#".*/videos/([^/?#]+)$"#]) -> Self {
        videos(patterns, url: "\(FeedPath.base(feed))/video/_LNG_?video=_WORDS_")
    }
    /// Opens links to videos as the item that `url` returns. Clients replace `_WORDS_`, and also `_LNG_`.
    public func videos(_ patterns: [String], url: String) -> Self {
        with("videos_regex", patterns).with("videos_url", url)
    }
}

/// Makes a ``NewsViewController``, which shows a feed.
///
/// ```swift
/// app.tab(1, "news", newsViewController(news).searchBar().rowHeight(60))
/// ```
public func newsViewController(_ feed: NewsFeed) -> NewsViewController { NewsViewController(feed: feed) }
