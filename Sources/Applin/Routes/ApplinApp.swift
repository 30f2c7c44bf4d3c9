import Backlot

/// An app that is being mounted: pages, rpcs and uploads are added to it.
public struct ApplinApp {
    let routes: any Routes
    /// The path of the app's base URL.
    public let basePath: String
    /// How the app's clients read actions.
    public let dialect: Dialect
    let validation: Validation
    /// Gives requests their sessions; nil where the app has none.
    let sessions: SessionMiddleware?
    /// The pages that were added.
    let pages: PageList

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

/// The paths of an app's pages, while it is being mounted.
final class PageList {
    var paths: [String] = []
}
