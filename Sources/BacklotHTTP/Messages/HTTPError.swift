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

/// An unexpected error with what is known of it already. The server responds with 500.
package struct UnexpectedError: Error {
    /// The error that a handler threw.
    package let cause: any Error
    /// Whether it is in the log.
    let isLogged: Bool
    /// The response, without details of the error; nil for the server's own.
    let response: Response?

    /// - Parameter error: may be one of this type: then what is known of it stays.
    package init(_ error: any Error, isLogged: Bool = false, response: Response? = nil) {
        let known = error as? UnexpectedError
        cause = known?.cause ?? error
        self.isLogged = isLogged || known?.isLogged ?? false
        self.response = response ?? known?.response
    }
}
