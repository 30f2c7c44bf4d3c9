public import Backlot

extension Router {
    /// Shows the apps that are mounted already in a browser: open a page's own URL.
    ///
    /// ```swift
    /// router.applin("/") { addPages(to: $0) }
    /// router.preview(LocalAccess(host: host))
    /// try await Server(router, host: host).run()
    /// ```
    /// Clients of the protocols get what they got before: only a GET of a page whose `Accept` names `text/html` is answered with
    /// preview. To be called after the apps were mounted, and after other middlewares, such as `Compression`, were added.
    ///
    /// - Parameter access: who may use it; others get 404. With a token, a browser is let in once it has opened
    ///   `/__preview/enter?token=TOKEN`.
    /// - Returns: the preview, which tells browsers that pages have changed.
    @discardableResult
    public func preview(_ access: LocalAccess, file: String = #fileID, line: Int = #line) -> Preview {
        let source = CodeLocation(file: file, line: line)
        if apps().isEmpty { report("there is no app to preview: call preview() after the apps were mounted", source) }
        let preview = Preview(access, apps: apps)
        for route in preview.routes(source) { add(route) }
        use(preview)
        return preview
    }
}

extension Preview {
    /// The requests of the shell in the browser.
    func routes(_ source: CodeLocation) -> [Route] {
        let files = WebFiles()
        return [
            Route(
                .get,
                PreviewPaths.root + "/web/{path...}",
                handler: WebFileHandler(files: files, access: access),
                source: source
            ),
            page("/", source),
            page("", source),
            Route(.get, PreviewPaths.root + "/enter", handler: EnterHandler(access: access), source: source),
            call(.get, "/events", source) { [hub, instance, brokenFiles] _ in
                try EventStream(hub: hub, instance: instance) { brokenFiles.withLock { $0 } }.response()
            },
            call(.post, "/inspect", source) { [self] request in
                try await InspectCall(request, apps: apps).response
            },
            call(.post, "/schema", source) { [self] request in
                try await SchemaCall(request, apps: apps).response
            },
            call(.post, "/swift", source) { [self] request in
                try await SwiftSourceCall(request, apps: apps).response
            },
            call(.get, "/machine", source) { [access] _ in MachineCall.response(access) },
            call(.post, "/qr", source) { try await QRCall($0).response },
        ]
    }

    /// The response to a request that reads or changes a session; nil for all other requests.
    ///
    /// Cookies go out with requests below their path alone, so that each app has its own call; apps may come and go meanwhile.
    func sessionResponse(_ request: Request) -> HandlerResult? {
        guard request.method == .post, request.path.hasSuffix(PreviewPaths.session) else { return nil }
        let basePath = request.path.dropLast(PreviewPaths.session.count)
        let sessions = apps.filter {
            $0.basePath.hasSuffix("/") ? $0.basePath.dropLast() == basePath : $0.basePath == basePath
        }
        .compactMap(\.sessions)
        guard !sessions.isEmpty else { return nil }
        return .pending { [self] in
            try await guarded(request) { try await SessionCall($0, sessions).response($0) }
        }
    }

    /// The list of apps.
    private func page(_ path: String, _ source: CodeLocation) -> Route {
        let handler = FunctionHandler { [self] request in
            guard access.admitsPreview(request) else {
                throw StatusError.nothingResponds(at: request.path)
            }
            return HomePage(apps).response
        }
        return Route(.get, PreviewPaths.root + path, handler: handler, source: source)
    }

    private func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ source: CodeLocation,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) -> Route {
        let guardedHandler = FunctionHandler { [self] request in try await guarded(request, handler) }
        return Route(method, PreviewPaths.root + path, handler: guardedHandler, source: source)
    }

    /// Handles a call that only the shell can make: it needs the token that no page of an app knows.
    private func guarded(
        _ request: Request,
        _ handler: @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        guard access.admitsPreview(request), PreviewToken.isIn(request) else {
            throw StatusError.nothingResponds(at: request.path)
        }
        var response = try await handler(request)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
