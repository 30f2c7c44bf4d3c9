/// What answers requests: a router, or anything else.
public protocol Handler: Sendable {
    /// Called once before the server listens; nothing, unless a handler defines it.
    ///
    /// - Throws: what makes it pointless to serve. The server doesn't start then.
    func prepare() throws

    /// Answers one request.
    ///
    /// It is called on the event loop of the request's connection, and pending work resumes there after each `await`. Don't block
    /// in either; `Blocking.run` is for that.
    ///
    /// - Throws: an `HTTPError` is answered with its status and reason as text/plain, any other error with 500.
    func respond(to request: Request) throws -> HandlerResult
}

extension Handler {
    /// Does nothing.
    public func prepare() throws {}

    /// Calls the handler, and waits for the response.
    ///
    /// - Throws: as `answer`.
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await respond(to: request).response()
    }
}

/// A handler that is a function.
public struct FunctionHandler: Handler {
    private let function: @Sendable (Request) throws -> HandlerResult

    /// A handler that answers with what `function` returns, without a task.
    public init(_ function: @escaping @Sendable (Request) throws -> Response) {
        self.function = { .ready(try function($0)) }
    }

    /// A handler that answers with what `function` returns in the end.
    public init(_ function: @escaping @Sendable (Request) async throws -> Response) {
        self.function = { request in .pending { try await function(request) } }
    }

    /// A handler that answers with what `function` returns, which runs on the main actor.
    public init<Failure: Error>(_ function: @escaping @MainActor @Sendable (Request) throws(Failure) -> Response) {
        self.function = { request in .pending { try await function(request) } }
    }

    /// Calls the function.
    public func respond(to request: Request) throws -> HandlerResult {
        try function(request)
    }
}
