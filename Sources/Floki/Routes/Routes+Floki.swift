public import Backlot

extension Routes {
    /// Mounts a Floki app.
    ///
    /// ```swift
    /// router.floki("/floki") { app in
    ///     app.language("en", ["news": "News", .cancel: "Never mind"])
    ///     app.language("es", ["news": "Noticias"])
    ///     app.feed(news)
    ///     app.tab(1, "news", newsViewController(news).searchBar().rowHeight(60))
    /// }
    /// ```
    /// Clients first request the version indicator, at `/floki/v1-app`.
    ///
    /// - Parameters:
    ///   - path: the beginning of all paths of the app.
    ///   - configuration: settings such as the address under which clients reach the app.
    ///   - register: adds the app's languages, tabs, feeds and pages.
    /// - Returns: the app, to declare it anew while it is served.
    @discardableResult
    public func floki(
        _ path: String = "/floki",
        configuration: FlokiConfiguration = FlokiConfiguration(),
        file: String = #fileID,
        line: Int = #line,
        _ register: (FlokiApp) -> Void
    ) -> LiveFlokiApp {
        let source = CodeLocation(file: file, line: line)
        let app = FlokiApp { report($0, $1) }
        register(app)
        return FlokiMount(routes: self, path: path, configuration: configuration, source: source).add(app.declaration)
    }
}
