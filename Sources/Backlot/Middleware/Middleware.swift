public import BacklotHTTP

/// Something that stands between the server and handlers: it may look at a request, answer it itself, change it on its
/// way in, or change the answer on its way out.
public protocol Middleware: Sendable {
    /// Handles a request, usually by calling `next.handle(request)` somewhere.
    ///
    /// - Throws: what `next` throws, unless it makes an answer of it, or an error of its own.
    func handle(_ request: Request, next: any Handler) async throws -> Response

    /// Handles a request without suspending, where that can be done; nil where it can't, and `handle` is called then.
    ///
    /// A middleware that never suspends itself spares its handlers the task that `handle` needs when it defines this, usually
    /// by calling `next.answerAtOnce(request)`. Nothing may have been done when it returns nil: what `next` has answered
    /// must be answered.
    ///
    /// - Throws: as `handle`.
    func answerAtOnce(_ request: Request, next: any Handler) throws -> Response?
}

extension Middleware {
    /// nil: most middlewares may suspend.
    public func answerAtOnce(_ request: Request, next: any Handler) throws -> Response? { nil }
}

/// A handler with a middleware before it.
struct MiddlewareHandler: Handler {
    let middleware: any Middleware
    let next: any Handler

    func answerAtOnce(_ request: Request) throws -> Response? {
        try middleware.answerAtOnce(request, next: next)
    }

    func handle(_ request: Request) async throws -> Response {
        try await middleware.handle(request, next: next)
    }
}

extension Handler {
    /// The handler with middlewares before it, the first of them outermost.
    func wrapped(in middlewares: [any Middleware]) -> any Handler {
        middlewares.reversed().reduce(self) { MiddlewareHandler(middleware: $1, next: $0) }
    }
}
