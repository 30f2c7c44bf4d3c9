internal import BacklotHTTP

/// What a router with mistakes in its routes becomes: no server starts with it.
struct FaultyRouter: Handler {
    let problems: [String]

    func prepare() throws {
        throw StartupError(problems: problems)
    }

    func answer(_ request: Request) throws -> Answer {
        throw StartupError(problems: problems)
    }
}
