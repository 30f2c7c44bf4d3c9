import Backlot

/// A middleware that sees only what is below a path.
struct BelowPath: Middleware {
    /// It begins and ends with a slash.
    let path: String
    /// What sees it.
    let middleware: any Middleware

    func handle(_ request: Request, next: any Handler) async throws -> Response {
        guard request.path.hasPrefix(path) else { return try await next.handle(request) }
        return try await middleware.handle(request, next: next)
    }

    func answerAtOnce(_ request: Request, next: any Handler) throws -> Response? {
        guard request.path.hasPrefix(path) else { return try next.answerAtOnce(request) }
        return try middleware.answerAtOnce(request, next: next)
    }
}
