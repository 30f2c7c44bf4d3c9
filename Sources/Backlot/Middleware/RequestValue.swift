/// Finds a value for each request, such as the current user, before the handlers of a group. They read it by its key, without an
/// optional.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// let knowsUser = RequestValue(CurrentUser.self) { request in
///     guard let user = try await users.find(token: request.bearerToken) else { throw StatusError(.unauthorized, "Please log in.") }
///     return user
/// }
/// router.group("/garden", knowsUser) { garden in
///     garden.get("/me") { request in try request[CurrentUser.self].name }
/// }
/// ```
public struct RequestValue: Middleware {
    private let attach: @Sendable (inout Request) async throws -> Void

    /// Creates a value for each request.
    ///
    /// - Parameters:
    ///   - key: the key of the value: `request[key]`.
    ///   - find: makes the value. An error that it throws becomes the response.
    public init<Key: RequestAttribute>(
        _ key: Key.Type,
        find: @escaping @Sendable (Request) async throws -> Key.Value
    ) where Key: SendableMetatype {
        attach = { request in request.attributes[key] = try await find(request) }
    }

    /// Finds the value, and calls `next` with it.
    public func respond(to request: Request, next: any Handler) -> HandlerResult {
        .pending {
            var request = request
            try await attach(&request)
            return try await next(request)
        }
    }
}

extension Request {
    /// The value that a middleware has set for a key: `try request[CurrentUser.self]`. `attributes[key]` returns nil instead of an
    /// error, and can set values.
    ///
    /// - Throws: an error, which clients see as 500 and the log explains, if no middleware before the route has set the value.
    public subscript<Key: RequestAttribute>(key: Key.Type) -> Key.Value {
        get throws {
            guard let value = attributes[key] else { throw MissingRequestValue(key: "\(key)") }
            return value
        }
    }
}

/// The error of a handler that reads a value without a middleware that sets it.
struct MissingRequestValue: Error, CustomStringConvertible {
    let key: String

    var description: String {
        "the request has no \(key): put the route in a group with a middleware that sets it, such as RequestValue(\(key).self) { … }"
    }
}
