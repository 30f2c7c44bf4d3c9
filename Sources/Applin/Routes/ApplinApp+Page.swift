public import Backlot

extension ApplinApp {
    /// Adds a page. Clients load it by GET, and refresh it by POST with its variables.
    ///
    /// Errors of `handler` become responses in text/plain: a `StatusError` with its status, a `UserError` with 422 and the text for
    /// the user, any other error with 500.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol.
    ///
    /// A handler that never suspends needs no task, which makes it an eighth cheaper.
    ///
    /// ```swift
    /// app.page("/") { request in
    ///     let user = try await request.session.user
    ///     return navPage("Home") { text("Hello, \(user ?? "stranger")!") }
    /// }
    /// ```
    /// - Parameters:
    ///   - path: the page's path below the app's base URL, such as `/new_account`.
    ///   - samples: sample requests for `check`, if the path has `{parameters}` or the page needs a log-in.
    ///   - unchecked: the reason why `check` and validation skip the page, for one that breaks rules on purpose.
    ///   - handler: makes the page, once for each request.
    /// - Returns: the page, for `push` and `replaceAll`.
    @discardableResult public func page(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .suspending(handler))
    }

    /// Adds a page with a handler that never suspends.
    ///
    /// ```swift
    /// app.page("/terms") { _ in navPage("Terms") { text("Be kind.") } }
    /// ```
    @discardableResult public func page(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .immediate(handler))
    }

    /// Adds a page with a handler that runs on the main actor, such as a function of a module with that default isolation.
    @discardableResult public func page<Failure: Error>(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Request) throws(Failure) -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .suspending { try await handler($0) })
    }

    /// Adds a page with a parameter in its path. Its handler and its links use a value of your type for the parameter.
    ///
    /// ```swift
    /// let plot = app.page("/plots/{id}", id: Int.self) { id, _ in navPage("Plot \(id)") { text("Roses") } }
    /// navButton("Plot 7", push(plot, id: 7))
    /// ```
    /// For a text that can't be converted, the client gets a 400.
    @discardableResult public func page<ID: RouteID>(
        _ path: String,
        id: ID.Type,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (ID, Request) async throws -> any Page
    ) -> PageRoute<ID> {
        let read = reader(of: path, id, file, line)
        return add(path, samples, unchecked, file, line, .suspending { try await handler(read($0), $0) })
    }

    /// Adds a page with a handler that takes the path's parameter and never suspends.
    @discardableResult public func page<ID: RouteID>(
        _ path: String,
        id: ID.Type,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (ID, Request) throws -> any Page
    ) -> PageRoute<ID> {
        let read = reader(of: path, id, file, line)
        return add(path, samples, unchecked, file, line, .immediate { try handler(read($0), $0) })
    }

    /// Adds a page that shows values of the session; otherwise like a page without it. The app must have sessions.
    ///
    /// ```swift
    /// app.page("/") { _, session in
    ///     navPage("Clinic") { text("Hello \(session.user ?? "stranger")!") }
    /// }
    /// ```
    /// It is cheaper than a page that awaits `request.session`, unless its handler suspends.
    @discardableResult public func page(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request, Session) async throws -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .suspending { try await handler($0, $0.session) })
    }

    /// Adds a page with a handler that takes the session and never suspends.
    @discardableResult public func page(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request, Session) throws -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .withSession(handler))
    }

    /// Adds a page with a handler that takes the session and runs on the main actor.
    @discardableResult public func page<Failure: Error>(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Request, Session) throws(Failure) -> any Page
    ) -> PageRoute<Never> {
        add(path, samples, unchecked, file, line, .suspending { try await handler($0, $0.session) })
    }

    /// Adds a page that takes its variables as a value of your type; nil when the client loads the page by GET, without variables.
    ///
    /// A missing variable, or one of another type, counts as unset: an empty text, or a box that is off. If the type has no such
    /// value, the whole input is nil. So clients that still show the page of an earlier version of your app get a page too.
    ///
    /// ```swift
    /// app.page("/search", SignUp.self) { input, _ in
    ///     formPage("Search") {
    ///         textfield("Name", varName: "name")
    ///         if let input { text("Nobody is called \(input.name).") }
    ///     }
    /// }
    /// ```
    @discardableResult public func page<Input: Decodable & Sendable>(
        _ path: String,
        _ input: Input.Type,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input?, Request) async throws -> any Page
    ) -> PageRoute<Never> {
        add(
            path,
            samples,
            unchecked,
            file,
            line,
            .suspending { try await handler($0.method == .post ? $0.variables(as: input) : nil, $0) }
        )
    }

    /// Adds a page with a handler that takes its variables and never suspends: loading the page needs no task.
    @discardableResult public func page<Input: Decodable & Sendable>(
        _ path: String,
        _ input: Input.Type,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input?, Request) throws -> any Page
    ) -> PageRoute<Never> {
        let read: @Sendable (Request) async throws -> Input = { try await $0.variables(as: input) }
        return page(path, samples: samples, unchecked: unchecked, file: file, line: line, reading: read, handler)
    }

    /// Adds a page with a handler that takes its variables and runs on the main actor.
    @discardableResult public func page<Input: Decodable & Sendable, Failure: Error>(
        _ path: String,
        _ input: Input.Type,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @MainActor @Sendable (Input?, Request) throws(Failure) -> any Page
    ) -> PageRoute<Never> {
        add(
            path,
            samples,
            unchecked,
            file,
            line,
            .suspending { try await handler($0.method == .post ? $0.variables(as: input) : nil, $0) }
        )
    }

    /// Adds a page with a handler that takes a value read from a refresh, nil from a load, and never suspends.
    @discardableResult package func page<Sent: Sendable>(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        file: String = #fileID,
        line: Int = #line,
        reading read: @escaping @Sendable (Request) async throws -> Sent,
        _ handler: @escaping @Sendable (Sent?, Request) throws -> any Page
    ) -> PageRoute<Never> {
        let maker = PageHandler.Maker.refreshed(
            load: { try handler(nil, $0) },
            refresh: { try handler(await read($0), $0) }
        )
        return add(path, samples, unchecked, file, line, maker)
    }

    @discardableResult func add<ID>(
        _ path: String,
        _ samples: [CheckSample],
        _ exemption: String?,
        _ file: String,
        _ line: Int,
        _ maker: PageHandler.Maker
    ) -> PageRoute<ID> {
        let handler = PageHandler(self, isExempt: exemption != nil, maker)
        let source = CodeLocation(file: file, line: line)
        let appPath = pathInApp(path)
        pages.paths.append(appPath)
        routes.add(Route(.get, path, handler: handler, source: source))
        routes.add(Route(.post, path, handler: handler, source: source))
        let samples = samples.map { CheckSample(pathInApp($0.path), user: $0.user ?? checkUser) }
        let isSample = samples.isEmpty && checkUser != nil && !appPath.contains("{")
        var page = CheckablePage(
            basePath: self.appPath,
            path: appPath,
            samples: isSample ? [CheckSample(appPath, user: checkUser)] : samples,
            exemption: exemption,
            inspector: inspector,
            logIn: logIn
        )
        page.clients = choice?.pageClients(inspector.words) ?? []
        routes.add(page)
        return PageRoute(appPath)
    }

    /// Not available: a text must be put into a page.
    @available(*, unavailable, message: "a string is not a page: write navPage(\"Title\") { text(…) }")
    public func page<Text: StringProtocol>(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        _ handler: @escaping @Sendable (Request) async throws -> Text
    ) {}

    /// Not available: a widget must be put into a page.
    @available(*, unavailable, message: "a widget is not a page: write navPage(\"Title\") { … } around it")
    public func page<Content: Widget>(
        _ path: String,
        samples: [CheckSample] = [],
        unchecked: String? = nil,
        _ handler: @escaping @Sendable (Request) async throws -> Content
    ) {}
}
