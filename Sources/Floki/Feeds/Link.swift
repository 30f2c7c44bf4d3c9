import Backlot

/// A URL on the wire: absolute, below the app's address, or relative to the feed that contains it.
///
/// `"https://example.com/a.png"` is sent unchanged. `"/images/a.png"` is below the app's address, and is sent with it:
/// `http://127.0.0.1:8080/floki/images/a.png`. `"a.png"` is sent unchanged in feeds, where clients resolve it against the feed's
/// address, and as an absolute URL in the results of a search.
public struct Link: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The stored URL, with marks that responses replace.
    let wire: String

    /// Creates a URL.
    public init(_ text: String) { wire = Self.wire(text) }

    /// Creates a URL.
    public init(stringLiteral text: String) { self.init(text) }

    init(wire: String) { self.wire = wire }

    /// The same for a movie's file and picture: clients resolve a relative URL against the movie's own.
    var movieWire: String { wire.replacing(TemplateMark.folder, with: "") }

    /// A URL for each kind of device, such as pictures of different sizes.
    public static func byDevice(iPad: String, iPhone4: String, other: String) -> Link {
        let alternatives = [iPad, iPhone4, other].map(Self.wire).joined(separator: TemplateMark.separator)
        return Link(wire: TemplateMark.open + alternatives + TemplateMark.close)
    }

    /// The text that makes this link; nil for a link with a URL for each kind of device, and for the page of an item.
    public var text: String? {
        let base = TemplateMark.base.utf8
        var rest = wire.utf8[...]
        if rest.starts(with: base) || rest.starts(with: TemplateMark.folder.utf8) { rest = rest.dropFirst(base.count) }
        let text = String(Substring(rest))
        return Link(text) == self ? text : nil
    }

    private static func wire(_ text: String) -> String {
        let text = text.unmarked
        if text.hasPrefix("/"), !text.hasPrefix("//") { return TemplateMark.base + text }
        return isAbsolute(text) ? text : TemplateMark.folder + text
    }

    /// Whether a text begins with a scheme (RFC 3986, section 3.1).
    static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }
}

/// The addresses of a feed and its pages, below the app's address.
enum FeedPath {
    /// A feed's address without a slash at its end.
    static func base(_ feed: String) -> String { "\(TemplateMark.base)/\(feed)" }

    /// The address; clients append the code of the language.
    static func main(_ feed: String) -> String { "\(base(feed))/" }

    /// The page of an item. Clients store pages by their URLs, so the URL changes with the item, the content and the template.
    ///
    /// - Parameter item: the item as JSON, without its page's address.
    static func page(_ feed: String, _ id: Int, item: [UInt8], content: String) -> String {
        let revision = ContentHash.text(of: item + content.utf8).prefix(16)
        return "\(base(feed))/items/\(TemplateMark.language)/\(id)/?r=\(revision)\(TemplateMark.template)"
    }

    /// Whether an address is one that ``page(_:_:item:content:)`` has made.
    static func isPage(_ wire: String, of feed: String, _ id: Int) -> Bool {
        let start = "\(base(feed))/items/\(TemplateMark.language)/\(id)/?r=".utf8
        let end = TemplateMark.template.utf8
        return wire.utf8.count == start.count + 16 + end.count && wire.utf8.starts(with: start)
            && wire.utf8.suffix(end.count).elementsEqual(end)
    }

    /// The message about an invalid name.
    static func problem(_ noun: String, _ name: String) -> String {
        "the \(noun)'s name '\(name.excerpt)' must consist of letters, digits and -_.~, and not begin with a point"
    }

    /// Whether a feed or page can have a name: clients mangle other characters in URLs.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~".utf8.contains($0) }
    }
}

extension JSONWriter {
    mutating func field(_ key: StaticString, _ link: Link?) {
        if let link { field(key, link.wire) }
    }
}

/// The forms of URLs in documents.
extension TextForm {
    static func absoluteURL(rule: String) -> TextForm {
        TextForm("an absolute URL, such as http://example.com/a", example: "http://example.com/a", rule: rule) {
            Link.isAbsolute($0)
        }
    }

    /// Clients resolve a picture's URL below the feed's address, even if it begins with a slash.
    static let pictureURL = TextForm(
        "an absolute URL, or one that is relative to the feed's and begins without a slash",
        example: "pictures/1.png",
        rule: "rooted-image"
    ) { !$0.hasPrefix("/") || $0.hasPrefix("//") }

    /// A URL with parts that clients replace. They ignore a URL that lacks one of these parts.
    static func searchURL(hasPages: Bool) -> TextForm {
        let query = hasPages ? "q=_WORDS_&page=_PAGE_" : "q=_WORDS_"
        return TextForm(
            "a URL with \(hasPages ? "_WORDS_ and _PAGE_" : "_WORDS_"), such as http://example.com/_LNG_/search?\(query)",
            example: "http://example.com/_LNG_/search?\(query)",
            rule: "missing-placeholder"
        ) { $0.contains("_WORDS_") && (!hasPages || $0.contains("_PAGE_")) }
    }
}
