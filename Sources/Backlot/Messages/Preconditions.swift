/// The conditions of a request (RFC 9110, section 13).
struct Preconditions: Equatable {
    var ifMatch: String?
    var ifUnmodifiedSince: String?
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    var ifRange: String?

    /// Evaluates the conditions for an existing resource with these validators, in the order of section 13.2.2. `If-Range` isn't
    /// included: see `allowsRange`.
    func evaluate(_ validators: Validators, _ method: HTTPRequest.Method) -> ConditionOutcome {
        let isReading = method == .get || method == .head
        if let ifMatch {
            guard ETagCondition(ifMatch).stronglyMatches(validators.eTag) else { return .failed }
        } else if let date = ifUnmodifiedSince.flatMap({ HTTPDate($0) }), let lastModified = validators.lastModified {
            guard lastModified <= date else { return .failed }
        }
        if let ifNoneMatch {
            if ETagCondition(ifNoneMatch).weaklyMatches(validators.eTag) { return isReading ? .notModified : .failed }
        } else if isReading, let date = ifModifiedSince.flatMap({ HTTPDate($0) }),
            let lastModified = validators.lastModified
        {
            if lastModified <= date { return .notModified }
        }
        return .met
    }

    /// Whether the response may be a range instead of the whole: the client has parts of exactly these bytes (section 13.1.5).
    ///
    /// - Parameter now: the current time. A date can't identify a state within its own second: more may have changed since.
    func allowsRange(_ validators: Validators, now: HTTPDate) -> Bool {
        guard let ifRange else { return true }
        if let tag = ETag(parsing: ifRange) { return validators.eTag.map(tag.stronglyMatches) ?? false }
        guard let date = HTTPDate(ifRange, now: now), let lastModified = validators.lastModified else { return false }
        return date == lastModified && lastModified < now
    }
}

/// The outcome of a request with conditions.
public enum ConditionOutcome: Equatable, Sendable {
    /// The request is carried out.
    case met
    /// The response is 304: the client has the current state.
    case notModified
    /// The response is 412: the resource isn't in the state that the client expects.
    case failed
}

/// The marks of a resource's state (RFC 9110, section 8.8). A response sends them, and the conditions of later requests are
/// compared with them.
public struct Validators: Equatable, Sendable {
    /// The entity tag.
    public var eTag: ETag?
    /// The time of the resource's last change. Beside a tag, only old caches need it.
    public var lastModified: HTTPDate?

    /// Validators: a tag, a date, both or neither.
    public init(eTag: ETag? = nil, lastModified: HTTPDate? = nil) {
        self.eTag = eTag
        self.lastModified = lastModified
    }
}

extension Request {
    /// The outcome of `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since` for a resource with these
    /// validators.
    ///
    /// Call it before any change, and only if the response would be a success without the conditions (RFC 9110, section 13.2.1).
    public func outcome(with validators: Validators) -> ConditionOutcome {
        guard let preconditions else { return .met }
        return preconditions.evaluate(validators, method)
    }

    /// The conditions of the request; nil for most requests.
    var preconditions: Preconditions? {
        guard hasField(beginningWith: "if-") else { return nil }
        let headers = headers
        let conditions = Preconditions(
            ifMatch: headers[.ifMatch],
            ifUnmodifiedSince: headers[.ifUnmodifiedSince],
            ifNoneMatch: headers[.ifNoneMatch],
            ifModifiedSince: headers[.ifModifiedSince],
            ifRange: headers[.ifRange]
        )
        return conditions == Preconditions() ? nil : conditions
    }
}

extension Response {
    /// The response with its validators, or 304 or 412 if the request's conditions require that:
    /// `return page.validated(by: Validators(eTag: ETag(revision)), for: request)`.
    ///
    /// A client that has the response already gets 304. If making the response costs more than knowing its validators, check
    /// `Request.outcome(with:)` first. Responses with a status other than 2xx don't change.
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

    /// The response to a request with unmet conditions.
    static var preconditionFailed: Response {
        .text("the resource is not what If-Match or If-Unmodified-Since asks for\n", status: .preconditionFailed)
    }

    /// The same response without its body, for a client that has it. Of the fields that describe the body, only the validators
    /// remain, which caches need (RFC 9110, section 15.4.5).
    func notModified() -> Response {
        var headers = headers
        for name in Self.describingBody { headers[name] = nil }
        if headers.contains(.eTag) { headers[.lastModified] = nil }
        return Response(notModified: self, headers: headers)
    }

    private static let describingBody: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .acceptRanges,
        .xContentTypeOptions,
    ]
}
