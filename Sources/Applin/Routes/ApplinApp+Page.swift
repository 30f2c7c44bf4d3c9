public import Backlot

extension ApplinApp {
    /// Adds a page: it answers GET, by which clients load it, and POST, by which they refresh it with its variables.
    ///
    /// What `handler` throws is answered as text/plain: a `StatusError` with its status, a `UserError` with 422 and the
    /// text for the user, anything else with 500.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol.
    ///
    /// - Parameters:
    ///   - path: the page's path below the app's base URL, such as `/new_account`.
    ///   - handler: makes the page, for each request anew.
    public func page(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> any Page
    ) {
        let source = SourceLocation(file: file, line: line)
        let handler = PageHandler(makePage: handler)
        routes.add(Route(.get, path, handler: handler, source: source))
        routes.add(Route(.post, path, handler: handler, source: source))
    }
}

/// Answers requests for one page.
private struct PageHandler: Handler {
    private static let headers: HTTPFields = [
        .contentType: "application/vnd.applin_response",
        // Clients never cache pages, and nothing on the way may.
        .cacheControl: "no-store",
    ]

    let makePage: @Sendable (Request) async throws -> any Page

    func handle(_ request: Request) async throws -> Response {
        let page = try await makePage(request)
        return Response(headers: Self.headers, body: .bytes(page.responseBody()))
    }
}
