/// Decompresses the bodies of requests (RFC 9110, section 8.4): `router.use(Decompression())`.
///
/// gzip and deflate (the zlib format) are understood, and two of them on top of each other. Handlers see the request as it would
/// have been without: the body is decoded while it is read, its limit counts decoded bytes, and there are no
/// `Content-Encoding` and `Content-Length`. Another coding is answered with 415 and an `Accept-Encoding` that says what is
/// understood, before the body is read. Reading a body throws what is answered with 400 when it is malformed, cut short,
/// fails its checksum or goes on after its end, and with 413 when it is too large or grows too much.
public struct Decompression: Middleware {
    private let ratio: Int

    /// Decompression of requests.
    ///
    /// - Parameter ratio: how many times as large as its compressed bytes a body may become, once it has more than 64 KB.
    ///   Text rarely reaches 20. What reaches 1000 is made to exhaust a server.
    public init(ratio: Int = 100) {
        precondition(ratio >= 1, "ratio must be at least 1, but is \(ratio)")
        self.ratio = ratio
    }

    /// Hands the request on, decompressed.
    ///
    /// With a coding that is not understood, the router answers 415, unless the route answers such requests in its own way.
    ///
    /// - Throws: what `next` throws.
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
