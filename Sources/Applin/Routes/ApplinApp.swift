public import Backlot

/// An app that is being mounted, or a group of it: pages, rpcs and uploads are added to it, and plain routes, which get the app's
/// sessions too.
public struct ApplinApp: Routes {
    private(set) var routes: any Routes
    /// The path of the app's base URL.
    let appPath: String
    /// How the app's clients read actions.
    public let dialect: Dialect
    /// The oldest client that the app is for; nil for the newest of the dialect alone.
    public let clients: PartialRangeFrom<ClientVersion>?
    /// How the app learns which client asks for a page; nil where it doesn't.
    let choice: ClientChoice?
    let validation: Validation
    /// What judges the app's pages.
    let inspector: ApplinInspector
    /// Gives requests their sessions; nil where the app has none.
    let sessions: SessionMiddleware?
    /// The pages that were added.
    let pages: PageList
    /// The user as whom `check` asks for the pages here that have no samples; nil for nobody.
    var checkUser: String?

    /// Where the app's pictures are: a value that handlers may keep.
    public var urls: AppURLs { AppURLs(basePath: appPath) }

    /// What the app answers, for rules about links.
    var lookup: RouteLookup { routes.routeMap.lookup(below: appPath) }

    /// Makes header fields of a request by a user who is logged in; nil where the app has no sessions.
    var logIn: (@Sendable (_ user: String) async throws -> HTTPFields)? {
        guard let sessions else { return nil }
        let appPath = appPath
        return { user in
            let logIn = FunctionHandler { request in
                try await request.session.logIn(user: user)
                return Response()
            }
            let response = try await sessions.respond(to: Request(.get, appPath), next: logIn).response()
            let cookie = response.headers[.setCookie]?.prefix { $0 != ";" } ?? ""
            return [.cookie: String(cookie)]
        }
    }
}

extension ApplinApp {
    /// Adds pages, rpcs, uploads and plain routes that share the beginning of their paths, or some middlewares, or both.
    ///
    /// ```swift
    /// app.group("/members", RequireLogin(), checkedAs: "ann") { members in
    ///     members.page("/list") { request in … }      // /members/list
    ///     members.get("/list.csv") { request in … }
    /// }
    /// ```
    /// - Parameters:
    ///   - prefix: what stands before each path of the group, such as `/members`. Links have the whole path.
    ///   - middleware: what every request to the group passes, the first outermost. The session is there already.
    ///   - user: the user as whom `check` asks for the group's pages that have no samples of their own; nil for nobody.
    ///   - register: adds the group's pages and routes.
    public func group(
        _ prefix: String,
        _ middleware: any Middleware...,
        checkedAs user: String? = nil,
        _ register: (ApplinApp) -> Void
    ) {
        addGroup(prefix, middleware, user, register)
    }

    /// Adds pages, rpcs, uploads and plain routes that share some middlewares; otherwise as a group with a prefix.
    public func group(
        _ middleware: any Middleware...,
        checkedAs user: String? = nil,
        _ register: (ApplinApp) -> Void
    ) {
        addGroup("", middleware, user, register)
    }

    private func addGroup(
        _ prefix: String,
        _ middlewares: [any Middleware],
        _ user: String?,
        _ register: (ApplinApp) -> Void
    ) {
        var group = self
        group.routes = RouteGroup(parent: routes, prefix: prefix, middlewares: middlewares)
        group.checkUser = user ?? checkUser
        register(group)
    }

    /// Adds a route, which gets the app's sessions.
    public func add(_ route: Route) { routes.add(route) }

    /// Adds a page of another kind to those that `check` requests.
    public func add(_ page: CheckablePage) { routes.add(page) }

    /// Adds an app to those that preview shows.
    public func add(_ app: MountedApp) { routes.add(app) }

    /// Notes a mistake in what was registered: it keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) { routes.report(problem, source) }

    /// The prefix of all paths that are added here: the path of the app's base URL, or of the group.
    public var basePath: String { routes.basePath }

    /// What the whole router answers where.
    public var routeMap: RouteMap { routes.routeMap }

    /// A path that is added here, as the app's clients know it: below the app's base URL.
    func pathInApp(_ path: String) -> String { "/\(wholePath(path).dropFirst(appPath.count))" }
}

/// Where something of an app is on its host.
///
/// Clients resolve the URLs of pictures as browsers do: `logo.png` below the app's base URL, `/logo.png` from the host's root. So an app
/// writes `image("logo.png", …)` wherever it is mounted, or makes a path from the root with the help of this:
/// ```swift
/// router.applin("/travel/") { app in
///     let urls = app.urls
///     app.page("/") { _ in navPage("Travel") { image(urls.picture("/logo.png"), aspectRatio: 1) } }
/// }
/// ```
public struct AppURLs: Sendable {
    /// The path of the app's base URL: `/`, or one that begins and ends with a slash.
    public let basePath: String

    /// The URL of a picture that the app serves, from the host's root: `/travel/logo.png` for `/logo.png`.
    public func picture(_ path: String) -> String { basePath + path.drop { $0 == "/" } }
}

/// The paths of an app's pages, while it is being mounted.
final class PageList {
    var paths: [String] = []
}
