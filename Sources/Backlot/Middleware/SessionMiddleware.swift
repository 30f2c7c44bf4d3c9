public import Logging

/// Gives requests to an app a session, identified by a cookie named `session` (RFC 6265).
///
/// ```swift
/// router.group("/", SessionMiddleware(path: "/", store: MemorySessionStore())) { group in
///     group.get("/me") { _, session in .text(session.user ?? "nobody") }
/// }
/// ```
/// The response carries the cookie, even the one for an `HTTPError`, which becomes a `Response` here. A response with the cookie
/// has `Cache-Control: no-store`.
public struct SessionMiddleware: Middleware {
    let place: SessionPlace

    private var configuration: SessionConfiguration { place.configuration }

    /// Sessions for an app.
    ///
    /// - Parameters:
    ///   - path: the path of the app's base URL, such as `/` or `/objects/`. Clients send the cookie with every request below it,
    ///     and the path separates the app's sessions from others. It begins and ends with a slash, and must be valid in a cookie's
    ///     attribute.
    ///   - store: the store of the sessions. Several apps may share one.
    ///   - configuration: the sessions' lifetimes and other settings.
    ///   - logger: logs failures of the store.
    public init(
        path: String,
        store: any SessionStore,
        configuration: SessionConfiguration = SessionConfiguration(),
        logger: Logger = Logger(label: "backlot.sessions")
    ) {
        precondition(
            path.hasSuffix("/") && SetCookie.isPath(path),
            "'\(path)' can't be a cookie's path: write one such as / or /objects/"
        )
        configuration.validate()
        place = SessionPlace(mount: path, store: store, configuration: configuration, logger: logger)
    }

    /// Handles a request with its session.
    ///
    /// - Throws: `StatusError` with 403 for a request that `SessionConfiguration.crossSiteDefence` refuses; the errors of `next`,
    ///   unless the response to one carries a cookie; `SessionStoreError` if a change can't be saved; `SessionError` if the handler
    ///   has left the session in an invalid state.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        try configuration.crossSiteDefence?.check(request)
        let notes = request.notes
        let outer = place.begin(notes)
        switch next.outcome(of: request) {
        case .ready(let result):
            // Usually there is nothing to save, and nothing to wait for.
            guard let scope = place.end(notes, outer), !scope.finishUnchanged() else {
                return .ready(try result.get())
            }
            return .pending { try await finish(result, scope, request).response }
        case .pending(let work):
            return .pending { try await finish(try await work(), place.end(notes, outer), request).response }
        }
    }

    /// Handles a request with its session, like `respond`, and returns the client's new id. It is for mocks, so it lets pages of other
    /// sites through: a web client under test may be one.
    ///
    /// - Returns: the response, and the new id as in its cookie; nil if the client keeps its id.
    package func exchange(
        _ request: Request,
        next: @Sendable (Request) async throws -> Response
    ) async throws -> (response: Response, issued: String?) {
        let notes = request.notes
        let outer = place.begin(notes)
        let result = await Result { try await next(request) }
        return try await finish(result, place.end(notes, outer), request)
    }

    /// A cookie with a new id for a client without a session, and the id. No store knows the id.
    package func anonymousCookie(for request: Request) -> (session: String, cookie: AnonymousCookie) {
        let id = configuration.makeID()
        let expiresAt = place.now + place.times.idle
        return (id.text, AnonymousCookie(cookie: cookie(id, expiresAt: expiresAt, request)))
    }

    private func finish(
        _ result: Result<Response, any Error>,
        _ scope: SessionScope?,
        _ request: Request
    ) async throws -> (response: Response, issued: String?) {
        guard let scope else { return (try result.get(), nil) }
        var response: Response
        let outcome: SessionOutcome
        switch result {
        case .success(let received):
            response = received
            outcome = try await scope.finish(.responded, request)
        case .failure(let error as any HTTPError):
            outcome = try await scope.finish(.responded, request)
            if case .unchanged = outcome { throw error }
            response = request.response(to: error)
        case .failure(let error):
            // The handler's error is more useful than one that the store may throw now, which is in the log.
            _ = try? await scope.finish(.failed, request)
            throw error
        }
        switch outcome {
        case .unchanged: return (response, nil)
        case .ended:
            response.setSession(cookie(nil, request))
            return (response, nil)
        case .issued(let id, let expiresAt):
            response.setSession(cookie(id, expiresAt: expiresAt, request))
            return (response, id.text)
        }
    }

    private func cookie(_ id: SessionID?, expiresAt: Int = 0, _ request: Request) -> SetCookie {
        place.cookie(id, expiresAt: expiresAt, isSecure: request.isSecure(trusting: configuration.trustedProxies))
    }
}

/// The cookie of a client with a session that no store knows.
package struct AnonymousCookie: Sendable {
    fileprivate let cookie: SetCookie

    /// Adds it to a response, which no cache may keep then.
    package func add(to response: inout Response) { response.setSession(cookie) }
}

/// Admits only logged-in users; others get 403 with a text.
///
/// ```swift
/// group.group("/members", RequireLogin()) { members in
///     members.get("/news") { _ in "Only for members" }
/// }
/// ```
/// It belongs in a group with a `SessionMiddleware`, or after one in the same group.
public struct RequireLogin: Middleware {
    private let text: String?

    /// Creates a middleware for groups.
    ///
    /// - Parameter text: the text for users who are not logged in; nil for `SessionConfiguration.logInText`.
    public init(_ text: String? = nil) { self.text = text }

    /// Checks that a user is logged in.
    ///
    /// - Throws: `StatusError` with 403 if no user is logged in.
    package func check(_ session: Session) throws { _ = try session.requireLogin(text) }

    /// Passes on a request of a logged-in user.
    ///
    /// - Throws: `StatusError` with 403 if no user is logged in; the errors of `Request.session` and of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        switch try request.readySession {
        case .ready(let session):
            try check(session)
            return try next.respond(to: request)
        case .pending(let work):
            return .pending {
                try check(await work())
                return try await next(request)
            }
        }
    }
}

/// The state that all sessions of an app share. Requests store only its number, so that one without a session takes no memory for
/// it.
final class SessionPlace: Sendable {
    static let numbered = NumberedObjects<SessionPlace>()

    /// The number that requests store.
    private let number = numbered.makeNumber()
    /// Separates the app's sessions from those of other apps in the same store.
    let mount: String
    let store: any SessionStore
    let configuration: SessionConfiguration
    let times: SessionTimes
    let logger: Logger

    /// The time, in seconds since 1970.
    var now: Int { configuration.clock.secondsSince1970 }

    init(mount: String, store: any SessionStore, configuration: SessionConfiguration, logger: Logger) {
        self.mount = mount
        self.store = store
        self.configuration = configuration
        times = SessionTimes(configuration)
        self.logger = logger
        Self.numbered[number] = self
    }

    deinit { Self.numbered[number] = nil }

    /// Makes these the sessions of a request.
    ///
    /// - Returns: the sessions of an outer middleware, for `end` to restore.
    func begin(_ notes: RequestNotes) -> OuterSession {
        let outer = notes.sessions
        notes.sessions = number
        // Sessions that have ended leave their scope in the notes.
        let scope = outer == 0 ? nil : notes.exchangeSession(nil)
        return (outer, outer > 0 ? scope : nil)
    }

    /// Restores the outer sessions. Without any, the session stays to be read.
    ///
    /// - Returns: the scope of the session; nil if the handler didn't use the session.
    func end(_ notes: RequestNotes, _ outer: OuterSession) -> SessionScope? {
        notes.sessions = outer.number > 0 ? outer.number : -number
        // A body that is written after the response's head still reads the session as the handler left it.
        guard outer.number > 0 else { return notes.sessionScope }
        return notes.exchangeSession(outer.scope) as? SessionScope
    }
}

/// The number and the scope of the outer sessions; 0 or less without any.
typealias OuterSession = (number: Int, scope: (any AnyObject & Sendable)?)

/// The cookie that gives a client its session's id, or removes it (RFC 6265, section 4.1).
extension SessionPlace {
    /// The cookie's name, which the protocols' clients require.
    static let cookieName = "session"

    /// The cookie. Clients that know `Max-Age` use it; `Expires` is for older clients.
    ///
    /// - Parameters:
    ///   - id: the session's id; nil to remove the cookie.
    ///   - expiresAt: the end of the id's life, in seconds since 1970.
    func cookie(_ id: SessionID?, expiresAt: Int = 0, isSecure: Bool) -> SetCookie {
        var cookie = SetCookie(unchecked: Self.cookieName, id?.text ?? "")
        cookie.path = mount
        cookie.maxAge = id == nil ? .zero : .seconds(max(0, expiresAt - now))
        cookie.expires = HTTPDate(secondsSince1970: expiresAt)
        cookie.sameSite = configuration.sameSite
        cookie.isHTTPOnly = true
        cookie.isSecure = isSecure
        return cookie
    }
}

extension Response {
    /// Sets a session's cookie. No cache may keep the response then (RFC 9111, section 7.3).
    mutating func setSession(_ cookie: SetCookie) {
        setCookie(cookie)
        let isFixed = CompressionFields.forbidsTransformation(headers[.cacheControl] ?? "")
        headers[.cacheControl] = isFixed ? "no-store, no-transform" : "no-store"
    }
}
