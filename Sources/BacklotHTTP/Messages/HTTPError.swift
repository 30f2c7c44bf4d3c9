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

extension Response {
    /// The answer to an error that a handler threw: its status and fields, its reason as text/plain.
    ///
    /// The server makes this response for any `HTTPError` that is thrown. Call it in middleware that must add a field
    /// to it.
    public init(_ error: any HTTPError) {
        self = .text(error.reason, status: error.status)
        headers.append(contentsOf: error.headers)
    }
}

/// An unexpected error that is in the log already: the server answers it with 500, and doesn't log it again.
package struct LoggedError: Error {
    package let error: any Error

    package init(_ error: any Error) {
        self.error = error
    }
}
