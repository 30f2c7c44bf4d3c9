public import BacklotHTTP
public import HTTPTypes

/// What routes can be added to: a router, or a group of one.
public protocol Routes {
    /// Adds a route.
    func add(_ route: Route)

    /// Notes a mistake in what was registered: it keeps the server from starting.
    func report(_ problem: String, _ source: SourceLocation)
}

extension Routes {
    /// Adds a route for a method.
    public func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        let source = SourceLocation(file: file, line: line)
        add(Route(method, path, handler: FunctionHandler(handler), source: source))
    }

    /// Adds a route for GET, and with it HEAD.
    public func get(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        on(.get, path, file: file, line: line, handler)
    }

    /// Adds a route for POST.
    public func post(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        on(.post, path, file: file, line: line, handler)
    }

    /// Adds a route for PUT.
    public func put(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        on(.put, path, file: file, line: line, handler)
    }

    /// Adds a route for DELETE.
    public func delete(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        on(.delete, path, file: file, line: line, handler)
    }

    /// Adds routes that share the beginning of their paths, or some middlewares, or both.
    ///
    /// - Parameters:
    ///   - prefix: what stands before each path of the group, such as `/admin`; empty for nothing.
    ///   - middleware: what every request to the group passes, the first outermost.
    ///   - routes: adds the routes.
    public func group(_ prefix: String = "", _ middleware: any Middleware..., routes: (RouteGroup) -> Void) {
        routes(RouteGroup(parent: self, prefix: prefix, middlewares: middleware))
    }
}

/// Routes that share the beginning of their paths, and middlewares.
public struct RouteGroup: Routes {
    let parent: any Routes
    let prefix: String
    let middlewares: [any Middleware]

    /// Adds a route to the group.
    public func add(_ route: Route) {
        var route = route
        route.path = prefix.hasSuffix("/") ? prefix + route.path.dropFirst() : prefix + route.path
        route.handler = route.handler.wrapped(in: middlewares)
        parent.add(route)
    }

    /// Notes a mistake in what was registered: it keeps the server from starting.
    public func report(_ problem: String, _ source: SourceLocation) {
        parent.report(problem, source)
    }
}
