public import BacklotHTTP

/// Something that may answer where no route does, such as a folder of files.
public protocol Fallback: Sendable {
    /// Answers a request, or returns nil to let the next fallback, or 404, do so.
    func answer(_ request: Request) async throws -> Response?

    /// Answers a request without suspending, where that can be done; otherwise as `Handler.answerAtOnce`.
    func answerAtOnce(_ request: Request) throws -> FallbackAnswer
}

extension Fallback {
    /// Not known: most may suspend.
    public func answerAtOnce(_ request: Request) throws -> FallbackAnswer { .unknown }
}

/// What a fallback says of a request at once.
public enum FallbackAnswer: Sendable {
    /// This is the answer.
    case response(Response)
    /// The answer is another's affair.
    case nothing
    /// It takes `answer` to say it.
    case unknown
}
