/// Decompresses the bodies of requests (RFC 9110, section 8.4): `router.use(Decompression())`.
///
/// It supports gzip and deflate (the zlib format), and two of them combined. Handlers see an uncompressed request: reading the body
/// decodes it, its limit counts decoded bytes, and `Content-Encoding` and `Content-Length` are removed.
///
/// Another coding gets 415 and an `Accept-Encoding` with the supported ones, before the body is read. A body gets 400 if it is
/// malformed, cut short, fails its checksum or continues after its end. It gets 413 if it is too large or grows too much.
///
/// ```swift
/// router.use(Decompression())
/// ```
public struct Decompression: Middleware {
    private let ratio: Int

    /// Decompression of requests.
    ///
    /// - Parameter ratio: the maximum ratio between a body and its compressed bytes, once it exceeds 64 KB. Text rarely reaches 20.
    ///   A ratio of 1000 is an attempt to exhaust the server.
    public init(ratio: Int = 100) {
        precondition(ratio >= 1, "ratio must be at least 1, but is \(ratio)")
        self.ratio = ratio
    }

    /// Passes the request on, decompressed.
    ///
    /// For an unsupported coding, the router responds with 415, unless the route handles such requests itself.
    ///
    /// - Throws: the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.hasField("content-encoding"), let encoding = request.headers[.contentEncoding] else {
            return try next.respond(to: request)
        }
        let decoded: Request
        do throws(ContentCodingError) {
            decoded = try request.inflated(try ContentEncoding(encoding), ratio: ratio)
        } catch {
            decoded = request.refusingBody(error)
        }
        return try next.respond(to: decoded)
    }
}
