public import BacklotHTTP
public import HTTPTypes

/// The store of the sessions can't be reached, or refused to work: 503, with the time after which to try again. The log
/// says why.
public struct SessionStoreError: HTTPError, Equatable {
    /// When to try again, in seconds.
    public var retryAfter: Int

    /// 503.
    public var status: HTTPResponse.Status { .serviceUnavailable }
    /// Nothing: clients of the protocols expect no body with 503.
    public var reason: String { "" }
    /// `Retry-After` (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { [.retryAfter: "\(retryAfter)"] }
}
