/// Lets in who sends a name and a password that are right (RFC 7617); others get 401 and are asked for them.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// router.group("/admin", BasicAuthentication(CurrentUser.self, realm: "Clinic") { try await users.find($0.user, $0.password) }) {
///     $0.get("/report") { request in .text("For \(request.attributes[CurrentUser.self]!.name)") }
/// }
/// ```
/// Passwords go over the wire as they are: use it over TLS alone. Put a `RateLimit` before it, against guessing.
public struct BasicAuthentication: Middleware {
    private let challenge: String
    private let admit: @Sendable (BasicCredentials, inout Request) async throws -> Bool

    /// Lets in whom `check` finds right.
    ///
    /// - Parameters:
    ///   - realm: what is protected, for the people who are asked: ASCII without quotation marks.
    ///   - check: whether a name and a password are right; compare passwords by their hashes, or by
    ///     `BasicCredentials.matches(user:password:)`. What it throws is the response.
    public init(realm: String, check: @escaping @Sendable (BasicCredentials) async throws -> Bool) {
        challenge = Self.challenge(realm)
        admit = { credentials, _ in try await check(credentials) }
    }

    /// Lets in whom `find` finds, and attaches that to the request.
    ///
    /// - Parameters:
    ///   - key: under which the user is attached: `request.attributes[key]`.
    ///   - realm: what is protected, for the people who are asked: ASCII without quotation marks.
    ///   - find: the user of a name and a password; nil where they are wrong. What it throws is the answer.
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

    /// Hands on a request whose user is let in.
    ///
    /// - Throws: `StatusError` with 401 for others; what `next` and the check throw.
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
