/// An error that becomes a response with a status and a text: `throw StatusError(.forbidden, "Please log in.")`.
///
/// ```swift
/// router.get("/office") { _ in throw StatusError(.forbidden, "Only for the office.") }
/// ```
public struct StatusError: HTTPError, Equatable {
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// The body of the response, as text/plain in UTF-8.
    public var reason: String
    /// Further fields of the response.
    public var headers: HTTPFields

    /// Creates an error with a status and a text with the problem and its solution.
    public init(_ status: HTTPResponse.Status, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}

extension StatusError {
    /// The 404 for an unknown path. Paths that are closed to a client look the same, so that it can't detect them.
    package static func nothingResponds(at path: String) -> StatusError {
        StatusError(.notFound, "nothing answers at \(path)")
    }

    /// The error for a method that the path doesn't support (RFC 9110, section 15.5.6).
    static func methodNotAllowed(_ method: HTTPRequest.Method, allowed: String) -> StatusError {
        let reason = "\(method) is not answered here; allowed: \(allowed)"
        return StatusError(.methodNotAllowed, reason, headers: [.allow: allowed])
    }
}

/// The user's input isn't acceptable: 422, with a text that a mobile client shows to the user.
///
/// Applin clients show the first 1,000 characters.
///
/// ```swift
/// app.rpc("/save") { request in
///     let name = try await request.variables().value("name", as: String.self)
///     guard name.count > 2 else { throw UserError("Please write 3 characters or more.") }
/// }
/// ```
public struct UserError: HTTPError, Equatable {
    /// The text for the user.
    public var reason: String

    /// Creates an error with a text for the user.
    public init(_ message: String) { reason = message }

    /// 422.
    public var status: HTTPResponse.Status { .unprocessableContent }
}

/// All mistakes in the router's set-up at once: duplicate routes, malformed paths, missing folders.
public struct StartupError: Error, Equatable, CustomStringConvertible {
    /// The mistakes, each with its location.
    public let problems: [String]

    package init(problems: [String]) { self.problems = problems }

    /// All mistakes, one per line.
    public var description: String {
        let count = problems.count == 1 ? "a mistake" : "\(problems.count) mistakes"
        return "can't start, because of \(count):\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}

extension HTTPResponse.Status {
    /// The status with a code, and with its standard reason phrase if it has one (RFC 9110, section 15). A status from a code alone
    /// has no phrase.
    ///
    /// - Parameter code: 200 to 599.
    public static func standard(_ code: Int) -> HTTPResponse.Status {
        all.first { $0.code == code } ?? HTTPResponse.Status(code: code)
    }

    /// The status with this code, which a file's tag may have filled in; 500 unless it is one of an error.
    package static func ofError(_ code: Int64) -> HTTPResponse.Status {
        400...599 ~= code ? standard(Int(code)) : .internalServerError
    }

    private static let all: [HTTPResponse.Status] = [
        .ok, .created, .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent,
        .multipleChoices, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect, .permanentRedirect,
        .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone, .lengthRequired, .preconditionFailed,
        .contentTooLarge, .uriTooLong, .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed,
        .misdirectedRequest, .unprocessableContent, .tooEarly, .upgradeRequired, .preconditionRequired,
        .tooManyRequests,
        .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError, .notImplemented, .badGateway,
        .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported, .networkAuthenticationRequired,
    ]
}
