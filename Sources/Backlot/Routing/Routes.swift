/// A destination for routes: a router or a group.
///
/// ```swift
/// func addHealth(to routes: some Routes) { routes.get("/health") { _ in "fine" } }
/// addHealth(to: router)
/// addHealth(to: router.group("/api"))
/// ```
public protocol Routes {
    /// Adds a route.
    func add(_ route: Route)

    /// Adds a page for `check`.
    func add(_ page: CheckablePage)

    /// Adds an app for preview.
    func add(_ app: MountedApp)

    /// Reports a mistake in the registered parts, which keeps the server from starting.
    func report(_ problem: String, _ source: CodeLocation)

    /// The prefix of all paths added here.
    var basePath: String { get }

    /// The map of the whole router's routes.
    var routeMap: RouteMap { get }
}

extension Routes {
    /// Adds a route for any method: `routes.on(.patch)("/hotels/{id}") { request in … }`.
    public func on(_ method: HTTPRequest.Method) -> RouteVerb { RouteVerb(routes: self, method: method) }

    /// Adds a route for GET, which also handles HEAD: `routes.get("/hotels/{id}") { request in … }`.
    public var get: RouteVerb { on(.get) }

    /// Adds a route for POST: `routes.post("/hotels") { request in … }`.
    public var post: RouteVerb { on(.post) }

    /// Adds a route for PUT: `routes.put("/hotels/{id}") { request in … }`.
    public var put: RouteVerb { on(.put) }

    /// Adds a route for DELETE: `routes.delete("/hotels/{id}") { request in … }`.
    public var delete: RouteVerb { on(.delete) }

    /// Adds routes that share a path prefix, middleware, or both.
    ///
    /// ```swift
    /// router.group("/api", JSONErrors()) { api in
    ///     api.get("/plots/{id}") { request in try await garden.plot(try request.parameter("id", as: Int.self)) }
    /// }
    /// ```
    /// - Parameters:
    ///   - prefix: the prefix of each path in the group, such as `/admin`; empty for none.
    ///   - middleware: the middleware for every request to the group, the first outermost.
    ///   - register: adds the routes.
    public func group(_ prefix: String = "", _ middleware: any Middleware..., register: (RouteGroup) -> Void) {
        register(group(prefix, middlewares: middleware))
    }

    /// Adds routes that share a path prefix, behind a middleware that is a function:
    /// `router.group("/x", { request, next in try await next(request) }) { group in … }`.
    public func group(
        _ prefix: String = "",
        _ middleware: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response,
        register: (RouteGroup) -> Void
    ) {
        register(group(prefix, middlewares: [FunctionMiddleware(middleware)]))
    }

    /// A group for adding routes later: `let api = router.group("/api", JSONErrors())`.
    ///
    /// - Parameters:
    ///   - prefix: the prefix of each path in the group, such as `/admin`; empty for none.
    ///   - middleware: the middleware for every request to the group, the first outermost.
    public func group(_ prefix: String, _ middleware: any Middleware...) -> RouteGroup {
        group(prefix, middlewares: middleware)
    }

    private func group(_ prefix: String, middlewares: [any Middleware]) -> RouteGroup {
        RouteGroup(parent: self, prefix: prefix, middlewares: middlewares)
    }
}

extension Routes {
    /// A group at the same paths, with middleware before each of its routes.
    ///
    /// ```swift
    /// router.with(BodyLimit(20_000_000), Timeout(.seconds(60))).post("/photos") { request in
    ///     .text("\(try await request.body.collect().count) bytes")
    /// }
    /// ```
    /// - Parameter middleware: the middleware for every request to them, the first outermost.
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
    /// ```swift
    /// router.get("/count") { request in .text("\(try await request.body.collect().count) bytes") }
    /// ```
    /// - Parameters:
    ///   - path: literal segments, `{name}` for one segment, and `{name...}` at the end for the rest of the path.
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
    ///
    /// ```swift
    /// router.get("/hello") { request in .text("Hello, \(request.queryValue("name") ?? "stranger")!") }
    /// ```
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

/// Handlers that take the session. They belong in a group with a `SessionMiddleware`, or in an app with sessions.
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

/// A handler that takes the session and never suspends.
struct SessionHandler: Handler {
    let respond: @Sendable (Request, Session) throws -> Response

    func respond(to request: Request) throws -> HandlerResult {
        switch try request.readySession {
        case .ready(let session): .ready(try respond(request, session))
        case .pending(let work): .pending { try respond(request, await work()) }
        }
    }
}

/// Routes that share a path prefix and middleware.
public struct RouteGroup: Routes {
    private let parent: any Routes
    private let prefix: String
    private let middlewares: [any Middleware]

    /// Creates a group of `parent`'s routes, like ``Routes/group(_:_:register:)-(_,Middleware...,_)``.
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

    /// Adds a page for `check`.
    public func add(_ page: CheckablePage) { parent.add(page) }

    /// Adds an app for preview.
    public func add(_ app: MountedApp) { parent.add(app) }

    /// The prefix of all paths added here.
    public var basePath: String { joined(parent.basePath, prefix) }

    /// The map of the whole router's routes.
    public var routeMap: RouteMap { parent.routeMap }

    /// Reports a mistake in the registered parts, which keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) { parent.report(problem, source) }
}

extension Routes {
    /// The complete path of a path in this group, from the host's root.
    package func wholePath(_ path: String) -> String { joined(basePath, path) }
}

/// A path below a prefix, with a single slash between them.
private func joined(_ prefix: String, _ path: String) -> String {
    prefix.hasSuffix("/") && path.hasPrefix("/") ? "\(prefix)\(path.dropFirst())" : prefix + path
}
