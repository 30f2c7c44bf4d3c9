/// Collects routes, middleware and fallbacks, and combines them to a handler.
///
/// Mistakes, such as two routes for the same method and path, are collected and thrown together when the server starts.
///
/// ```swift
/// let router = Router()
/// router.get("/") { _ in "Hello" }
/// try await Server(router, port: 8080).run()
/// ```
public final class Router: Routes, Sendable {
    /// The registered parts.
    private struct Registered {
        var middlewares: [any Middleware] = []
        var fallbacks: [any Fallback] = []
        var problems: [String] = []
        var pages: [CheckablePage] = []
        /// Functions that return the currently mounted apps.
        var appLists: [@Sendable () -> [MountedApp]] = []
        var routes: [Route] = []
    }

    private let registered = Locked(Registered())
    /// The map of this router's routes.
    public let routeMap = RouteMap()

    /// All pages for `check`, in the order of their registration.
    public var pages: [CheckablePage] { registered.withLock(\.pages) }

    /// All routes, in the order of their registration.
    public var routes: [Route] { registered.withLock(\.routes) }

    /// The middleware for all requests, the first outermost.
    var middlewares: [any Middleware] { registered.withLock(\.middlewares) }

    /// Empty: a router's paths are complete.
    public var basePath: String { "" }

    /// Creates a router without routes.
    public init() {}

    /// Adds a route.
    public func add(_ route: Route) {
        do throws(PathPattern.ParsingError) {
            let pattern = try PathPattern(route.path)
            if let other = routeMap.insert(route, pattern) {
                report(
                    "\(route.method) \(route.path) is taken by \(other.path), registered at \(other.source)",
                    route.source
                )
            } else {
                registered.withLock { $0.routes.append(route) }
            }
        } catch {
            report("the path '\(route.path)' is malformed: \(error.text)", route.source)
        }
    }

    /// Adds a page for `check`.
    public func add(_ page: CheckablePage) { registered.withLock { $0.pages.append(page) } }

    /// Adds an app for preview.
    public func add(_ app: MountedApp) { add(apps: { [app] }) }

    /// Adds apps that change while the server runs, such as those of mock files.
    ///
    /// - Parameter apps: returns the currently mounted apps.
    public func add(apps: @escaping @Sendable () -> [MountedApp]) {
        registered.withLock { $0.appLists.append(apps) }
    }

    /// All apps for preview, in the order of their registration. The function returns the currently mounted ones.
    public var apps: @Sendable () -> [MountedApp] {
        let lists = registered.withLock(\.appLists)
        return { lists.flatMap { $0() } }
    }

    /// Adds a middleware for all requests, including those without a route. The first added is outermost.
    ///
    /// ```swift
    /// router.use(Timeout(.seconds(30)))
    /// router.use(Compression())
    /// ```
    public func use(_ middleware: any Middleware) { registered.withLock { $0.middlewares.append(middleware) } }

    /// Adds a middleware that is a function, like `use` for any middleware.
    ///
    /// ```swift
    /// router.use { request, next in
    ///     var response = try await next(request)
    ///     response.headers[.server] = "Clinic"
    ///     return response
    /// }
    /// ```
    public func use(
        _ middleware: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response
    ) {
        use(FunctionMiddleware(middleware))
    }

    /// Adds a fallback for paths without a route. Fallbacks run in the order of their registration.
    public func add(_ fallback: any Fallback) { registered.withLock { $0.fallbacks.append(fallback) } }

    /// Reports a mistake in the registered parts, which keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) {
        registered.withLock { $0.problems.append("\(source): \(problem)") }
    }

    /// The handler with the routes registered so far. If there are mistakes, it keeps the server from starting.
    public func handler() -> any Handler {
        let registered = registered.withLock(\.self)
        guard registered.problems.isEmpty else { return InvalidRouter(problems: registered.problems) }
        return RouteTable(tree: routeMap.tree, map: routeMap, fallbacks: registered.fallbacks)
            .wrapped(in: registered.middlewares)
    }
}

/// The handler of a router with mistakes, which no server starts with.
struct InvalidRouter: Handler {
    let problems: [String]

    func prepare() throws { throw StartupError(problems: problems) }

    func respond(to request: Request) throws -> HandlerResult { throw StartupError(problems: problems) }
}

/// A method, a path and their handler.
public struct Route: Sendable {
    /// The method. A route for GET also handles HEAD, unless HEAD has a separate route.
    public var method: HTTPRequest.Method
    /// The path: literal segments, `{name}` for one segment, and `{name...}` at the end for the rest of the path.
    public var path: String
    /// The handler.
    public var handler: any Handler
    /// The location of the registration in the source, for error texts.
    public var source: CodeLocation
    /// Whether the handler responds to a body with an unsupported content coding; otherwise the router responds with 415.
    package var respondsToUnknownCodings = false
    /// The variables that the handler requires, if known.
    package var requiredVariables: [String] = []
    /// The route's types, for OpenAPI; nil if its handler returns a whole response.
    var operation: RouteOperation?

    /// Creates a route.
    public init(_ method: HTTPRequest.Method, _ path: String, handler: any Handler, source: CodeLocation) {
        self.method = method
        self.path = path
        self.handler = handler
        self.source = source
    }
}

/// The location of a registration in the source.
public struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line, from 1.
    public let line: Int

    /// Creates a place in a file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
