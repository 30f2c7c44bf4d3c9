public import Backlot

extension ApplinApp {
    /// Adds a page: it answers GET, by which clients load it, and POST, by which they refresh it with its variables.
    ///
    /// Errors of `handler` are answered as text/plain: a `StatusError` with its status, a `UserError` with 422 and the
    /// text for the user, anything else with 500.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol.
    ///
    /// - Parameters:
    ///   - path: the page's path below the app's base URL, such as `/new_account`.
    ///   - samples: how `check` requests the page, for one with `{parameters}` or that somebody must be logged in for.
    ///   - unchecked: why neither `check` nor validation looks at the page, for one that misbehaves on purpose.
    ///   - handler: makes the page, once for each request.
    public func page(
        _ path: String,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> any Page
    ) {
        let source = CodeLocation(file: file, line: line)
        add(path, samples, unchecked, source, PageHandler(self, isExempt: unchecked != nil, .suspending(handler)))
    }

    // In debug builds this is left out: a forgotten `await` is then an error that says so, since the compiler doesn't take the
    // handler for this one.
    #if !DEBUG
    /// Adds a page whose handler never suspends: the same, and an eighth cheaper to answer.
    public func page(
        _ path: String,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> any Page
    ) {
        let source = CodeLocation(file: file, line: line)
        add(path, samples, unchecked, source, PageHandler(self, isExempt: unchecked != nil, .immediate(handler)))
    }
    #endif

    private func add(
        _ path: String,
        _ samples: [PageSample],
        _ exemption: String?,
        _ source: CodeLocation,
        _ handler: PageHandler
    ) {
        let appPath = pathInApp(path)
        pages.paths.append(appPath)
        routes.add(Route(.get, path, handler: handler, source: source))
        routes.add(Route(.post, path, handler: handler, source: source))
        let samples = samples.map { PageSample(pathInApp($0.path), user: $0.user ?? checkUser) }
        let isSample = samples.isEmpty && checkUser != nil && !appPath.contains("{")
        var page = CheckablePage(
            basePath: self.appPath,
            path: appPath,
            samples: isSample ? [PageSample(appPath, user: checkUser)] : samples,
            exemption: exemption,
            inspector: inspector,
            logIn: logIn
        )
        page.askers = choice?.askers(inspector.words) ?? []
        routes.add(page)
    }

    /// Adds a page that takes its variables as a value of a type of yours: nil when the client loads the page, by GET, and
    /// sends none.
    ///
    /// A variable that is missing or of another type is answered with 400, which names it.
    public func page<Input: Decodable & Sendable>(
        _ path: String,
        _ input: Input.Type,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input?, Request) async throws -> any Page
    ) {
        page(path, samples: samples, unchecked: unchecked, file: file, line: line) { request in
            guard request.method == .post else { return try await handler(nil, request) }
            return try await handler(try await request.variables(as: input), request)
        }
    }

    /// Not available: a text must be put into a page.
    @available(*, unavailable, message: "a string is not a page: write navPage(\"Title\") { text(…) }")
    public func page<Text: StringProtocol>(
        _ path: String,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        _ handler: @escaping @Sendable (Request) async throws -> Text
    ) {}

    /// Not available: a widget must be put into a page.
    @available(*, unavailable, message: "a widget is not a page: write navPage(\"Title\") { … } around it")
    public func page<Content: Widget>(
        _ path: String,
        samples: [PageSample] = [],
        unchecked: String? = nil,
        _ handler: @escaping @Sendable (Request) async throws -> Content
    ) {}
}
