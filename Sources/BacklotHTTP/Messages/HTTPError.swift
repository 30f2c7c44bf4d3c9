public import HTTPTypes

/// An error that determines its response. Any other error thrown by a handler results in a 500.
public protocol HTTPError: Error, Sendable {
    /// The status of the response.
    var status: HTTPResponse.Status { get }
    /// The body of the response, as text/plain: the problem, and how to fix it.
    var reason: String { get }
    /// Additional fields of the response, such as `Allow` or `Retry-After`.
    var headers: HTTPFields { get }
}

extension HTTPError {
    /// No additional fields.
    public var headers: HTTPFields { HTTPFields() }
}

extension Response {
    /// The response to an error thrown by a handler: its status and fields, with its reason as text/plain.
    ///
    /// The server creates this response for any thrown `HTTPError`. Call this initializer in middleware that must add a field to
    /// it.
    public init(_ error: any HTTPError) {
        self = .text(error.reason, status: error.status)
        headers.append(contentsOf: error.headers)
    }
}

/// An unexpected error, with the information gathered about it. The server responds with 500.
package struct UnexpectedError: Error {
    /// The error that a handler threw.
    package let cause: any Error
    /// Whether the error has already been logged.
    let isLogged: Bool
    /// The response, without details of the error; nil for the server's own.
    let response: Response?

    /// - Parameter error: may itself be an `UnexpectedError`. Its information is then kept.
    package init(_ error: any Error, isLogged: Bool = false, response: Response? = nil) {
        let known = error as? UnexpectedError
        cause = known?.cause ?? error
        self.isLogged = isLogged || known?.isLogged ?? false
        self.response = response ?? known?.response
    }
}
