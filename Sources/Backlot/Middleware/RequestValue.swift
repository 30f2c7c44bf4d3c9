/// Finds a value for each request, such as the current user, before the handlers of a group: they read it by its key, without an optional.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// let knowsUser = RequestValue(CurrentUser.self) { request in
///     guard let user = try await users.find(request.bearerToken) else { throw StatusError(.unauthorized, "Please log in.") }
///     return user
/// }
/// router.group("/garden", knowsUser) { garden in
///     garden.get("/me") { request in try request[CurrentUser.self].name }
/// }
/// ```
public struct RequestValue: Middleware {
    private let attach: @Sendable (inout Request) async throws -> Void

    /// A value for each request.
    ///
    /// - Parameters:
    ///   - key: the name of the value: `request[key]`.
    ///   - find: makes the value. What it throws is the response.
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
    /// The value that a middleware has set under a key: `try request[CurrentUser.self]`. `attributes[key]` gives nil instead of an error, and sets
    /// values.
    ///
    /// - Throws: an error that the log names, and that clients see as 500, where no middleware before the route has set the value.
    public subscript<Key: RequestAttribute>(key: Key.Type) -> Key.Value {
        get throws {
            guard let value = attributes[key] else { throw MissingRequestValue(key: "\(key)") }
            return value
        }
    }
}

/// A handler reads a value that no middleware has set.
struct MissingRequestValue: Error, CustomStringConvertible {
    let key: String

    var description: String {
        "the request has no \(key): put the route in a group with a middleware that sets it, such as RequestValue(\(key).self) { … }"
    }
}
