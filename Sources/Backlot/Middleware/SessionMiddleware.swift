public import Logging

/// Gives the requests to an app a session, by a cookie named `session` (RFC 6265).
///
/// ```swift
/// router.group("/", SessionMiddleware(path: "/", store: MemorySessionStore())) { app in … }
/// ```
/// The cookie goes out with the answer, also with that to an `HTTPError`, which becomes a `Response` here. An answer with
/// the cookie has `Cache-Control: no-store`.
public struct SessionMiddleware: Middleware {
    let place: SessionPlace

    private var configuration: SessionConfiguration { place.configuration }

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
        precondition(
            path.hasSuffix("/") && SetCookie.isPath(path),
            "'\(path)' can't be a cookie's path: write one such as / or /objects/"
        )
        configuration.validate()
        place = SessionPlace(mount: path, store: store, configuration: configuration, logger: logger)
    }

    /// Handles a request with its session.
    ///
    /// - Throws: `StatusError` with 403 for what `SessionConfiguration.crossSiteDefence` refuses; what `next` throws, unless the answer
    ///   to it has a cookie; `SessionStoreError` when a change can't be saved;
    ///   `SessionError` when the handler has left something that can't be.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        try configuration.crossSiteDefence?.check(request)
        let notes = request.notes
        let outer = place.begin(notes)
        switch next.outcome(of: request) {
        case .ready(let result):
            // Most often there is nothing to save, and nothing to wait for.
            guard let scope = place.end(notes, outer), !scope.finishUnchanged() else {
                return .ready(try result.get())
            }
            return .pending { try await finish(result, scope, request).response }
        case .pending(let work):
            return .pending { try await finish(try await work(), place.end(notes, outer), request).response }
        }
    }

    /// Handles a request with its session, and says which id the client has got by it; otherwise as `answer`.
    ///
    /// - Returns: the answer, and the new id as the cookie in it has it; nil where the client keeps what it has.
    package func exchange(
        _ request: Request,
        next: @Sendable (Request) async throws -> Response
    ) async throws -> (response: Response, issued: String?) {
        let notes = request.notes
        let outer = place.begin(notes)
        let result = await Result { try await next(request) }
        return try await finish(result, place.end(notes, outer), request)
    }

    /// A cookie for a client that has no session yet, and its value. No store knows the id.
    package func anonymousCookie(for request: Request) -> (session: String, cookie: AnonymousCookie) {
        let id = configuration.makeID()
        let expiresAt = place.now + Int(configuration.idleTimeout.components.seconds)
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
            response = Response(error)
        case .failure(let error):
            // What the handler has thrown says more than what the store may throw now, which is in the log.
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

/// The cookie of a client whose session no store knows.
package struct AnonymousCookie: Sendable {
    fileprivate let cookie: SetCookie

    /// Adds it to an answer, which nothing on the way may keep then.
    package func add(to response: inout Response) { response.setSession(cookie) }
}

/// Lets only logged-in users in; others get 403 with a text.
///
/// ```swift
/// app.group("", RequireLogin()) { members in … }
/// ```
/// It stands inside a group with a `SessionMiddleware`, or after one in the same group.
public struct RequireLogin: Middleware {
    private let text: String?

    /// A middleware for groups.
    ///
    /// - Parameter text: the text for users who are not logged in; nil for `SessionConfiguration.logInText`.
    public init(_ text: String? = nil) { self.text = text }

    /// Lets a user in who is logged in.
    ///
    /// - Throws: `StatusError` with 403 when no user is logged in.
    package func check(_ session: Session) throws { _ = try session.requireLogin(text) }

    /// Hands on a request of a user who is logged in.
    ///
    /// - Throws: `StatusError` with 403 when no user is logged in, what `Request.session` throws, and what `next` does.
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

/// What all sessions of an app have in common. Requests note it by its number, so that one without a session takes no memory for it.
final class SessionPlace: Sendable {
    static let numbered = NumberedObjects<SessionPlace>()

    /// The number by which requests note it.
    private let number = numbered.makeNumber()
    /// Tells the app's sessions from those of other apps in the same store.
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

    /// Gives a request its sessions from now on.
    ///
    /// - Returns: the sessions of a middleware further out, which come back at the end.
    func begin(_ notes: RequestNotes) -> OuterSession {
        let outer = notes.sessions
        notes.sessions = number
        return (outer, outer > 0 ? notes.exchangeSession(nil) : nil)
    }

    /// Ends that.
    ///
    /// - Returns: the scope of the session; nil where nobody has asked for the session.
    func end(_ notes: RequestNotes, _ outer: OuterSession) -> SessionScope? {
        notes.sessions = outer.number > 0 ? outer.number : -number
        return notes.exchangeSession(outer.scope) as? SessionScope
    }
}

/// The number and the scope of the sessions that a request had before; 0 or less for none.
typealias OuterSession = (number: Int, scope: (any AnyObject & Sendable)?)

/// The cookie that tells a client its session's id, or to forget it (RFC 6265, section 4.1).
extension SessionPlace {
    /// The name that clients of the protocols look for.
    static let cookieName = "session"

    /// The cookie. `Max-Age` counts where it is known; `Expires` is for older clients.
    ///
    /// - Parameters:
    ///   - id: the session's id; nil to forget it.
    ///   - expiresAt: when the id ends, in seconds since 1970.
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
    /// Sets a session's cookie. Nothing on the way may keep the answer then (RFC 9111, section 7.3).
    mutating func setSession(_ cookie: SetCookie) {
        setCookie(cookie)
        headers[.cacheControl] = "no-store"
    }
}
