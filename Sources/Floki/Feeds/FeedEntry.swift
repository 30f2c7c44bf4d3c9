public import Backlot

/// The kinds of feeds, by the key of their entries in a response.
public enum FeedKey: String, Sendable {
    /// News items: a feed of ``Item``s.
    case items
    /// Pictures: a feed of ``Thumb``s.
    case thumbs
}

/// An entry of a feed: an ``Item`` or a ``Thumb``.
public protocol FeedEntry: Sendable {
    /// The key of the entries in a response.
    static var key: FeedKey { get }

    /// The number of the entry, unique in its feed: 1 to 2147483647.
    var id: Int { get }
    /// The properties that entries of all feeds have.
    var traits: EntryTraits { get set }
    /// The words that a search finds the entry by.
    var searchText: String { get }

    /// Writes the entry as one JSON object.
    func encode(into writer: inout JSONWriter, feed: String)

    /// The entry that a feed's store keeps. Saved unchanged, it is stored with the same bytes.
    ///
    /// - Throws: ``FeedError`` for an entry that this version of the library can't read.
    init(stored entry: StoredEntry, of feed: String) throws(FeedError)
}

/// The properties that entries of all feeds have.
public struct EntryTraits: Sendable {
    /// The highest `sort_id`: some clients read numbers as JavaScript does, without loss up to here.
    static let highestSortID: Int64 = (1 << 53) - 1

    var sortID: Int?
    var sectionIDs: [Int] = []
    var expirationDate = 0
    var shareURL: String?
    var isOnline = false
    var tags: [String] = []
    var controller: (any ViewController)?
    /// The content of the entry's page, as HTML; nil for an entry without a page.
    var page: String?
    var video: String?
    var publication = StoredEntry.Publication.published
    /// The revision of the feed at which the entry was saved; 0 for an entry that was not read from a store.
    var revision = 0

    init() {}

    /// Writes the members that entries of all feeds have.
    func encode(into writer: inout JSONWriter) {
        writer.field("sort_id", sortID)
        if !sectionIDs.isEmpty {
            writer.array("section_ids") { writer in
                for id in sectionIDs { writer.value(id) }
            }
        }
        if expirationDate != 0 { writer.field("expiration_date", expirationDate) }
        writer.field("share_url", shareURL?.unmarked)
        if isOnline { writer.field("online", true) }
        if let controller { controller.encodeMembers(into: &writer, TextLookup(nil)) }
    }
}

/// Keys that entries of all feeds have.
extension Key {
    static let entryID = required(
        "id",
        .positive,
        "The number of the entry, unique in its feed.",
        rule: "malformed-id"
    )
    static let sortID = optional(
        "sort_id",
        .integer(1...EntryTraits.highestSortID),
        "The place in the feed: higher numbers come first. The id by default."
    )
    static let sectionIDs = optional("section_ids", .array(.positive), "The sections that show the entry.", default: [])
    static let expirationDate = optional(
        "expiration_date",
        .integer(0...Int64(Int32.max)),
        "When the entry ends, in seconds since 1970; 0 for never.",
        default: 0
    )
    static let shareURL = optional(
        "share_url",
        .text(.absoluteURL(rule: "relative-share-url")),
        "The address on the web, for people to share."
    )
    static let online = optional(
        "online",
        .bool,
        "Whether clients fetch what the entry opens each time, instead of storing it.",
        default: false
    )
    static let entryData = optional(
        "data",
        .object(.controller),
        "The properties of the class; needed for every class but the default."
    )

    /// The class that an entry opens.
    static func className(_ kinds: [Kind]) -> Key {
        .optional(
            "class_type",
            .name(of: kinds),
            "The class that shows what the entry opens.",
            default: kinds.first.map { .string($0.name) },
            rule: "unknown-class-type"
        )
    }
}

/// The texts of an item in one language.
///
/// ```swift
/// let texts = ["en": ItemText("Ferry", "It is late."), "es": ItemText("Barco", "Llega tarde.")]
/// try await news.save(item(7, "").sections(1), texts: texts)
/// ```
public struct ItemText: Sendable, Equatable {
    /// The title.
    public var title: String
    /// The text below the title.
    public var body: String
    /// The line at the bottom; nil for the item's own line.
    public var footer: String?
    /// The content of the page, in HTML; nil for the item's own content.
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
    /// A longer text over the picture; nil for the picture's own text.
    public var caption: String?

    /// Texts.
    public init(_ title: String, caption: String? = nil) {
        self.title = title
        self.caption = caption
    }
}

extension NewsFeed {
    /// Adds or replaces an item in several languages: in all of them, or in none after an error.
    ///
    /// - Parameters:
    ///   - item: the properties that all languages share. Its title and text are ignored.
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
    /// Adds or replaces a picture in several languages: in all of them, or in none after an error.
    ///
    /// - Parameters:
    ///   - thumb: the properties that all languages share. Its title is ignored.
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
            let (changes, warnings) = try changes([entry(text)], languages: [try storedLanguage(code)])
            all.0 += changes
            all.warnings += warnings
        }
        try await apply(all)
    }
}
