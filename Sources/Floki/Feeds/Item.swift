public import Backlot

/// A news item.
///
/// Source: Floki server protocols, News item protocol.
public struct Item: FeedEntry {
    /// `items`
    public static var key: FeedKey { .items }
    /// The number of the item, unique in its feed: 1 to 2147483647.
    public let id: Int
    /// The title.
    public var title: String
    /// The text below the title.
    public var body: String
    /// The properties that thumbs have too.
    public var traits = EntryTraits()
    /// The link that a tap opens; nil for the item's page, or the view that it opens.
    public var url: Link?
    /// The picture beside the item.
    public var image: Link?
    /// A line at the bottom. An empty one reserves its space.
    public var footer: String?
    /// The content of the item's page, in HTML. The app's ``ItemTemplate`` makes the page around it.
    public var page: String? {
        get { traits.page }
        set { traits.page = newValue }
    }
    /// The name in links to a video. Such a link opens this item, which then needs a movie.
    public var video: String? {
        get { traits.video }
        set { traits.video = newValue }
    }

    init(id: Int, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }

    /// The item that a feed's store keeps. Saved unchanged, it is stored with the same bytes.
    ///
    /// - Throws: ``FeedError`` for an item that this version of the library can't read.
    public init(stored entry: StoredEntry, of feed: String) throws(FeedError) {
        self = try Self.read(entry, of: feed)
        guard let wire = url?.wire else { return }
        if wire == controller?.mainURL.wire || (page != nil && FeedPath.isPage(wire, of: feed, id)) { url = nil }
    }

    /// The title, the text, the footer and the tags.
    public var searchText: String { ([title, body, footer ?? ""] + traits.tags).joined(separator: " ") }

    /// Writes the item as one JSON object.
    public func encode(into writer: inout JSONWriter, feed: String) {
        var address = url ?? traits.controller?.mainURL
        if address == nil, let content = traits.page {
            let item = JSONWriter.document(capacity: 512) { encode(into: &$0, address: nil) }
            address = Link(wire: FeedPath.page(feed, id, item: item, content: content))
        }
        encode(into: &writer, address: address)
    }

    private func encode(into writer: inout JSONWriter, address: Link?) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("title", title.unmarked)
            writer.field("body", body.unmarked)
            writer.field("url", address)
            writer.field("image", image)
            writer.field("footer", footer?.unmarked)
            traits.encode(into: &writer)
        }
    }

    /// The link that a tap opens; by default the item's ``page(_:)``, or the view that it `opens(_:)`.
    public func url(_ url: Link) -> Item { setting(\Item.url, url) }
    /// The picture beside the item.
    public func image(_ url: Link) -> Item { setting(\.image, url) }
    /// A line at the bottom. An empty one reserves its space.
    public func footer(_ text: String) -> Item { setting(\.footer, text) }
    /// The content of the item's page, in HTML. The app's ``ItemTemplate`` makes the page around it.
    public func page(_ html: String) -> Item { setting(\.traits.page, html) }
    /// Opens the item for links to a video of this name. The item needs a movie: `.opens(movieViewController(…))`.
    public func video(_ name: String) -> Item { setting(\.traits.video, name) }
}

extension Item {
    static let vocabulary = Kind(
        "item",
        as: [.item],
        "A news item.",
        keys: [
            .entryID,
            .required("title", .string, "The title."),
            .required("body", .string, "The text below the title."),
            .optional("url", .string, "The URL that a tap opens; without it, the item doesn't react."),
            .optional("image", .text(.pictureURL), "The picture beside the item."),
            .optional("footer", .string, "A line at the bottom; an empty one reserves its space."),
            .sortID,
            .sectionIDs,
            .expirationDate,
            .shareURL,
            .online,
            .unwritten("parent_id", .either([.number, .string]), "The controller that shows the item."),
            .className([
                UnwrittenControllers.item, GalleryViewController.vocabulary, NewsViewController.vocabulary,
                WebViewController.vocabulary, MovieViewController.vocabulary,
            ]),
            .entryData,
        ]
    )
}

extension Role {
    static let item = Role("item", labels: ["id"])
}

/// Makes an ``Item``.
///
/// ```swift
/// let ferry = item(7, "Ferry", "It is here.").sections(1).tags("harbour").page("<p>At noon.</p>")
/// try await news.save([ferry], language: "en")
/// ```
/// - Parameters:
///   - id: 1 to 2147483647, unique in its feed.
///   - title: The title.
///   - body: The text below the title.
public func item(_ id: Int, _ title: String, _ body: String = "") -> Item { Item(id: id, title: title, body: body) }
