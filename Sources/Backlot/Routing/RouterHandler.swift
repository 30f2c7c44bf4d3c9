internal import BacklotHTTP

/// A router's routes as the server calls them; it doesn't start while there are mistakes in them.
struct RouterHandler: Handler {
    let handler: any Handler
    let problems: [String]

    func prepare() throws {
        guard problems.isEmpty else { throw StartupError(problems: problems) }
    }

    func handle(_ request: Request) async throws -> Response {
        try await handler.handle(request)
    }
}
