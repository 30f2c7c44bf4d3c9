public import Backlot

/// An app that is being mounted: pages, rpcs and uploads are added to it.
public struct ApplinApp {
    let routes: any Routes
    /// The path of the app's base URL.
    public let basePath: String
    /// How the app's clients read actions.
    public let dialect: Dialect
    /// The oldest client that the app is for; nil for the newest of the dialect alone.
    public let clients: PartialRangeFrom<ClientVersion>?
    let validation: Validation
    /// Gives requests their sessions; nil where the app has none.
    let sessions: SessionMiddleware?
    /// The pages that were added.
    let pages: PageList

    /// Where the app's pictures are: a value that handlers may keep.
    public var urls: AppURLs { AppURLs(basePath: basePath) }

    /// What judges the app's pages.
    var inspector: ApplinInspector { ApplinInspector(dialect: dialect, clients: clients) }

    /// What the app answers, for rules about links.
    var lookup: RouteLookup { routes.routeMap.lookup(below: basePath) }

    /// Makes header fields of a request by a user who is logged in; nil where the app has no sessions.
    var logIn: (@Sendable (_ user: String) async throws -> HTTPFields)? {
        guard let sessions else { return nil }
        let basePath = basePath
        return { user in
            let logIn = FunctionHandler { request in
                try await request.session.logIn(user: user)
                return Response()
            }
            let response = try await sessions.answer(Request(.get, basePath), next: logIn).response()
            let cookie = response.headers[.setCookie]?.prefix { $0 != ";" } ?? ""
            return [.cookie: String(cookie)]
        }
    }
}

/// Where something of an app is on its host.
///
/// Clients resolve the URLs of pictures from the host's root, and those of pages and rpcs from the base URL. So an app that is mounted
/// below a path says where its pictures are with the help of this:
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
