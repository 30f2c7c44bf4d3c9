internal import Backlot
internal import BacklotJSON
internal import HTTPTypes

/// The pictures of a page.
extension ApplinClient {
    /// The URLs of the pictures on the visible page, in its order: those of images, and the photos of buttons. Clients
    /// resolve them from the host's root, unlike the paths of pages.
    public var imageURLs: [HTTPURL] {
        let urls = state.top?.page.widgets.compactMap { $0.string($0.typ == "image" ? "url" : "photo_url") } ?? []
        return urls.compactMap { try? baseURL.resolving($0) }
    }

    /// Loads a picture as clients do: by GET, with cookies, and without the Accept field of pages.
    ///
    /// - Throws: `ClientFailure` where no answer comes. A status that is an error is not thrown: clients show a placeholder.
    public func loadImage(_ url: HTTPURL) async throws(ClientFailure) -> ClientResponse {
        try await session.send(ClientRequest(.get, url, headers: [.accept: "*/*"]), now: time).response
    }
}
