public import BacklotJSON

/// Makes HTML pages of items.
///
/// Clients show these pages, and keep them for as long as they keep the item.
public protocol ItemTemplate: Sendable {
    /// The page of an item.
    func html(_ page: ItemPage) throws -> String
}

/// An item, for a page of it.
public struct ItemPage: Sendable {
    /// The code of the language.
    public let language: String
    /// The device that asks.
    public let device: Device
    /// The app's address, without a slash at its end.
    public let address: String
    /// The feed's name.
    public let feed: String
    /// The item as clients get it, with absolute URLs.
    public let item: JSONObject
    /// What its page says, in HTML.
    public let content: String

    /// The title, as plain text.
    public var title: String { item["title"]?.string ?? "" }
    /// The text below it, as plain text.
    public var body: String { item["body"]?.string ?? "" }
    /// The line at the bottom, as plain text.
    public var footer: String? { item["footer"]?.string }
    /// The picture.
    public var image: String? { item["image"]?.string }
    /// Where it is on the web.
    public var shareURL: String? { item["share_url"]?.string }
}

/// The title above what the page says, and nothing else.
public struct PlainItemTemplate: ItemTemplate {
    /// The template.
    public init() {}

    /// The page of an item.
    public func html(_ page: ItemPage) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(page.language.htmlEscaped)">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>\(page.title.htmlEscaped)</title></head>
        <body><h1>\(page.title.htmlEscaped)</h1>
        \(page.content)
        </body>
        </html>

        """
    }
}

extension String {
    /// The text with what HTML gives a meaning escaped, for texts and for values of attributes in quotation marks.
    public var htmlEscaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
