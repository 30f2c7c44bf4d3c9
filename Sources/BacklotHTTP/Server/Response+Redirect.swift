public import HTTPTypes

extension Response {
    /// An answer that sends the client somewhere else (RFC 9110, section 15.4).
    ///
    /// - Parameters:
    ///   - location: where to, as a URL reference: a path or a whole URL, percent-encoded.
    ///   - status: 302 unless said otherwise; 303 makes a GET of a POST, 307 and 308 keep the method.
    /// - Throws: `HeaderError` when the location has a byte that no header field can carry.
    public static func redirect(
        to location: String,
        status: HTTPResponse.Status = .found
    ) throws(HeaderError) -> Response {
        var response = Response(status: status)
        try response.headers.set(.location, to: location)
        return response
    }
}
