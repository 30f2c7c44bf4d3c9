/// Something that stands between the server and handlers: it may look at a request, answer it itself, change it on its
/// way in, or change the response on its way out.
public protocol Middleware: Sendable {
    /// Answers a request, usually by calling `next.respond(to: request)` somewhere, and `map` on what comes back.
    ///
    /// - Throws: what `next` throws, unless the middleware answers that error itself, and the middleware's own errors.
    func respond(to request: Request, next: any Handler) throws -> HandlerResult
}

/// A middleware that is a function.
///
/// ```swift
/// router.use { request, next in
///     var response = try await next(request)
///     response.headers[.server] = "Backlot"
///     return response
/// }
/// ```
public struct FunctionMiddleware: Middleware {
    private let function: @Sendable (Request, any Handler) async throws -> Response

    /// A middleware that answers with what `function` returns. Every request that passes it takes a task.
    public init(_ function: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response) {
        self.function = function
    }

    /// Calls the function.
    public func respond(to request: Request, next: any Handler) -> HandlerResult {
        .pending { [function] in try await function(request, next) }
    }
}

/// A handler with a middleware before it. A class: a struct of two existentials would be copied for each request.
private final class MiddlewareHandler: Handler {
    let middleware: any Middleware
    let next: any Handler

    init(middleware: any Middleware, next: any Handler) {
        self.middleware = middleware
        self.next = next
    }

    func respond(to request: Request) throws -> HandlerResult { try middleware.respond(to: request, next: next) }
}

extension Handler {
    /// The handler with middlewares before it, the first of them outermost.
    func wrapped(in middlewares: [any Middleware]) -> any Handler {
        middlewares.reversed().reduce(self) { MiddlewareHandler(middleware: $1, next: $0) }
    }
}
