/// Collects routes, middlewares and fallbacks, and makes a handler of them.
///
/// Mistakes, such as two routes for the same method and path, are gathered and thrown all at once when the server starts.
public final class Router: Routes, Sendable {
    /// What was registered.
    private struct Registered {
        var middlewares: [any Middleware] = []
        var fallbacks: [any Fallback] = []
        var problems: [String] = []
        var pages: [CheckablePage] = []
        /// Finds the apps that are mounted now.
        var appLists: [@Sendable () -> [MountedApp]] = []
        var routes: [Route] = []
    }

    private let registered = Locked(Registered())
    /// What this router answers where.
    public let routeMap = RouteMap()

    /// Every page that can be checked, in the order they were added.
    public var pages: [CheckablePage] { registered.withLock(\.pages) }

    /// Every route, in the order they were added.
    public var routes: [Route] { registered.withLock(\.routes) }

    /// The middlewares that every request passes, the first outermost.
    var middlewares: [any Middleware] { registered.withLock(\.middlewares) }

    /// Empty: a router's paths are whole.
    public var basePath: String { "" }

    /// A router without routes.
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

    /// Adds a page to those that `check` requests.
    public func add(_ page: CheckablePage) { registered.withLock { $0.pages.append(page) } }

    /// Adds an app to those that preview shows.
    public func add(_ app: MountedApp) { add(apps: { [app] }) }

    /// Adds apps that come and go while the server runs, such as those of mock files.
    ///
    /// - Parameter apps: finds those that are mounted now.
    public func add(apps: @escaping @Sendable () -> [MountedApp]) {
        registered.withLock { $0.appLists.append(apps) }
    }

    /// Every app that preview can show, in the order they were added: the function finds those that are mounted now.
    public var apps: @Sendable () -> [MountedApp] {
        let lists = registered.withLock(\.appLists)
        return { lists.flatMap { $0() } }
    }

    /// Adds a middleware that every request passes, those to no route included. The first added is outermost.
    public func use(_ middleware: any Middleware) { registered.withLock { $0.middlewares.append(middleware) } }

    /// Adds a middleware that is a function; otherwise as `use` for any middleware.
    public func use(
        _ middleware: @escaping @Sendable (_ request: Request, _ next: any Handler) async throws -> Response
    ) {
        use(FunctionMiddleware(middleware))
    }

    /// Adds what is asked, after those added before, when no route has the path.
    public func add(_ fallback: any Fallback) { registered.withLock { $0.fallbacks.append(fallback) } }

    /// Notes a mistake in what was registered: it keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) {
        registered.withLock { $0.problems.append("\(source): \(problem)") }
    }

    /// The handler that routes requests as registered so far. While there are mistakes, it keeps the server from starting.
    public func handler() -> any Handler {
        let registered = registered.withLock(\.self)
        guard registered.problems.isEmpty else { return InvalidRouter(problems: registered.problems) }
        return RouteTable(tree: routeMap.tree, map: routeMap, fallbacks: registered.fallbacks)
            .wrapped(in: registered.middlewares)
    }
}

/// What a router with mistakes in its routes becomes: no server starts with it.
struct InvalidRouter: Handler {
    let problems: [String]

    func prepare() throws { throw StartupError(problems: problems) }

    func respond(to request: Request) throws -> HandlerResult { throw StartupError(problems: problems) }
}

/// A method and a path, and what answers there.
public struct Route: Sendable {
    /// The method. A route for GET also answers HEAD, unless HEAD has a route of its own.
    public var method: HTTPRequest.Method
    /// The path: literal segments, `{name}` for one segment, and `{name...}` at the end for all that is left.
    public var path: String
    /// What answers.
    public var handler: any Handler
    /// Where the route was registered, for messages.
    public var source: CodeLocation
    /// Whether the handler answers also when the body's content coding isn't understood, instead of the router with 415.
    package var respondsToUnknownCodings = false
    /// The variables that the handler can't do without, where that is known.
    package var requiredVariables: [String] = []
    /// The route's types, for OpenAPI; nil where its handler returns a whole response.
    var operation: RouteOperation?

    /// A route.
    public init(_ method: HTTPRequest.Method, _ path: String, handler: any Handler, source: CodeLocation) {
        self.method = method
        self.path = path
        self.handler = handler
        self.source = source
    }
}

/// Where in the source something was registered.
public struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line, from 1.
    public let line: Int

    /// A place in a file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
