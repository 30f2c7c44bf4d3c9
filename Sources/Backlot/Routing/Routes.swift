/// What routes can be added to: a router, or a group of one.
public protocol Routes {
    /// Adds a route.
    func add(_ route: Route)

    /// Adds a page to those that `check` requests.
    func add(_ page: CheckablePage)

    /// Adds an app to those that preview shows.
    func add(_ app: MountedApp)

    /// Notes a mistake in what was registered: it keeps the server from starting.
    func report(_ problem: String, _ source: CodeLocation)

    /// What stands before the paths that are added here.
    var basePath: String { get }

    /// What the whole router answers where.
    var routeMap: RouteMap { get }
}

extension Routes {
    /// Adds a route for any method: `routes.on(.patch)("/hotels/{id}") { request in … }`.
    public func on(_ method: HTTPRequest.Method) -> RouteVerb { RouteVerb(routes: self, method: method) }

    /// Adds a route for GET, and with it HEAD: `routes.get("/hotels/{id}") { request in … }`.
    public var get: RouteVerb { on(.get) }

    /// Adds a route for POST: `routes.post("/hotels") { request in … }`.
    public var post: RouteVerb { on(.post) }

    /// Adds a route for PUT: `routes.put("/hotels/{id}") { request in … }`.
    public var put: RouteVerb { on(.put) }

    /// Adds a route for DELETE: `routes.delete("/hotels/{id}") { request in … }`.
    public var delete: RouteVerb { on(.delete) }

    /// Adds routes that share the beginning of their paths, or some middlewares, or both.
    ///
    /// - Parameters:
    ///   - prefix: what stands before each path of the group, such as `/admin`; empty for nothing.
    ///   - middleware: what every request to the group passes, the first outermost.
    ///   - routes: adds the routes.
    public func group(_ prefix: String = "", _ middleware: any Middleware..., routes: (RouteGroup) -> Void) {
        routes(group(prefix, middlewares: middleware))
    }

    /// Adds routes that share the beginning of their paths, behind a middleware that is a function:
    /// `router.group("/x", { request, next in try await next(request) }) { group in … }`.
    public func group(
        _ prefix: String = "",
        _ middleware: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response,
        routes: (RouteGroup) -> Void
    ) {
        routes(group(prefix, middlewares: [FunctionMiddleware(middleware)]))
    }

    /// A group, to add routes to by its name: `let api = router.group("/api", JSONErrors())`.
    ///
    /// - Parameters:
    ///   - prefix: what stands before each path of the group, such as `/admin`; empty for nothing.
    ///   - middleware: what every request to the group passes, the first outermost.
    public func group(_ prefix: String, _ middleware: any Middleware...) -> RouteGroup {
        group(prefix, middlewares: middleware)
    }

    private func group(_ prefix: String, middlewares: [any Middleware]) -> RouteGroup {
        RouteGroup(parent: self, prefix: prefix, middlewares: middlewares)
    }
}

extension Routes {
    /// The same routes, with middlewares before each that is added by way of them.
    ///
    /// ```swift
    /// router.with(BodyLimit(20_000_000), Timeout(.seconds(60))).post("/photos") { request in … }
    /// ```
    /// - Parameter middleware: what every request to them passes, the first outermost.
    public func with(_ middleware: any Middleware...) -> RouteGroup { group("", middlewares: middleware) }
}

/// Adds routes for one method, called like a function: `routes.get("/hotels/{id}") { request in … }`.
///
/// A handler that never suspends needs no task, which is cheaper.
public struct RouteVerb {
    fileprivate let routes: any Routes
    fileprivate let method: HTTPRequest.Method

    func add(
        _ path: String,
        _ handler: some Handler,
        _ file: String,
        _ line: Int,
        _ operation: RouteOperation? = nil
    ) {
        var route = Route(method, path, handler: handler, source: CodeLocation(file: file, line: line))
        route.operation = operation
        routes.add(route)
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - path: literal segments, `{name}` for one segment, and `{name...}` at the end for all that is left.
    ///   - handler: makes the response.
    public func callAsFunction(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        add(path, FunctionHandler(handler), file, line)
    }

    /// Adds a route with a handler that never suspends.
    public func callAsFunction(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) {
        add(path, FunctionHandler(handler), file, line)
    }

    /// Adds a route with a handler that runs on the main actor, such as a function of a module with that default isolation.
    public func callAsFunction<Failure: Error>(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Request) throws(Failure) -> Response
    ) {
        add(path, FunctionHandler(handler), file, line)
    }
}

/// Handlers that take the session. They stand in a group with a `SessionMiddleware`, or in an app with sessions.
extension RouteVerb {
    /// Adds a route with a handler that takes the session: `app.get("/me") { request, session in … }`.
    public func callAsFunction(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request, Session) async throws -> Response
    ) {
        add(path, FunctionHandler { try await handler($0, $0.session) }, file, line)
    }

    /// Adds a route with a handler that takes the session and never suspends.
    public func callAsFunction(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request, Session) throws -> Response
    ) {
        add(path, SessionHandler(respond: handler), file, line)
    }

    /// Adds a route with a handler that takes the session and runs on the main actor.
    public func callAsFunction<Failure: Error>(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Request, Session) throws(Failure) -> Response
    ) {
        add(path, FunctionHandler { try await handler($0, $0.session) }, file, line)
    }
}

/// A handler that gets the session, and never suspends.
struct SessionHandler: Handler {
    let respond: @Sendable (Request, Session) throws -> Response

    func respond(to request: Request) throws -> HandlerResult {
        switch try request.readySession {
        case .ready(let session): .ready(try respond(request, session))
        case .pending(let work): .pending { try respond(request, await work()) }
        }
    }
}

/// Routes that share the beginning of their paths, and middlewares.
public struct RouteGroup: Routes {
    private let parent: any Routes
    private let prefix: String
    private let middlewares: [any Middleware]

    /// A group of `parent`'s routes; otherwise as ``Routes/group(_:_:routes:)-(_,Middleware...,_)``.
    public init(parent: any Routes, prefix: String, middlewares: [any Middleware]) {
        self.parent = parent
        self.prefix = prefix
        self.middlewares = middlewares
    }

    /// Adds a route to the group.
    public func add(_ route: Route) {
        var route = route
        route.path = joined(prefix, route.path)
        route.handler = route.handler.wrapped(in: middlewares)
        for middleware in middlewares { route.operation?.pass(middleware) }
        parent.add(route)
    }

    /// Adds a page to those that `check` requests.
    public func add(_ page: CheckablePage) { parent.add(page) }

    /// Adds an app to those that preview shows.
    public func add(_ app: MountedApp) { parent.add(app) }

    /// What stands before the paths that are added here.
    public var basePath: String { joined(parent.basePath, prefix) }

    /// What the whole router answers where.
    public var routeMap: RouteMap { parent.routeMap }

    /// Notes a mistake in what was registered: it keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) { parent.report(problem, source) }
}

extension Routes {
    /// A path that is added here, from the host's root.
    package func wholePath(_ path: String) -> String { joined(basePath, path) }
}

/// A path below a prefix, without doubling the slash between them.
private func joined(_ prefix: String, _ path: String) -> String {
    prefix.hasSuffix("/") && path.hasPrefix("/") ? "\(prefix)\(path.dropFirst())" : prefix + path
}
