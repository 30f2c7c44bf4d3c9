public import BacklotHTTP
public import HTTPTypes

/// Answers a request with a status and a text: `throw StatusError(.forbidden, "Please log in.")`.
public struct StatusError: HTTPError, Equatable {
    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// The body of the answer, as text/plain in UTF-8.
    public var reason: String
    /// Further fields of the answer.
    public var headers: HTTPFields

    /// An answer with a status and a text that says what is wrong and what to do.
    public init(_ status: HTTPResponse.Status, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}
