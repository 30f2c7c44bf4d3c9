public import BacklotHTTP
internal import HTTPTypes
public import Logging

/// Gives the requests to an app a session, by a cookie named `session` (RFC 6265).
///
/// ```swift
/// router.group("/", SessionMiddleware(path: "/", store: MemorySessionStore())) { app in … }
/// ```
/// The cookie goes out with the answer, also with that to an `HTTPError`, which becomes a `Response` here. An answer with
/// the cookie has `Cache-Control: no-store`.
public struct SessionMiddleware: Middleware {
    let path: String
    let store: any SessionStore
    let configuration: SessionConfiguration
    private let logger: Logger

    /// Sessions for an app.
    ///
    /// - Parameters:
    ///   - path: the path of the app's base URL, such as `/` or `/objects/`. Clients send the cookie with every request
    ///     below it, and the app knows its own sessions by it. It begins and ends with a slash and has none of the
    ///     characters that end a cookie's attribute.
    ///   - store: where sessions are kept. Several apps may share one.
    ///   - configuration: how long they live, and more.
    ///   - logger: where failures of the store are noted.
    public init(
        path: String,
        store: any SessionStore,
        configuration: SessionConfiguration = SessionConfiguration(),
        logger: Logger = Logger(label: "backlot.sessions")
    ) {
        precondition(SessionCookie.isPath(path), "'\(path)' can't be a cookie's path: write one such as / or /objects/")
        configuration.validate()
        self.path = path
        self.store = store
        self.configuration = configuration
        self.logger = logger
    }

    /// Handles a request with its session.
    ///
    /// - Throws: what `next` throws, unless the answer to it has a cookie; `SessionStoreError` when a change can't be saved;
    ///   `SessionError` when the handler has left something that can't be.
    public func answer(_ request: Request, next: any Handler) throws -> Answer {
        let headers = request.headers
        let scope = SessionScope(
            mount: path,
            store: store,
            configuration: configuration,
            logger: logger,
            observation: request.observation
        ) { CookieHeader.sessionIDs(in: headers) }
        return try .of({ try next.answer(request.with(scope)) }) { result in
            // Nobody has asked for the session: there is nothing to save, and nothing to wait for.
            if scope.finishUnused() { return .ready(try result.get()) }
            return .pending { try await finish(result, scope, request) }
        }
    }

    private func finish(
        _ result: Result<Response, any Error>,
        _ scope: SessionScope,
        _ request: Request
    ) async throws -> Response {
        switch result {
        case .success(var response):
            if let cookie = cookie(for: try await scope.finish(.answered), request) { cookie.add(to: &response) }
            return response
        case .failure(let error as any HTTPError):
            guard let cookie = cookie(for: try await scope.finish(.answered), request) else { throw error }
            var response = Response(error)
            cookie.add(to: &response)
            return response
        case .failure(let error):
            // What the handler has thrown says more than what the store may throw now, which is in the log.
            _ = try? await scope.finish(.failed)
            throw error
        }
    }

    private func cookie(for outcome: SessionOutcome, _ request: Request) -> SessionCookie? {
        let content: SessionCookie.Content
        switch outcome {
        case .unchanged: return nil
        case .ended: content = .nothing
        case .issued(let id, let expiresAt):
            content = .id(id, expiresAt: expiresAt, now: configuration.clock.secondsSince1970)
        }
        let isSecure = ForwardedProtocol.isHTTPS(request, trusting: configuration.trustedProxies)
        return SessionCookie(content: content, path: path, sameSite: configuration.sameSite, isSecure: isSecure)
    }
}
