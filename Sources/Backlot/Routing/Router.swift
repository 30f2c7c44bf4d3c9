public import BacklotHTTP

/// Collects routes, middlewares and fallbacks, and makes a handler of them.
///
/// Mistakes, such as two routes for the same method and path, are gathered and thrown all at once when the server starts.
public final class Router: Routes {
    /// What this router answers where.
    public let routeMap = RouteMap()
    private var middlewares: [any Middleware] = []
    private var fallbacks: [any Fallback] = []
    private var problems: [String] = []
    /// Every page that can be checked, in the order they were added.
    public private(set) var pages: [CheckablePage] = []
    /// Every app that preview can show, in the order they were added.
    public private(set) var apps: [MountedApp] = []
    /// Every route, in the order they were added.
    public private(set) var routes: [Route] = []

    /// Empty: a router's paths are whole.
    public var basePath: String { "" }

    /// A router without routes.
    public init() {}

    /// Adds a route.
    public func add(_ route: Route) {
        do throws(PathPattern.Mistake) {
            let pattern = try PathPattern(route.path)
            if let other = routeMap.insert(route, pattern) {
                report(
                    "\(route.method) \(route.path) is taken by \(other.path), registered at \(other.source)",
                    route.source
                )
            } else {
                routes.append(route)
            }
        } catch {
            report("the path '\(route.path)' is malformed: \(error.text)", route.source)
        }
    }

    /// Adds a page to those that `check` requests.
    public func add(_ page: CheckablePage) {
        pages.append(page)
    }

    /// Adds an app to those that preview shows.
    public func add(_ app: MountedApp) {
        apps.append(app)
    }

    /// Adds a middleware that every request passes, those to no route included. The first added is outermost.
    public func use(_ middleware: any Middleware) {
        middlewares.append(middleware)
    }

    /// Adds a middleware that is a function; otherwise as `use` for any middleware.
    public func use(
        _ middleware: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response
    ) {
        use(FunctionMiddleware(middleware))
    }

    /// Adds what is asked, after those added before, when no route has the path.
    public func add(_ fallback: any Fallback) {
        fallbacks.append(fallback)
    }

    /// Notes a mistake in what was registered: it keeps the server from starting.
    public func report(_ problem: String, _ source: SourceLocation) {
        problems.append("\(source): \(problem)")
    }

    /// The handler that routes requests as registered so far. While there are mistakes, it keeps the server from starting.
    public func handler() -> any Handler {
        guard problems.isEmpty else { return FaultyRouter(problems: problems) }
        return RouteTable(tree: routeMap.tree, map: routeMap, fallbacks: fallbacks).wrapped(in: middlewares)
    }
}
