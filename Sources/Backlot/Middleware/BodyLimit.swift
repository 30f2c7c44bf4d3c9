/// Sets the maximum size of request bodies, in place of the server's limit (`ServerConfiguration.Limits.body`):
/// `router.with(BodyLimit(20_000_000)).post("/photos") { … }`. Of several, the innermost applies.
///
/// A larger body gets 413 (RFC 9110, section 15.5.14): as soon as the handler reads it, if the client has sent its length, and
/// otherwise when the handler has read that much.
///
/// ```swift
/// router.with(BodyLimit(20_000_000)).post("/photos") { request in
///     "\(try await request.body.save(to: "photo.jpg")) bytes"
/// }
/// ```
public struct BodyLimit: Middleware {
    private let bytes: Int

    /// Creates a limit.
    ///
    /// - Parameter bytes: the maximum size of a body after decompression, in bytes.
    public init(_ bytes: Int) {
        precondition(bytes >= 0, "the limit must not be negative, but is \(bytes)")
        self.bytes = bytes
    }

    /// Passes the request on.
    ///
    /// - Throws: the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        var request = request
        request.body.limit = bytes
        return try next.respond(to: request)
    }
}
