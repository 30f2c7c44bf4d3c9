public import Backlot

/// Makes the HTML pages of items.
///
/// Clients show these pages, and store each for as long as its item and its URL are the same. The URL changes with the item, and with
/// the template's output for a sample when the app is mounted.
public protocol ItemTemplate: Sendable {
    /// The page of an item.
    func html(_ page: ItemPage) throws -> String
}

/// An item, for a page of it.
public struct ItemPage: Sendable {
    /// The code of the language.
    public let language: String
    /// The kind of device that sends the request.
    public let device: Device
    /// The app's address, without a slash at its end.
    public let address: String
    /// The feed's name.
    public let feed: String
    /// The item on the wire, with absolute URLs.
    public let item: JSONObject
    /// The content from ``Item/page(_:)``, in HTML.
    public let content: String

    /// The title, as plain text.
    public var title: String { item["title"]?.string ?? "" }
    /// The text below the title, as plain text.
    public var body: String { item["body"]?.string ?? "" }
    /// The line at the bottom, as plain text.
    public var footer: String? { item["footer"]?.string }
    /// The address of the picture.
    public var image: String? { item["image"]?.string }
    /// The address on the web.
    public var shareURL: String? { item["share_url"]?.string }
}

/// A page with only the title and the content below it.
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

extension ItemPage {
    /// A short name for a template's output for a sample: another template has another name.
    static func revision(of template: any ItemTemplate) -> String {
        let sample = ItemPage(
            language: "en",
            device: .other,
            address: "http://localhost",
            feed: "feed",
            item: [
                "id": 1, "title": "Title", "body": "Body", "url": "http://localhost/url",
                "image": "http://localhost/image",
                "footer": "Footer", "share_url": "http://localhost/share",
            ],
            content: "<p>Content</p>"
        )
        guard let html = try? template.html(sample) else { return "" }
        return String(ContentHash.text(of: Array(html.utf8)).prefix(8))
    }
}

extension FeedSite {
    /// The page of an item, with and without the code of the language at its end.
    func page(_ edition: AppEdition, _ request: Request) async throws -> Response {
        let feed = try feed(edition)
        let path = request.parameters
        let (suffix, query) = QueryParameters.split(path["suffix"] ?? "", request)
        let code = suffix.isEmpty ? path["language"] ?? "" : suffix
        let language = try edition.languages.language(code, request)
        // Clients that append parameters without a question mark do so here too.
        let (number, tail) = QueryParameters.split(path["id"] ?? "", request)
        guard let id = Int(number), id > 0 else {
            throw StatusError(.notFound, "there is no item '\(number.excerpt)'")
        }
        let now = configuration.clock.secondsSince1970
        await due.publish(in: feed.store, of: name, now: now)
        let entry = try await feed.store.entry(id, of: feed.stream(language), now: now)
        guard let entry, let content = entry.page else {
            throw StatusError(.notFound, "the item \(id) has no page here")
        }
        let base = try configuration.address.base(for: request, mount: mount)
        let device = ClientParameters(path["suffix"] == nil ? tail : query).device
        let folder = "\(base)/\(feed.name)/"
        let place = TemplateValues(base: base, folder: folder, language: language, device: device, template: template)
        let item = try JSONValue(parsing: JSONTemplate(entry.wire).rendered(for: place)).object ?? JSONObject()
        let page = ItemPage(
            language: language,
            device: device,
            address: base,
            feed: feed.name,
            item: item,
            content: content
        )
        let html = try configuration.template.html(page)
        return FlokiResponse(.html, Array(html.utf8), configuration.address).response(to: request)
    }
}

/// A request for a web page of an app.
public struct WebPage: Sendable {
    /// The code of the language.
    public let language: String
    /// The kind of device that sends the request.
    public let device: Device
    /// The app's address, without a slash at its end.
    public let address: String
    /// The request.
    public let request: Request
}

/// Responds with a web page, with and without the code of the language at the end of its address.
struct WebPageSite: Sendable {
    let name: String
    let address: AppAddress
    let mount: String

    func response(_ edition: AppEdition, _ request: Request) throws -> HandlerResult {
        .pending { try await response(edition, request) }
    }

    private func response(_ edition: AppEdition, _ request: Request) async throws -> Response {
        let (code, query) = QueryParameters.split(request.parameters["language"] ?? "", request)
        let language = try edition.languages.language(code, request)
        guard let html = edition.pages[name] else {
            throw StatusError(.notFound, "the app has no page '\(name)' any more")
        }
        let page = WebPage(
            language: language,
            device: ClientParameters(query).device,
            address: try address.base(for: request, mount: mount),
            request: request
        )
        let text = try await html(page)
        return FlokiResponse(.html, Array(text.utf8), address).response(to: request)
    }
}
