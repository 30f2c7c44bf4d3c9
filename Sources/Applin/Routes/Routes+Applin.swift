public import Backlot

extension Routes {
    /// Mounts an Applin app.
    ///
    /// ```swift
    /// router.applin("/", sessions: MemorySessionStore()) { app in
    ///     app.page("/hello") { _ in navPage("Hello") { text("Hello!") } }
    ///     app.rpc("/save") { request in try await request.session.logIn(user: "ann") }
    /// }
    /// ```
    /// - Parameters:
    ///   - path: the path of the app's base URL: `/`, or one that begins and ends with a slash, such as `/travel/`. Pages and
    ///     rpcs are named without it.
    ///   - dialect: the form of actions that the app's clients read.
    ///   - clients: the oldest client that the app supports, such as `"0.34"...`. Its pages are checked for this client and all
    ///     later ones of the dialect. nil checks them for the newest client only.
    ///   - clientField: the header field with the client's version. Each page is then made and checked for the client that requests
    ///     it: in its dialect, and with fallbacks for parts that it doesn't understand. ``Backlot/Request/requestingClient`` has the
    ///     version. Clients that don't send a version get the page for the oldest client in `clients`. With nil, all clients get
    ///     that page.
    ///   - extensions: the widgets and actions that the app's clients know in addition to Applin's.
    ///   - sessions: the store of the app's sessions; nil for an app without sessions. A cookie for the app's base URL identifies
    ///     the session. Several apps may share one store.
    ///   - sessionConfiguration: settings of sessions, such as their lifetime.
    ///   - validation: the treatment of pages that clients would reject.
    ///   - register: adds the app's pages and rpcs.
    public func applin(
        _ path: String = "/",
        dialect: Dialect = .documented,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        clientField: ClientField? = nil,
        extensions: [ApplinExtension] = [],
        sessions: (any SessionStore)? = nil,
        sessionConfiguration: SessionConfiguration = SessionConfiguration(),
        validation: Validation = .automatic,
        file: String = #fileID,
        line: Int = #line,
        _ register: (ApplinApp) -> Void
    ) {
        guard path.hasPrefix("/"), path.hasSuffix("/") else {
            let fix = "the path of an app's base URL begins and ends with a slash, as in /travel/"
            return report("'\(path)' can't be a base URL's path: \(fix)", CodeLocation(file: file, line: line))
        }
        let dialect = clientField == nil ? dialect : clients.map { Dialect(of: $0.lowerBound) } ?? dialect
        if let oldest = clients?.lowerBound, !dialect.versions.contains(oldest) {
            let versions = "\(dialect.versions.lowerBound) to \(dialect.versions.upperBound)"
            let problem = "no client \(oldest) speaks the \(dialect.rawValue) dialect: write a version from \(versions)"
            return report(problem, CodeLocation(file: file, line: line))
        }
        for mistake in extensions.mistakes { report(mistake, CodeLocation(file: file, line: line)) }
        let choice = clientField.flatMap { ClientChoice($0, dialect: dialect, clients: clients) }
        if let clientField, choice == nil {
            let fix = "write one such as X-Client-Version"
            return report("'\(clientField.name)' can't be a field's name: \(fix)", CodeLocation(file: file, line: line))
        }
        let basePath = RouteGroup(parent: self, prefix: path, middlewares: []).basePath
        let middleware = sessions.map { store in
            SessionMiddleware(path: basePath, store: store, configuration: sessionConfiguration)
        }
        let group = RouteGroup(parent: self, prefix: path, middlewares: middleware.map { [$0] } ?? [])
        let pages = PageList()
        var inspector = ApplinInspector(dialect: dialect, clients: clients, extensions: extensions)
        inspector.clientField = clientField
        let app = ApplinApp(
            routes: group,
            appPath: basePath,
            dialect: dialect,
            clients: clients,
            choice: choice,
            validation: validation,
            inspector: inspector,
            sessions: middleware,
            pages: pages
        )
        register(app)
        if path != "/" {
            let source = CodeLocation(file: file, line: line)
            add(Route(.get, String(path.dropLast()), handler: BaseURLRedirect(basePath: basePath), source: source))
        }
        let words = inspector.words
        let patterns = pages.paths.map { basePath + $0.drop { $0 == "/" } }
        let paths = PagePaths(patterns)
        add(
            MountedApp(
                .applin,
                basePath: basePath,
                facts: extensions.facts.merging(["dialect": dialect.rawValue]) { $1 },
                inspector: inspector,
                lookup: app.lookup,
                sessions: middleware.map { AppSessions($0) },
                openPages: { patterns.filter { !$0.contains("{") } }
            ) { paths.contains($0) }
            .speaking(words.vocabulary)
        )
    }
}

/// Redirects a request for a base URL without its final slash. Without the slash, clients would resolve every path one folder too
/// high.
private struct BaseURLRedirect: Handler {
    let basePath: String

    func respond(to request: Request) throws -> HandlerResult {
        let query = request.target.firstIndex(of: "?").map { request.target[$0...] } ?? ""
        return .ready(try Response.redirect(to: basePath + query, status: .permanentRedirect))
    }
}
