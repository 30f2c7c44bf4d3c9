public import Backlot

/// A request for a web page of an app.
public struct WebPage: Sendable {
    /// The code of the language.
    public let language: String
    /// The kind of device that asks.
    public let device: Device
    /// The app's address, without a slash at its end.
    public let address: String
    /// The request.
    public let request: Request
}

/// Answers with a web page, with and without the code of the language at the end of its address.
struct WebPageSite: Sendable {
    let name: String
    let address: AppAddress
    let mount: String

    func answer(_ edition: AppEdition, _ request: Request) throws -> Answer {
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
        return FlokiAnswer(.html, Array(text.utf8), address).response(to: request)
    }
}
