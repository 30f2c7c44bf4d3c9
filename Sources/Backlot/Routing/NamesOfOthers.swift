// Names in Hummingbird and Vapor for parts that have other names here. The compiler points to the right name.

extension Router {
    /// Hummingbird's name.
    @available(*, unavailable, renamed: "use(_:)")
    public func add(middleware: any Middleware) { use(middleware) }

    /// Hummingbird's WebSockets.
    @available(*, unavailable, message: "write router.webSocket(path) { request, socket in … }")
    public func ws(_ path: String, onUpgrade: (Any, Any, Any) async throws -> Void) {}
}

extension Request {
    /// Hummingbird's name.
    @available(*, unavailable, message: "write request.path, request.query(\"name\") or request.queryParameters")
    public var uri: Request { self }

    /// Hummingbird's name.
    @available(*, unavailable, renamed: "json(as:)")
    public func decode<Value: Decodable>(as type: Value.Type, context: Any) async throws -> Value {
        try await json(as: type)
    }

    /// Vapor's name.
    @available(*, unavailable, renamed: "json(as:)")
    public func decode<Value: Decodable>(_ type: Value.Type) async throws -> Value { try await json(as: type) }
}

extension PathParameters {
    /// Hummingbird's and Vapor's name.
    @available(
        *,
        unavailable,
        message: "write request.parameters[\"id\"], or try request.parameter(\"id\", as: Int.self)"
    )
    public func get(_ name: String) -> String? { self[name] }

    /// Hummingbird's name.
    @available(*, unavailable, message: "write try request.parameter(\"id\", as: Int.self)")
    public func require(_ name: String) throws -> String { self[name] ?? "" }

    /// Hummingbird's name.
    @available(*, unavailable, message: "write try request.parameter(\"id\", as: Int.self)")
    public func require<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = Value(self[name] ?? "") else { throw MissingParameter(name: name) }
        return value
    }
}

extension Session {
    /// Hummingbird's `context.parameters`. Here the second value of a handler is the session.
    @available(*, unavailable, message: "write request.parameters, or try request.parameter(\"id\", as: Int.self)")
    public var parameters: PathParameters { .none }
}

/// Hummingbird's name.
@available(*, unavailable, renamed: "SetCookie")
public typealias Cookie = SetCookie

extension SetCookie {
    /// Hummingbird's name.
    @available(*, unavailable, message: "write try SetCookie(\"name\", \"value\", isSecure: request.isSecure)")
    public init(name: String, value: String) throws { try self.init(name, value, isSecure: true) }
}
