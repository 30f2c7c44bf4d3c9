/// The conditions under which a request is to be carried out (RFC 9110, section 13).
struct Preconditions: Equatable {
    var ifMatch: String?
    var ifUnmodifiedSince: String?
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    var ifRange: String?

    /// Whether the request is to be carried out on a resource that exists and has these validators, in the order of section
    /// 13.2.2. `If-Range` is not among it: see `allowsRange`.
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

    /// Whether a range may be answered, rather than the whole: the client has parts of just these bytes (section 13.1.5).
    ///
    /// - Parameter now: the time now. A date says nothing about a second that isn't over: more may have changed in it.
    func allowsRange(_ validators: Validators, now: HTTPDate) -> Bool {
        guard let ifRange else { return true }
        if let tag = ETag(parsing: ifRange) { return validators.eTag.map(tag.stronglyMatches) ?? false }
        guard let date = HTTPDate(ifRange, now: now), let lastModified = validators.lastModified else { return false }
        return date == lastModified && lastModified < now
    }
}

/// What becomes of a request with conditions.
public enum ConditionOutcome: Equatable, Sendable {
    /// It is carried out.
    case met
    /// It is answered with 304: the client has what it would get.
    case notModified
    /// It is answered with 412: the resource isn't what the client takes it for.
    case failed
}

/// What tells one state of a resource from another (RFC 9110, section 8.8): sent with an answer, and compared with the
/// conditions of later requests.
public struct Validators: Equatable, Sendable {
    /// The entity tag.
    public var eTag: ETag?
    /// When the resource was changed last. Where there is a tag, clients need it only for caches of old.
    public var lastModified: HTTPDate?

    /// Validators: a tag, a date, both, or none.
    public init(eTag: ETag? = nil, lastModified: HTTPDate? = nil) {
        self.eTag = eTag
        self.lastModified = lastModified
    }
}

extension Request {
    /// What the request's `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since` ask for where the
    /// resource has these validators now.
    ///
    /// Ask before anything is changed, and only where the answer would be a success without them (RFC 9110, section 13.2.1).
    public func outcome(with validators: Validators) -> ConditionOutcome {
        guard let preconditions else { return .met }
        return preconditions.evaluate(validators, method)
    }

    /// The conditions of the request; nil for most requests, which have none.
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
    /// The answer with its validators, or what the request's conditions ask for in its place:
    /// `return page.validated(by: Validators(eTag: ETag(revision)), for: request)`.
    ///
    /// That is 304, when the client has the answer already, or 412. Where making the answer costs more than knowing its
    /// validators, look at `Request.outcome(with:)` first. Answers with a status other than 2xx don't change.
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
