public import BacklotJSON

/// What a feed consists of: an ``Item`` or a ``Thumb``.
public protocol FeedEntry: Sendable {
    /// The key of the entries in an answer: `items` or `thumbs`.
    static var key: StaticString { get }

    /// What it is known by, unique in its feed: 1 to 2147483647.
    var id: Int { get }
    /// What the entry has in common with those of other feeds.
    var traits: EntryTraits { get set }
    /// The words that it is found by.
    var searchText: String { get }

    /// Writes the entry as one JSON object.
    func encode(into writer: inout JSONWriter, feed: String)
}

/// What the entries of all feeds can have.
public struct EntryTraits: Sendable {
    var sortID: Int?
    var sectionIDs: [Int] = []
    var expirationDate = 0
    var shareURL: String?
    var isOnline = false
    var tags: [String] = []
    var controller: (any ViewController)?
    /// What its page says, as HTML; nil for one without a page.
    var page: String?
    var video: String?

    init() {}

    /// Writes the members that all entries have.
    func encode(into writer: inout JSONWriter) {
        writer.field("sort_id", sortID)
        if !sectionIDs.isEmpty {
            writer.array("section_ids") { writer in
                for id in sectionIDs { writer.value(id) }
            }
        }
        writer.field("expiration_date", expirationDate, default: 0)
        writer.field("share_url", shareURL?.unmarked)
        writer.field("online", isOnline, default: false)
        if let controller { controller.encodeMembers(into: &writer, TextLookup(nil)) }
    }
}

/// What can be said of any entry.
extension FeedEntry {
    private func with<Value>(_ path: WritableKeyPath<EntryTraits, Value>, _ value: Value) -> Self {
        var copy = self
        copy.traits[keyPath: path] = value
        return copy
    }

    /// Where it stands: higher ones first, 1 to 2⁵³ − 1; the id by default.
    public func sortID(_ id: Int) -> Self { with(\.sortID, id) }
    /// The sections that it is in. In a feed with sections every entry is in one.
    public func sections(_ ids: Int...) -> Self { with(\.sectionIDs, ids) }
    /// When it ends, in seconds since 1970; 0 for never.
    public func expires(at seconds: Int) -> Self { with(\.expirationDate, seconds) }
    /// Where it is on the web, for people to share: an absolute URL.
    public func shareURL(_ url: String) -> Self { with(\.shareURL, url) }
    /// Keeps clients from keeping what it leads to.
    public func online(_ isOnline: Bool = true) -> Self { with(\.isOnline, isOnline) }
    /// What it is tagged with.
    public func tags(_ tags: String...) -> Self { with(\.tags, tags) }
    /// What it is tagged with.
    public func tags(_ tags: [String]) -> Self { with(\.tags, tags) }
    /// What it leads to, other than a page or a picture: a feed, a web page or a movie.
    public func opens(_ controller: any ViewController) -> Self { with(\.controller, controller) }
}
