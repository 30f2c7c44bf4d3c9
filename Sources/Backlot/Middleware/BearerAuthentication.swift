/// Admits requests with a valid token (RFC 6750): `Authorization: Bearer TOKEN`.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// router.group("/api", BearerAuthentication(CurrentUser.self, realm: "Clinic") { try await users.find(token: $0) }) { api in
///     api.get("/me") { request in try request[CurrentUser.self].name }
/// }
/// ```
/// Other requests get the responses of RFC 6750, section 3.1: 401 without a token, 401 and `invalid_token` with an invalid one, 400
/// and `invalid_request` with a malformed token or two tokens. A handler that needs more than the token permits throws
/// `BearerError.insufficientScope`.
public struct BearerAuthentication: Middleware {
    private let challenge: String
    private let admit: @Sendable (String, inout Request) async throws -> Bool

    /// Admits the users that `find` returns, and attaches them to the request.
    ///
    /// - Parameters:
    ///   - key: the key of the attached user: `request.attributes[key]`.
    ///   - realm: the name of the protected area: ASCII without quotation marks.
    ///   - find: the user of a token; nil for an invalid or expired token. Compare tokens by their hashes. An error that it throws
    ///     becomes the response, such as `BearerError`.
    public init<Key: RequestAttribute>(
        _ key: Key.Type,
        realm: String,
        find: @escaping @Sendable (String) async throws -> Key.Value?
    ) where Key: SendableMetatype {
        challenge = "Bearer \(Realm.parameter(realm))"
        admit = { token, request in
            guard let user = try await find(token) else { return false }
            request.attributes[key] = user
            return true
        }
    }

    /// Passes a request with a valid user on.
    ///
    /// - Throws: `StatusError` with 401 without a token; `BearerError` for an invalid one; the errors of `next` and of the check.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let token: String
        switch Authorization(of: request) {
        case .credentials("bearer", let text):
            guard Authorization.isBearerToken(text) else {
                throw BearerError.invalidRequest("the text after Bearer can't be a token")
            }
            token = text
        case .malformed: throw BearerError.invalidRequest("one Authorization field is needed, such as Bearer TOKEN")
        // No error code if the client didn't know that it needs a token (RFC 6750, section 3.1).
        case .none, .credentials:
            throw StatusError(.unauthorized, "a token is needed here", headers: [.wwwAuthenticate: challenge])
        }
        return .pending {
            var request = request
            guard try await admit(token, &request) else { throw BearerError.invalidToken("the token isn't good") }
            return try await next(request)
        }
    }
}

/// The reasons for refusing a request with a token (RFC 6750, section 3.1).
public enum BearerError: HTTPError, Equatable {
    /// The request is malformed: 400.
    case invalidRequest(String)
    /// The token has expired, was revoked, or is wrong: 401. The text gives the reason.
    case invalidToken(String)
    /// The request needs more than the token permits: 403. The scopes are the required ones.
    case insufficientScope([String])

    /// The status of the response.
    public var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest: .badRequest
        case .invalidToken: .unauthorized
        case .insufficientScope: .forbidden
        }
    }

    /// One line for the client.
    public var reason: String {
        switch self {
        case .invalidRequest(let text), .invalidToken(let text): text
        case .insufficientScope(let scopes): "the token doesn't allow this: it needs \(scopes.joined(separator: ", "))"
        }
    }

    /// `WWW-Authenticate`, with the error's code.
    public var headers: HTTPFields {
        let code =
            switch self {
            case .invalidRequest: "invalid_request"
            case .invalidToken: "invalid_token"
            case .insufficientScope: "insufficient_scope"
            }
        var challenge = "Bearer error=\"\(code)\", error_description=\"\(Self.plain(reason))\""
        if case .insufficientScope(let scopes) = self {
            challenge += ", scope=\"\(Self.plain(scopes.joined(separator: " ")))\""
        }
        return [.wwwAuthenticate: challenge]
    }

    /// The characters that a description may have (RFC 6750, section 3).
    private static func plain(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            let isPlain = (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\"
            result.unicodeScalars.append(isPlain ? scalar : "?")
        }
    }
}
