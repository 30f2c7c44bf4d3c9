public import BacklotHTTP

/// Something that may answer where no route does, such as a folder of files.
public protocol Fallback: Sendable {
    /// Answers a request, or returns nil to let the next fallback, or 404, do so.
    func answer(_ request: Request) async throws -> Response?
}
