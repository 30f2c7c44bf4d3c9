internal import BacklotHTTP

/// What a router with mistakes in its routes becomes: no server starts with it.
struct FaultyRouter: Handler {
    let problems: [String]

    func prepare() throws {
        throw StartupError(problems: problems)
    }

    func handle(_ request: Request) async throws -> Response {
        throw StartupError(problems: problems)
    }
}
