public import Backlot
internal import Logging

extension ApplinApp {
    /// Adds an rpc. It responds to POST with an empty body, which clients take for success.
    ///
    /// Errors of `handler` become responses in text/plain: a `StatusError` with its status, a `UserError` with 422 and the text for
    /// the user, any other error with 500. The client then stops the list of actions with the rpc.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol.
    ///
    /// ```swift
    /// app.rpc("/log_out") { request in try await request.session.logOut() }
    /// ```
    /// - Parameters:
    ///   - path: the rpc's path below the app's base URL, such as `/create_account`.
    ///   - handler: carries out the user's request. `request.variables()` are the page's variables.
    /// - Returns: the rpc, for the action `rpc`.
    @discardableResult public func rpc(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) -> RPCRoute<Never> {
        rpc(path, nil, CodeLocation(file: file, line: line), handler)
    }

    func rpc(
        _ path: String,
        _ fields: InputFields?,
        _ source: CodeLocation,
        _ handler: @escaping @Sendable (Request) async throws -> Void
    ) -> RPCRoute<Never> {
        RPCRoute(add(.post, path, source, ActionHandler(perform: handler), variables: fields?.required ?? []))
    }

    /// Adds an rpc with a parameter in its path. Its handler and its actions use a value of your type for the parameter.
    ///
    /// For a text that can't be converted, the client gets a 400.
    ///
    /// ```swift
    /// let water = app.rpc("/plots/{id}/water", id: Int.self) { id, _ in await plots.water(id) }
    /// formButton("Water", rpc(water, id: 7), poll())
    /// ```
    @discardableResult public func rpc<ID: RouteID>(
        _ path: String,
        id: ID.Type,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (ID, Request) async throws -> Void
    ) -> RPCRoute<ID> {
        let read = reader(of: path, id, file, line)
        let source = CodeLocation(file: file, line: line)
        return RPCRoute(add(.post, path, source, ActionHandler { try await handler(read($0), $0) }))
    }

    /// Adds a route that is called for its effect, and returns its path in the app.
    func add(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ source: CodeLocation,
        _ handler: ActionHandler,
        variables: [String] = []
    ) -> String {
        var route = Route(method, path, handler: handler, source: source)
        route.requiredVariables = variables
        routes.add(route)
        return pathInApp(path)
    }

    /// Not an rpc: the result of `handler` would be dropped, since clients take an empty body for success. The server doesn't start.
    @available(*, deprecated, message: "an rpc's response is empty: return nothing, and throw UserError(…) to refuse")
    public func rpc<Response: DroppedResponse>(
        _ path: String,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        let fix = "return nothing, throw UserError(…) to refuse, or add a route for anything else"
        routes.report(
            "the rpc '\(path)' returns a \(Response.self), which no client sees: \(fix)",
            CodeLocation(file: file, line: line)
        )
    }

    /// Adds an rpc that takes the page's variables as a value of your type.
    ///
    /// If a variable is missing or of another type, the client gets a 400 that names it.
    ///
    /// ```swift
    /// app.rpc("/sign_up", SignUp.self) { input, request in
    ///     guard input.name.count > 2 else { throw UserError("Please write 3 characters or more.") }
    ///     try await request.session.logIn(user: input.name)
    /// }
    /// ```
    @discardableResult public func rpc<Input: Decodable & Sendable>(
        _ path: String,
        _ input: Input.Type,
        file: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Input, Request) async throws -> Void
    ) -> RPCRoute<Never> {
        rpc(path, InputFields(of: input), CodeLocation(file: file, line: line)) { request in
            try await handler(try await request.variables(as: input), request)
        }
    }
}

/// A type that an rpc must not return: a response or a page. Clients expect an empty body.
public protocol DroppedResponse {}

extension Response: DroppedResponse {}

/// Responds to requests that clients send for their effect: rpcs and uploads.
struct ActionHandler: Handler {
    let perform: @Sendable (Request) async throws -> Void

    func respond(to request: Request) -> HandlerResult {
        .pending {
            do {
                try await perform(request)
                return Response()
            } catch {
                throw error.shown(to: request)
            }
        }
    }
}

extension Error {
    /// The error as clients show it. For 413 they would only show "Error in app". The log reports texts that users won't see
    /// completely.
    func shown(to request: Request) -> any Error {
        if case RequestError.bodyTooLarge(let limit)? = self as? RequestError {
            return UserError("This is too much to send at once. Please send \(UserError.size(limit)) or less.")
        }
        if case .input(let problem)? = (self as? VariableError)?.problem {
            // Its own text names the variable, which users don't know.
            return UserError("Please correct the form: a value \(problem).")
        }
        if let error = self as? UserError, error.reason.count > UserError.shownCharacters {
            Logger(label: "backlot.applin").warning(
                "\(request.method) \(request.path): clients show \(UserError.shownCharacters) of this error's \(error.reason.count) characters"
            )
        }
        return self
    }
}

extension UserError {
    /// The number of characters of a text that clients show.
    static let shownCharacters = 1000

    /// A number of bytes, for people.
    static func size(_ bytes: Int) -> String {
        bytes >= 1024 * 1024 ? "\(bytes / 1024 / 1024) MB" : bytes >= 1024 ? "\(bytes / 1024) KB" : "\(bytes) bytes"
    }
}
