public import BacklotHTTP

/// Something that may answer where no route does, such as a folder of files.
public protocol Fallback: Sendable {
    /// Answers a request, or leaves it to the next fallback, or to 404.
    ///
    /// - Throws: as `Handler.answer`.
    func answer(_ request: Request) throws -> FallbackAnswer
}

/// What a fallback makes of a request.
public enum FallbackAnswer: Sendable {
    /// The response is there.
    case ready(Response)
    /// Leaves the request to the next fallback.
    case nothing
    /// It takes work that may suspend to know the response. nil leaves the request to the next fallback.
    case pending(@Sendable () async throws -> Response?)
}
