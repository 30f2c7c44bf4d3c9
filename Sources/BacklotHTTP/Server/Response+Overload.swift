internal import HTTPTypes

extension Response {
    /// The answer when there are too many requests in flight.
    static let tooManyRequests = Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])

    /// The answer when one client has too many connections.
    static var tooManyFromAddress: Response {
        var response = Response.text("there are too many connections from your address\n", status: .serviceUnavailable)
        response.headers[.retryAfter] = "1"
        return response
    }
}
