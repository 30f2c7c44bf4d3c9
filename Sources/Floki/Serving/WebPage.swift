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
struct WebPageHandler: Handler {
    let languages: LanguageChoice
    let address: AppAddress
    let mount: String
    let html: @Sendable (WebPage) async throws -> String

    func answer(_ request: Request) -> Answer { .pending { try await response(to: request) } }

    private func response(to request: Request) async throws -> Response {
        let (code, query) = QueryParameters.split(request.parameters["language"] ?? "", request)
        let page = WebPage(
            language: try languages.language(code, request),
            device: ClientParameters(query).device,
            address: try address.base(for: request, mount: mount),
            request: request
        )
        let text = try await html(page)
        return FlokiAnswer(.html, Array(text.utf8)).response(to: request)
    }
}
