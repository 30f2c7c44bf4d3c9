public import Backlot

extension ApplinApp {
    /// Adds an rpc: it answers POST with an empty body, which clients take for success.
    ///
    /// What `handler` throws is answered as text/plain: a `StatusError` with its status, a `UserError` with 422 and the
    /// text for the user, anything else with 500. The client then stops the list of actions that the rpc stands in.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol.
    ///
    /// - Parameters:
    ///   - path: the rpc's path below the app's base URL, such as `/create_account`.
    ///   - handler: does what the user asked for. `request.json()` holds the page's variables.
    public func rpc(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) {
        let source = SourceLocation(file: file, line: line)
        routes.add(Route(.post, path, handler: RPCHandler(perform: handler), source: source))
    }
}

/// Answers calls of one rpc.
private struct RPCHandler: Handler {
    let perform: @Sendable (Request) async throws -> Void

    func handle(_ request: Request) async throws -> Response {
        try await perform(request)
        return Response()
    }
}
