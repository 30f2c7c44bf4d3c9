/// Admits requests with a valid name and password (RFC 7617). Other requests get 401, so that browsers ask their users.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// router.group("/admin", BasicAuthentication(CurrentUser.self, realm: "Clinic") { try await users.find($0.user, $0.password) }) { admin in
///     admin.get("/report") { request in "For \(try request[CurrentUser.self].name)" }
/// }
/// ```
/// Clients send passwords unencrypted: use it over TLS only. Put a `RateLimit` before it against guessing.
public struct BasicAuthentication: Middleware {
    private let challenge: String
    private let admit: @Sendable (BasicCredentials, inout Request) async throws -> Bool

    /// Admits the users that `check` accepts.
    ///
    /// - Parameters:
    ///   - realm: the name of the protected area, which browsers may show: ASCII without quotation marks.
    ///   - check: whether a name and a password are right. Compare passwords by their hashes, or with
    ///     `BasicCredentials.matches(user:password:)`. An error that it throws becomes the response.
    public init(realm: String, check: @escaping @Sendable (BasicCredentials) async throws -> Bool) {
        challenge = Self.challenge(realm)
        admit = { credentials, _ in try await check(credentials) }
    }

    /// Admits the users that `find` returns, and attaches them to the request.
    ///
    /// - Parameters:
    ///   - key: the key of the attached user: `request.attributes[key]`.
    ///   - realm: the name of the protected area, which browsers may show: ASCII without quotation marks.
    ///   - find: the user with a name and a password; nil if they are wrong. An error that it throws becomes the response.
    public init<Key: RequestAttribute>(
        _ key: Key.Type,
        realm: String,
        find: @escaping @Sendable (BasicCredentials) async throws -> Key.Value?
    ) where Key: SendableMetatype {
        challenge = Self.challenge(realm)
        admit = { credentials, request in
            guard let user = try await find(credentials) else { return false }
            request.attributes[key] = user
            return true
        }
    }

    private static func challenge(_ realm: String) -> String { "Basic \(Realm.parameter(realm)), charset=\"UTF-8\"" }

    /// Passes a request with a valid user on.
    ///
    /// - Throws: `StatusError` with 401 for other requests; the errors of `next` and of the check.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard let credentials = request.basicCredentials else { throw refusal }
        return .pending {
            var request = request
            guard try await admit(credentials, &request) else { throw refusal }
            return try await next(request)
        }
    }

    private var refusal: StatusError {
        StatusError(.unauthorized, "a user's name and password are needed here", headers: [.wwwAuthenticate: challenge])
    }
}
