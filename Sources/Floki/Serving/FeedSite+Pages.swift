import Backlot
import BacklotJSON

extension FeedSite {
    private static let headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]

    /// The page of an item, with and without the code of the language at its end.
    func page(_ request: Request) async throws -> Response {
        let path = request.parameters
        let (suffix, query) = QueryParameters.split(path["suffix"] ?? "", request)
        let code = suffix.isEmpty ? path["language"] ?? "" : suffix
        let language = try languages.language(code, request)
        // Clients that append parameters without a question mark do so here too.
        let (number, tail) = QueryParameters.split(path["id"] ?? "", request)
        guard let id = Int(number), id > 0 else {
            throw StatusError(.notFound, "there is no item '\(number.excerpt)'")
        }
        let now = configuration.clock.secondsSince1970
        let entry = try await feed.store.entry(id, of: feed.stream(language), now: now)
        guard let entry, let content = entry.page else {
            throw StatusError(.notFound, "the item \(id) has no page here")
        }
        let base = try configuration.address.base(for: request, mount: mount)
        let device = FeedParameters(suffix.isEmpty ? tail : query).device
        let place = WirePlace(base: base, folder: "\(base)/\(feed.name)/", language: language, device: device)
        let item = try JSONValue(parsing: WireTemplate(entry.wire).rendered(for: place)).object ?? JSONObject()
        let page = ItemPage(
            language: language,
            device: device,
            address: base,
            feed: feed.name,
            item: item,
            content: content
        )
        let html = try configuration.template.html(page)
        return Response(headers: Self.headers, body: .bytes(Array(html.utf8)))
    }
}
