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

    private func add(
        _ path: String,
        _ samples: [PageSample],
        _ exemption: String?,
        _ source: CodeLocation,
        _ handler: PageHandler
    ) {
        pages.paths.append(path)
        routes.add(Route(.get, path, handler: handler, source: source))
        routes.add(Route(.post, path, handler: handler, source: source))
        routes.add(
            CheckablePage(
                basePath: basePath,
                path: path,
                samples: samples,
                exemption: exemption,
                inspector: inspector,
                logIn: logIn
            )
        )
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
}
