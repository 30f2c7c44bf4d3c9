public import BacklotHTTP
internal import HTTPTypes

extension Response {
    /// The answer with its validators, or what the request's conditions ask for in its place:
    /// `return page.validated(by: Validators(eTag: ETag(revision)), for: request)`.
    ///
    /// That is 304, when the client has the answer already, or 412. Where making the answer costs more than knowing its
    /// validators, look at `Request.outcome(with:)` first. Answers that are no success stay as they are.
    public func validated(by validators: Validators, for request: Request) -> Response {
        guard status.kind == .successful else { return self }
        var response = self
        if let tag = validators.eTag { response.headers[.eTag] = tag.description }
        if let date = validators.lastModified { response.headers[.lastModified] = date.description }
        switch request.outcome(with: validators) {
        case .met: return response
        case .notModified: return response.notModified()
        case .failed: return .preconditionFailed
        }
    }

    /// The answer to a request whose conditions are not met.
    static var preconditionFailed: Response {
        .text("the resource is not what If-Match or If-Unmodified-Since asks for\n", status: .preconditionFailed)
    }

    /// The same answer without its body, for a client that has it: of the fields that describe the body, only those remain by
    /// which a cache finds what it has (RFC 9110, section 15.4.5).
    func notModified() -> Response {
        var response = Response(status: .notModified, headers: headers)
        for name in Self.describingBody { response.headers[name] = nil }
        if response.headers.contains(.eTag) { response.headers[.lastModified] = nil }
        return response
    }

    private static let describingBody: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .acceptRanges,
        .xContentTypeOptions,
    ]
}
