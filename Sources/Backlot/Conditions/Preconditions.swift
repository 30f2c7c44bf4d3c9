internal import BacklotHTTP
internal import HTTPTypes

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
