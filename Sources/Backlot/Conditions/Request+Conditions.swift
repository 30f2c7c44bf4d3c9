public import BacklotHTTP
internal import HTTPTypes

extension Request {
    /// What the request's `If-Match`, `If-None-Match`, `If-Modified-Since` and `If-Unmodified-Since` ask for where the
    /// resource has these validators now.
    ///
    /// Ask before anything is changed, and only where the answer would be a success without them (RFC 9110, section 13.2.1).
    public func outcome(with validators: Validators) -> ConditionOutcome {
        guard let preconditions else { return .met }
        return preconditions.evaluate(validators, method)
    }

    /// The conditions of the request; nil where there are none, as mostly.
    var preconditions: Preconditions? {
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
