/// A step between the server and handlers. It may inspect a request, respond to it, change it, or change the response.
///
/// ```swift
/// struct Cached: Middleware {
///     var seconds: Int
///
///     func respond(to request: Request, next: any Handler) throws -> HandlerResult {
///         try next.respond(to: request).map { response in
///             var response = response
///             response.headers[.cacheControl] = "max-age=\(seconds)"
///             return response
///         }
///     }
/// }
/// router.with(Cached(seconds: 60)).get("/prices") { _ in "7" }
/// ```
public protocol Middleware: Sendable {
    /// Responds to a request, usually by calling `next.respond(to: request)` and `map` on its result.
    ///
    /// - Throws: the middleware's errors, and those of `next` unless the middleware responds to them itself.
    func respond(to request: Request, next: any Handler) throws -> HandlerResult
}

/// A middleware made from a function.
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

    /// Creates a middleware that responds with the result of `function`. Every request that passes it takes a task.
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
    /// The handler behind some middleware, the first of them outermost.
    func wrapped(in middlewares: [any Middleware]) -> any Handler {
        middlewares.reversed().reduce(self) { MiddlewareHandler(middleware: $1, next: $0) }
    }
}
