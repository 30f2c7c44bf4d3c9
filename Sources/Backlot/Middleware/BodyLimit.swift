/// Sets the largest body of a request, in place of the server's (`ServerConfiguration.Limits.body`):
/// `router.with(BodyLimit(20_000_000)).post("/photos") { … }`. Of several the innermost counts.
///
/// A larger body is answered with 413 (RFC 9110, section 15.5.14) as soon as the handler asks for it, where the client
/// has said its length, and otherwise when the handler has read that much.
public struct BodyLimit: Middleware {
    private let bytes: Int

    /// A limit.
    ///
    /// - Parameter bytes: the largest body that is taken, in bytes, once it is decompressed.
    public init(_ bytes: Int) {
        precondition(bytes >= 0, "the limit must not be negative, but is \(bytes)")
        self.bytes = bytes
    }

    /// Hands the request on.
    ///
    /// - Throws: what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        var request = request
        request.body.limit = bytes
        return try next.respond(to: request)
    }
}
