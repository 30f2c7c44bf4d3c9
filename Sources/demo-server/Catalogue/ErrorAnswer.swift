import Backlot

/// An answer that is an error, of the status that somebody has asked for.
enum ErrorAnswer {
    /// The errors that have a name.
    private static let named: [HTTPResponse.Status] = [
        .notModified, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .requestTimeout, .conflict, .gone, .contentTooLarge, .unsupportedMediaType, .unprocessableContent,
        .tooManyRequests, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

    /// The status with its name, such as `Not Found`, if it has one.
    static func status(_ code: Int) -> HTTPResponse.Status {
        named.first { $0.code == code } ?? HTTPResponse.Status(code: code)
    }

    /// The answer: text/plain with a text that says the status, but for 304 and 503, which have no body.
    ///
    /// - Parameter code: 304, or 400 to 599, in digits.
    /// - Throws: `StatusError` with 404 for anything else.
    static func response(for code: String) throws -> Response {
        guard let code = Int(code), code == 304 || (400...599).contains(code) else {
            throw StatusError(.notFound, "there is no error '\(code.prefix(20))': ask for 304, or for 400 to 599")
        }
        let status = status(code)
        switch code {
        case 304:
            return Response(status: status)
        case 503:
            return Response(status: status, headers: [.retryAfter: "10"])
        case 429:
            var response = Response.text(text(status), status: status)
            response.headers[.retryAfter] = "10"
            return response
        default:
            return .text(text(status), status: status)
        }
    }

    private static func text(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 403: "You may not see this. (403 on demand: this text is for the user.)"
        case 422: "What you entered can't be used. (422 on demand: this text is for the user.)"
        default: "\(status) on demand: this text is for the client's developer."
        }
    }
}
