public import BacklotJSON

/// A news item.
///
/// Source: Floki server protocols, News item protocol.
public struct Item: FeedEntry {
    /// `items`
    public static var key: StaticString { "items" }
    /// What it is known by, unique in its feed: 1 to 2147483647.
    public let id: Int
    /// The title.
    public let title: String
    /// The text below it.
    public let body: String
    /// What it has in common with thumbs.
    public var traits = EntryTraits()
    var url: Link?
    var image: Link?
    var footer: String?

    init(id: Int, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }

    /// The title, the text, the footer and the tags.
    public var searchText: String { ([title, body, footer ?? ""] + traits.tags).joined(separator: " ") }

    /// Writes the item as one JSON object.
    public func encode(into writer: inout JSONWriter, feed: String) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("title", title.unmarked)
            writer.field("body", body.unmarked)
            let page = traits.page.map { Link(wire: FeedPath.page(feed, id, content: $0)) }
            writer.field("url", url ?? traits.controller?.mainURL ?? page)
            writer.field("image", image)
            writer.field("footer", footer?.unmarked)
            traits.encode(into: &writer)
        }
    }

    /// What a tap opens; by default the item's ``page(_:)``, or what it ``opens(_:)``.
    public func url(_ url: Link) -> Item { changed { $0.url = url } }
    /// The picture beside it.
    public func image(_ url: Link) -> Item { changed { $0.image = url } }
    /// A line at the bottom; an empty one keeps the room for it.
    public func footer(_ text: String) -> Item { changed { $0.footer = text } }
    /// What its page says, in HTML; the feed's ``ItemTemplate`` puts it into a page.
    public func page(_ html: String) -> Item { changed { $0.traits.page = html } }
    /// Makes it the answer for links to a video. It opens a movie.
    public func video(_ name: String) -> Item { changed { $0.traits.video = name } }

    private func changed(_ change: (inout Item) -> Void) -> Item {
        var copy = self
        change(&copy)
        return copy
    }
}

/// Makes an ``Item``.
///
/// - Parameters:
///   - id: 1 to 2147483647, unique in its feed.
///   - title: The title.
///   - body: The text below it.
public func item(_ id: Int, _ title: String, _ body: String = "") -> Item { Item(id: id, title: title, body: body) }
