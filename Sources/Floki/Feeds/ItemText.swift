import Backlot

/// The texts of an item in one language.
public struct ItemText: Sendable, Equatable {
    /// The title.
    public var title: String
    /// The text below the title.
    public var body: String
    /// The line at the bottom; nil for that of the item.
    public var footer: String?
    /// The content of the page, in HTML; nil for that of the item.
    public var page: String?

    /// Texts.
    public init(_ title: String, _ body: String = "", footer: String? = nil, page: String? = nil) {
        self.title = title
        self.body = body
        self.footer = footer
        self.page = page
    }
}

/// The texts of a picture in one language.
public struct ThumbText: Sendable, Equatable {
    /// The title over the picture.
    public var title: String
    /// A longer text over the picture; nil for that of the picture.
    public var caption: String?

    /// Texts.
    public init(_ title: String, caption: String? = nil) {
        self.title = title
        self.caption = caption
    }
}

extension NewsFeed {
    /// Adds an item in several languages, or replaces it: in all of them or in none.
    ///
    /// - Parameters:
    ///   - item: what is the same in all languages. Its title and text don't count.
    ///   - texts: the texts, by the codes of the languages.
    /// - Throws: as ``save(_:language:)``.
    public func save(_ item: Item, texts: [String: ItemText]) async throws {
        try await save(texts) { text in
            var item = item
            item.title = text.title
            item.body = text.body
            if let footer = text.footer { item.footer = footer }
            if let page = text.page { item.page = page }
            return item
        }
    }
}

extension GalleryFeed {
    /// Adds a picture in several languages, or replaces it: in all of them or in none.
    ///
    /// - Parameters:
    ///   - thumb: what is the same in all languages. Its title doesn't count.
    ///   - texts: the texts, by the codes of the languages.
    /// - Throws: as ``save(_:language:)``.
    public func save(_ thumb: Thumb, texts: [String: ThumbText]) async throws {
        try await save(texts) { text in
            var thumb = thumb
            thumb.title = text.title
            if let caption = text.caption { thumb.captionText = caption }
            return thumb
        }
    }
}

extension Feed {
    fileprivate func save<Text>(_ texts: [String: Text], _ entry: (Text) -> Entry) async throws {
        guard !texts.isEmpty else {
            throw FeedError("an entry of the feed '\(name)' has no texts: pass one for each language, such as \"en\"")
        }
        var all: ([FeedChange], warnings: [Finding]) = ([], [])
        for (code, text) in texts.sorted(by: { $0.key < $1.key }) {
            let (changes, warnings) = try changes([entry(text)], language: try storedLanguage(code))
            all.0 += changes
            all.warnings += warnings
        }
        try await apply(all)
    }
}
