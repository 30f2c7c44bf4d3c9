public import HTTPTypes

/// An error that knows how it is answered. Any other error that a handler throws is answered with 500.
public protocol HTTPError: Error, Sendable {
    /// The status of the answer.
    var status: HTTPResponse.Status { get }
    /// The body of the answer, as text/plain: what is wrong, and what to do about it.
    var reason: String { get }
    /// Further fields of the answer, such as `Allow` or `Retry-After`.
    var headers: HTTPFields { get }
}

extension HTTPError {
    /// No further fields.
    public var headers: HTTPFields { HTTPFields() }
}
