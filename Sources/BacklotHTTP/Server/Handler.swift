/// Responds to requests, for example as a router.
///
/// ```swift
/// struct Greeter: Handler {
///     func respond(to request: Request) -> HandlerResult { .ready(.text("Hello")) }
/// }
/// try await Server(Greeter(), port: 8080).run()
/// ```
public protocol Handler: Sendable {
    /// Called once before the server listens. Does nothing by default.
    ///
    /// - Throws: any error. The server then doesn't start.
    func prepare() throws

    /// Responds to one request.
    ///
    /// The server calls this function on the event loop of the request's connection, and pending work resumes there after each
    /// `await`. Never block the loop: use `Blocking.run` for blocking work.
    ///
    /// - Throws: an `HTTPError` results in a response with its status, and its reason as text/plain; any other error in a 500.
    func respond(to request: Request) throws -> HandlerResult
}

extension Handler {
    /// Does nothing.
    public func prepare() throws {}

    /// Calls the handler, and waits for the response.
    ///
    /// - Throws: the errors of `respond(to:)`.
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await respond(to: request).response()
    }
}

/// A handler that is a function.
public struct FunctionHandler: Handler {
    private let function: @Sendable (Request) throws -> HandlerResult

    /// Creates a handler that responds with the result of `function`, without a task.
    public init(_ function: @escaping @Sendable (Request) throws -> Response) {
        self.function = { .ready(try function($0)) }
    }

    /// Creates a handler that responds with the result of an asynchronous function.
    public init(_ function: @escaping @Sendable (Request) async throws -> Response) {
        self.function = { request in .pending { try await function(request) } }
    }

    /// Creates a handler that responds with the result of a function on the main actor.
    public init<Failure: Error>(_ function: @escaping @MainActor @Sendable (Request) throws(Failure) -> Response) {
        self.function = { request in .pending { try await function(request) } }
    }

    /// Calls the function.
    public func respond(to request: Request) throws -> HandlerResult {
        try function(request)
    }
}
