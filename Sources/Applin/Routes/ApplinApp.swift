public import Backlot

/// An app that is being mounted, or a group of it. You add pages, rpcs, uploads, and plain routes, which get the app's sessions too.
public struct ApplinApp: Routes {
    private(set) var routes: any Routes
    /// The path of the app's base URL.
    let appPath: String
    /// The form of actions that the app's clients read.
    public let dialect: Dialect
    /// The oldest client that the app is for; nil for the newest of the dialect alone.
    public let clients: PartialRangeFrom<ClientVersion>?
    /// Determines the version of the client that requests a page; nil if the app doesn't use it.
    let choice: ClientChoice?
    let validation: Validation
    /// The inspector of the app's pages.
    let inspector: ApplinInspector
    /// Gives requests their sessions; nil for an app without sessions.
    let sessions: SessionMiddleware?
    /// The pages that were added.
    let pages: PageList
    /// The user that `check` logs in for the pages here without samples; nil for no log-in.
    var checkUser: String?

    /// Makes URLs of the app's pictures; handlers may keep it.
    public var urls: AppURLs { AppURLs(basePath: appPath) }

    /// The app's routes, for rules about links.
    var lookup: RouteLookup { routes.routeMap.lookup(below: appPath) }

    /// Makes header fields of a request by a user who is logged in; nil for an app without sessions.
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
    ///     members.page("/list") { _ in navPage("Members") { text("Ann") } }  // /members/list
    ///     members.get("/list.csv") { _ in .text("Ann") }
    /// }
    /// ```
    /// - Parameters:
    ///   - prefix: the prefix of each path in the group, such as `/members`. Links have the whole path.
    ///   - middleware: the middlewares for every request to the group, the outermost first. They run after the session is found.
    ///   - user: the user that `check` logs in for the group's pages without samples; nil for no log-in.
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
    ///
    /// ```swift
    /// app.group(RequireLogin(), checkedAs: "ann") { members in
    ///     members.page("/news") { _ in navPage("News") { text("Only for members") } }
    /// }
    /// ```
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

    /// Reports a mistake in a registration; it keeps the server from starting.
    public func report(_ problem: String, _ source: CodeLocation) { routes.report(problem, source) }

    /// The prefix of all paths that you add here: the path of the app's base URL, or of the group.
    public var basePath: String { routes.basePath }

    /// The routes of the whole router.
    public var routeMap: RouteMap { routes.routeMap }

    /// A path that you add here, as the app's clients know it: below the app's base URL.
    func pathInApp(_ path: String) -> String { "/\(wholePath(path).dropFirst(appPath.count))" }
}

/// Makes paths of an app's files on its host.
///
/// Clients resolve the URLs of pictures as browsers do: `logo.png` below the app's base URL, `/logo.png` from the host's root. So an
/// app can write `image("logo.png", …)` at any mount, or make a path from the root:
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
