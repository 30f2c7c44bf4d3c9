/// A value as the response of a route, with its status and header fields.
///
/// ```swift
/// router.post("/plots", body: NewPlot.self, status: .created) { new, request in
///     let plot = try await garden.add(new)
///     return JSONResponse(plot, status: .created, headers: [.location: "/plots/\(plot.id)"])
/// }
/// ```
public struct JSONResponse<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The body.
    public var value: Value
    /// The status; nil for the route's.
    public var status: HTTPResponse.Status?
    /// Further fields of the response.
    public var headers: HTTPFields

    /// Creates a value with its status and fields.
    public init(_ value: Value, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]) {
        self.value = value
        self.status = status
        self.headers = headers
    }

    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// Routes with handlers that return a value. The server sends it as JSON, like `Response.json(_:status:)`, a `String` as plain
/// text, and nil as 404. `router.openAPI(title:version:)` describes these routes.
extension RouteVerb {
    /// Adds a route with a handler that returns a value: `router.get("/plots") { _ in try await garden.plots() }`.
    ///
    /// - Parameters:
    ///   - path: as for any route.
    ///   - summary: the route's purpose, for OpenAPI.
    ///   - status: the status of the response.
    ///   - handler: makes the value.
    public func callAsFunction<Value: Encodable & Sendable>(
        _ path: String,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Value
    ) {
        let operation = RouteOperation(Value.self, summary, status)
        add(path, FunctionHandler { try status.response(with: try await handler($0), to: $0) }, file, line, operation)
    }

    /// Adds a route with a handler that returns a value and never suspends.
    public func callAsFunction<Value: Encodable & Sendable>(
        _ path: String,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Value
    ) {
        let operation = RouteOperation(Value.self, summary, status)
        add(path, FunctionHandler { try status.response(with: try handler($0), to: $0) }, file, line, operation)
    }

    /// Adds a route with a handler that returns a value and runs on the main actor.
    public func callAsFunction<Value: Encodable & Sendable, Failure: Error>(
        _ path: String,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Request) throws(Failure) -> Value
    ) {
        let operation = RouteOperation(Value.self, summary, status)
        add(path, FunctionHandler { try status.response(with: try await handler($0), to: $0) }, file, line, operation)
    }

    /// Adds a route with a handler that takes the session and returns a value.
    public func callAsFunction<Value: Encodable & Sendable>(
        _ path: String,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request, Session) async throws -> Value
    ) {
        let operation = RouteOperation(Value.self, summary, status)
        let respond = { @Sendable (request: Request) async throws -> Response in
            try status.response(with: try await handler(request, request.session), to: request)
        }
        add(path, FunctionHandler(respond), file, line, operation)
    }

    /// Adds a route with a handler that takes a JSON body, decoded like `Request.json(as:)`, and returns a value:
    /// `router.post("/plots", body: NewPlot.self) { new, request in … }`.
    ///
    /// ```swift
    /// router.post("/plots", body: NewPlot.self, status: .created) { new, _ in try await garden.add(new) }
    /// ```
    public func callAsFunction<Body: Decodable & Sendable, Value: Encodable & Sendable>(
        _ path: String,
        body: Body.Type,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Body, Request) async throws -> Value
    ) {
        var operation = RouteOperation(Value.self, summary, status)
        operation.body = { $0.schema(of: Body.self) }
        let respond = { @Sendable (request: Request) async throws -> Response in
            try status.response(with: try await handler(request.json(as: body), request), to: request)
        }
        add(path, FunctionHandler(respond), file, line, operation)
    }

    /// Adds a route with a handler that takes the query parameters, decoded like `Request.query(as:)`, and returns a value:
    /// `router.get("/plots", query: Filter.self) { filter, request in … }`.
    ///
    /// ```swift
    /// struct Filter: Decodable, Sendable { var id: Int }
    /// router.get("/plots", query: Filter.self) { filter, _ in try await garden.plot(filter.id) }
    /// ```
    public func callAsFunction<Query: Decodable & Sendable, Value: Encodable & Sendable>(
        _ path: String,
        query: Query.Type,
        summary: String? = nil,
        status: HTTPResponse.Status = .ok,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Query, Request) async throws -> Value
    ) {
        var operation = RouteOperation(Value.self, summary, status)
        operation.query = { $0.properties(of: Query.self) }
        let respond = { @Sendable (request: Request) async throws -> Response in
            try status.response(with: try await handler(request.query(as: query), request), to: request)
        }
        add(path, FunctionHandler(respond), file, line, operation)
    }
}

extension HTTPResponse.Status {
    /// The response for a handler's value.
    fileprivate func response(with value: some Encodable, to request: Request) throws -> Response {
        if let value = value as? any StatusedValue {
            var response = try (value.status ?? self).response(with: value.value, to: request)
            response.headers.append(contentsOf: value.headers)
            return response
        }
        if let value = value as? any OptionalType {
            guard let some = value.some else { throw StatusError.nothingResponds(at: request.path) }
            return try response(with: some, to: request)
        }
        if let text = value as? String { return .text(text, status: self) }
        return try .json(value, status: self)
    }
}

/// ``JSONResponse`` of any type.
protocol StatusedValue {
    associatedtype Value: Encodable
    var value: Value { get }
    var status: HTTPResponse.Status? { get }
    var headers: HTTPFields { get }
}

extension JSONResponse: StatusedValue {}
