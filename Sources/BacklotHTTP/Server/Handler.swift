/// What answers requests: a router, or anything else.
public protocol Handler: Sendable {
    /// Called once before the server listens; nothing, unless a handler defines it.
    ///
    /// - Throws: what makes it pointless to serve. The server doesn't start then.
    func prepare() throws

    /// Answers one request.
    ///
    /// It is called on the event loop of the request's connection and resumes there after each `await`. Don't block in
    /// it; `Blocking.run` is for that.
    ///
    /// - Throws: an `HTTPError` is answered with its status and reason as text/plain, any other error with 500.
    func handle(_ request: Request) async throws -> Response

    /// Answers a request without suspending, where that can be done; nil where it can't, and `handle` is called then.
    ///
    /// It spares the task that `handle` needs: an eighth of the instructions of a small page. Nothing may have been done
    /// when it returns nil.
    ///
    /// - Throws: as `handle`.
    func answerAtOnce(_ request: Request) throws -> Response?
}

extension Handler {
    /// Does nothing.
    public func prepare() throws {}

    /// nil: most handlers may suspend.
    public func answerAtOnce(_ request: Request) throws -> Response? { nil }
}

/// A handler that is a function.
public struct FunctionHandler: Handler {
    private let function: @Sendable (Request) async throws -> Response

    /// A handler that answers with what `function` returns.
    public init(_ function: @escaping @Sendable (Request) async throws -> Response) {
        self.function = function
    }

    /// Calls the function.
    public func handle(_ request: Request) async throws -> Response {
        try await function(request)
    }
}
