internal import HTTPTypes

extension Response {
    /// The answer to an error that a handler threw: its status and fields, its reason as text/plain.
    ///
    /// The server makes it by itself. It is here for middleware that must add a field to such an answer.
    public init(_ error: any HTTPError) {
        self = .text(error.reason, status: error.status)
        headers.append(contentsOf: error.headers)
    }
}
