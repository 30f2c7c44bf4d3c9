import Backlot

/// Bytes that answer requests, with a tag by which clients and caches see that they haven't changed.
final class FlokiAnswer: Sendable {
    /// The types of answers.
    enum Content: String, Sendable {
        case json = "application/json"
        case html = "text/html; charset=utf-8"
    }

    let bytes: [UInt8]
    private let validators: Validators
    private let response: Response

    /// - Parameter address: that of the app, which is in the URLs that the bytes have. One that requests name is not a part of what shared
    ///   caches keep answers by (RFC 9111, section 5.2.2.7).
    init(_ content: Content, _ bytes: [UInt8], _ address: AppAddress) {
        self.bytes = bytes
        validators = Validators(eTag: ETag(String(ContentHash.text(of: bytes).prefix(32))))
        // Requests without the code of a language get the one that they accept.
        var headers: HTTPFields = [
            .contentType: content.rawValue, .vary: "Accept-Language", .eTag: validators.eTag?.description ?? "",
        ]
        if address == .ofRequest { headers[.cacheControl] = "private" }
        response = Response(headers: headers, body: .bytes(bytes))
    }

    /// The answer to a request: 304 when the client has these bytes.
    func response(to request: Request) -> Response {
        request.outcome(with: validators) == .met ? response : response.validated(by: validators, for: request)
    }
}
