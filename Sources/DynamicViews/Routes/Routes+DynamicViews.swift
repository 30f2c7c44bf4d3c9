public import Backlot
import Logging

/// Settings of mounted views.
public struct DynamicViewsConfiguration: Sendable {
    /// The dialects that clients can choose from, each platform once. The first is the default.
    public var dialects: [Dialect] = [.ios, .android]
    /// The texts and pictures of the app. Documents with other names cause warnings.
    public var catalogue = Catalogue()
    /// The treatment of a document that clients would refuse.
    public var validation = Validation.automatic
    /// The padding of widgets without one, for each platform, in documents that are made in Swift. The default for Android clients is
    /// 0.
    public var defaultPaddings: [Dialect.Platform: Padding] = [:]
    /// Whether the response to an interaction is the new document, so that clients needn't request it again. A client can choose with
    /// `Prefer: return=representation` or `Prefer: return=minimal` (RFC 7240).
    public var respondsWithDocument = false
    /// The largest body of an interaction, in bytes.
    public var interactionLimit = 64 * 1024

    /// Creates the default configuration.
    public init() {}
}

extension Routes {
    /// Mounts views: documents that clients load, and the interactions with them.
    ///
    /// ```swift
    /// router.dynamicViews("/views/") { views in
    ///     views.view("dashboard") { request in
    ///         document { startShopping(id: "5").onTap { _, request in try await request.session.logOut() } }
    ///     }
    ///     views.files("Views")
    /// }
    /// ```
    /// `GET /views/dashboard.json` returns the document. `POST /views/dashboard/interactions` takes interactions, and responds with
    /// 204 or with the new document.
    /// Clients choose a dialect with `?dialect=android` or the header field `Dynamic-Views-Dialect`.
    ///
    /// - Parameters:
    ///   - path: the path of the base URL; it begins and ends with a slash.
    ///   - sessions: the store of `request.session`, by a cookie for the base URL; nil for views without sessions.
    ///   - sessionConfiguration: settings of sessions, such as their lifetime.
    ///   - configuration: settings such as the dialects and the validation of documents.
    ///   - register: adds the views.
    public func dynamicViews(
        _ path: String = "/views/",
        sessions: (any SessionStore)? = nil,
        sessionConfiguration: SessionConfiguration = SessionConfiguration(),
        configuration: DynamicViewsConfiguration = DynamicViewsConfiguration(),
        file: String = #fileID,
        line: Int = #line,
        _ register: (DynamicViewsApp) -> Void
    ) {
        let source = CodeLocation(file: file, line: line)
        guard path.hasPrefix("/"), path.hasSuffix("/") else {
            let fix = "a path that begins and ends with a slash, as in /views/"
            return report("'\(path)' can't be the path of a base URL: write \(fix)", source)
        }
        guard let choice = DialectChoice(configuration.dialects) else {
            return report(
                "the views at \(path) need one dialect or more, each platform at most once: write [.ios, .android]",
                source
            )
        }
        let basePath = RouteGroup(parent: self, prefix: path, middlewares: []).basePath
        let middleware = sessions.map { store in
            SessionMiddleware(path: basePath, store: store, configuration: sessionConfiguration)
        }
        let group = RouteGroup(parent: self, prefix: path, middlewares: middleware.map { [$0] } ?? [])
        let logger = Logger(label: "backlot.views")
        let app = DynamicViewsApp(choice, logger: logger) { report($0, $1) }
        register(app)
        for view in app.views {
            guard let maker = view.maker else {
                report("view '\(view.name)' at \(path) has handlers, but no document: declare it", view.source)
                continue
            }
            group.add(
                view,
                maker.framed(by: app.frame).padded(by: configuration.defaultPaddings),
                choice,
                configuration,
                basePath: basePath,
                logger
            )
        }
        let index = app.views.sorted { $0.name < $1.name }.map { view in
            (name: view.name, dialects: choice.dialects.filter { view.maker?.hasDocument(for: $0) ?? false })
        }
        let list = FunctionHandler { request in
            let dialect = try choice.dialect(for: request)
            let names = index.filter { $0.dialects.contains(dialect) }.map { JSONValue.string($0.name) }
            var response = Response(json: ["views": .array(names)])
            response.headers[.vary] = DialectChoice.field?.rawName
            return response
        }
        group.add(Route(.get, "/", handler: list, source: source))
        let paths = PagePaths(index.map { "\(basePath)\($0.name).json" })
        let pages = index.map { name, dialects in
            let other = dialects.first.flatMap { $0 == choice.usual ? nil : $0.platform.rawValue }
            return "\(basePath)\(name).json\(other.map { "?\(DialectChoice.parameter)=\($0)" } ?? "")"
        }
        add(
            MountedApp(
                .dynamicViews,
                basePath: basePath,
                facts: ["dialects": choice.dialects.map(\.platform.rawValue).joined(separator: ",")],
                inspector: DynamicViewsInspector(dialects: choice, catalogue: configuration.catalogue),
                sessions: middleware.map { AppSessions($0) },
                openPages: { pages }
            ) { paths.contains($0) }
        )
    }
}

extension RouteGroup {
    fileprivate func add(
        _ view: View,
        _ maker: DocumentMaker,
        _ choice: DialectChoice,
        _ configuration: DynamicViewsConfiguration,
        basePath: String,
        _ logger: Logger
    ) {
        let judge = ViewInspector(view, choice.dialects, configuration, logger: logger)
        let handler = ViewHandler(maker: maker, choice: choice, judge: judge)
        let interactions = InteractionsHandler(
            view: view.name,
            documents: handler,
            handlers: view.handlers,
            respondsWithDocument: configuration.respondsWithDocument,
            limit: configuration.interactionLimit,
            logger: logger
        )
        add(Route(.get, "/\(view.name).json", handler: handler, source: view.source))
        add(Route(.post, "/\(view.name)/interactions", handler: interactions, source: view.source))
        let dialects = choice.dialects.filter { maker.hasDocument(for: $0) }
        let path = "/\(view.name).json"
        let watch = HandlerWatch(view.handlers, of: view.name, in: dialects)
        for dialect in dialects {
            add(
                CheckablePage(
                    basePath: basePath,
                    path: path,
                    samples: [CheckSample("\(path)?dialect=\(dialect.platform.rawValue)")],
                    exemption: view.exemption,
                    inspector: WatchedInspector(
                        pages: DynamicViewsInspector(dialect: dialect, catalogue: configuration.catalogue),
                        watch: watch,
                        dialect: dialect
                    )
                )
            )
        }
    }
}
