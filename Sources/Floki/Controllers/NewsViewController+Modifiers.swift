/// Sizes are in pixels and at least 1, times are in seconds.
extension NewsViewController {
    /// How high each row is; 44 by default.
    public func rowHeight(_ height: Int) -> Self { setting(\.rowHeight, height) }
    /// How far the content is from the borders of its row; 3 by default.
    public func padding(_ padding: Int) -> Self { setting(\.padding, padding) }
    /// Puts pictures to the right of the row; by default they are at the left.
    public func imageAtRight(_ isRight: Bool = true) -> Self { setting(\.imageIsRight, isRight) }
    /// How large pictures are; by default 30 wide, and as high as the row without its padding.
    public func imageSize(_ width: Int, _ height: Int) -> Self { setting(\.imageSize, (width, height)) }
    /// How many lines a title may have; 1 by default.
    public func titleLines(_ lines: Int) -> Self { setting(\.titleLines, lines) }
    /// The size of titles; 16 by default.
    public func titleSize(_ size: Int) -> Self { setting(\.titleSize, size) }
    /// The colour of titles; blue by default.
    public func titleColor(_ color: Color) -> Self { setting(\.titleColor, color) }
    /// The size of texts; 13 by default.
    public func textSize(_ size: Int) -> Self { setting(\.textSize, size) }
    /// The colour of texts; black by default.
    public func textColor(_ color: Color) -> Self { setting(\.textColor, color) }
    /// The size of footers; 11 by default.
    public func footerSize(_ size: Int) -> Self { setting(\.footerSize, size) }
    /// The colour of footers; gray by default.
    public func footerColor(_ color: Color) -> Self { setting(\.footerColor, color) }
    /// Where footers stand; in the middle by default.
    public func footerAlignment(_ alignment: FooterAlignment) -> Self { setting(\.footerAlignment, alignment) }
    /// The background of rows; white by default.
    public func backNormalColor(_ color: Color) -> Self { setting(\.normalColor, color) }
    /// The background of a touched row; blue by default.
    public func backHighlightColor(_ color: Color) -> Self { setting(\.highlightColor, color) }
    /// After how many seconds the view asks for the feed again; 300 by default.
    public func ttl(_ seconds: Int) -> Self { setting(\.ttl, seconds) }
    /// Asks for the feed when the view is first shown, whatever its age.
    public func downloadIfVirgin(_ isOn: Bool = true) -> Self { setting(\.downloadIfVirgin, isOn) }
    /// Shows a button that asks for the feed again.
    public func allowManualReload(_ isOn: Bool = true) -> Self { setting(\.allowManualReload, isOn) }
    /// The picture of the button at the end of a row.
    public func itemDisclosure(_ picture: Picture) -> Self { setting(\.itemDisclosure, picture) }
    /// Lets the buttons for the next item go on into other sections.
    public func navigationChangesSection(_ isOn: Bool = true) -> Self { setting(\.navigationChangesSection, isOn) }
    /// How far the name of a section is from the sides; 10 by default, 0 to 319, and at least 1 on Android.
    public func sectionTitlePadding(_ padding: Int) -> Self { setting(\.sectionTitlePadding, padding) }
    /// The name of a collapsed section; black by default.
    public func sectionCollapsedTextColor(_ color: Color) -> Self { setting(\.collapsedTextColor, color) }
    /// The name of an expanded section; white by default.
    public func sectionExpandedTextColor(_ color: Color) -> Self { setting(\.expandedTextColor, color) }
    /// The header of a collapsed section; gray by default.
    public func sectionCollapsedBackColor(_ color: Color) -> Self { setting(\.collapsedBackColor, color) }
    /// The header of an expanded section; bluish by default.
    public func sectionExpandedBackColor(_ color: Color) -> Self { setting(\.expandedBackColor, color) }

    /// Shows a bar to search the feed; the module answers.
    public func searchBar() -> Self { searchBar("\(FeedPath.base(feed))/search/_LNG_?q=_WORDS_&page=_PAGE_") }
    /// Shows a bar to search; `url` has `_WORDS_` and `_PAGE_`, and perhaps `_LNG_`.
    public func searchBar(_ url: String) -> Self { setting(\.searchURL, url) }
    /// Lets clients that don't ask by `o` have older items; the module answers.
    public func moreItems() -> Self { moreItems("\(FeedPath.base(feed))/older/_LNG_") }
    /// Lets clients that don't ask by `o` have older items; `url` may have `_LNG_`.
    public func moreItems(_ url: String) -> Self { setting(\.moreItemsURL, url) }
    /// Opens links to tags as lists of the items that have them; the module answers. Without `patterns` these are links that
    /// end in `/tags/` and a tag.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the tag.
    public func tags(_ patterns: [String] = [#".*/tags/([^/?#]+)$"#]) -> Self {
        setting(\.tagsRegex, patterns)
            .setting(\.tagsURL, "\(FeedPath.base(feed))/tagged/_LNG_?tag=_WORDS_&page=_PAGE_")
    }
    /// Opens links to tags as what `url` answers; it has `_WORDS_` and `_PAGE_`, and perhaps `_LNG_`.
    public func tags(_ patterns: [String], url: String) -> Self {
        setting(\.tagsRegex, patterns).setting(\.tagsURL, url)
    }
    /// Opens links to videos as the items with that ``Item/video(_:)``; the module answers. Without `patterns` these are links
    /// that end in `/videos/` and a name.
    ///
    /// - Parameter patterns: regular expressions in ICU's syntax, each with one group: the video.
    public func videos(_ patterns: [String] = [#".*/videos/([^/?#]+)$"#]) -> Self {
        setting(\.videosRegex, patterns)
            .setting(\.videosURL, "\(FeedPath.base(feed))/video/_LNG_?video=_WORDS_")
    }
    /// Opens links to videos as what `url` answers; it has `_WORDS_`, and perhaps `_LNG_`.
    public func videos(_ patterns: [String], url: String) -> Self {
        setting(\.videosRegex, patterns).setting(\.videosURL, url)
    }
}
