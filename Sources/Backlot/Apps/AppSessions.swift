/// The sessions of an app, for tools that show and change them. Only preview uses it; keep it away from strangers.
public struct AppSessions: Sendable {
    private enum Kind: Sendable {
        case cookie(SessionMiddleware)
        case token(mount: String, store: any SessionStore)
    }

    private let kind: Kind

    /// Sessions that a cookie identifies.
    public init(_ middleware: SessionMiddleware) { kind = .cookie(middleware) }

    /// Sessions that a token in each packet identifies.
    ///
    /// - Parameter mount: separates the app's sessions from those of other apps in the same store.
    public init(tokensOf mount: String, in store: any SessionStore) { kind = .token(mount: mount, store: store) }

    /// Whether a cookie identifies them, so that a tool can log a user in.
    package var isByCookie: Bool { if case .cookie = kind { true } else { false } }

    /// The session of a request; nil for a request without a session.
    ///
    /// - Parameter token: the token, for sessions that a token identifies.
    package func record(of request: Request, token: String?) async throws -> SessionRecord? {
        switch kind {
        case .cookie(let middleware):
            var keys: [SessionHash] = []
            CookieHeader.forEachSessionKey(in: request.headers) { keys.append($0) }
            for key in keys {
                guard let record = try await middleware.place.store.session(at: key).value else { continue }
                if record.mount == middleware.place.mount { return record }
            }
            return nil
        case .token(let mount, let store):
            guard let token, let record = try await store.session(at: SessionID(token: token).hash).value else {
                return nil
            }
            return record.mount == mount ? record : nil
        }
    }

    /// Ends a session, like its expiry.
    package func end(_ record: SessionRecord) async throws {
        switch kind {
        case .cookie(let middleware): try await middleware.place.store.remove(record.key)
        case .token(_, let store): try await store.remove(record.key)
        }
    }

    /// Logs a user in, like the app's own log-in.
    ///
    /// - Returns: a response with the cookie; nil for sessions without cookies.
    package func logIn(_ user: String, _ request: Request) async throws -> Response? {
        guard case .cookie(let middleware) = kind else { return nil }
        let logIn = FunctionHandler { request in
            try await request.session.logIn(user: user)
            return Response(status: .noContent)
        }
        return try await middleware.respond(to: request, next: logIn).response()
    }

    /// A response that makes the client forget its cookie while the session stays alive; nil for sessions without cookies.
    package func forgetCookie() -> Response? {
        guard case .cookie(let middleware) = kind else { return nil }
        var response = Response(status: .noContent)
        response.setSession(middleware.place.cookie(nil, isSecure: false))
        return response
    }
}

extension SessionRecord {
    /// The session as JSON, for people: the beginning of its key, and its values as stored. Values that aren't JSON are left out.
    package var json: JSONValue {
        var shown = JSONObject()
        for (name, bytes) in (SessionValues(decoding: values)?.entries ?? [:]).sorted(by: { $0.key < $1.key }) {
            shown[name] = (try? JSONValue(parsing: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
        }
        return [
            "key": .string(String("\(key)".prefix(12))),
            "user": user.map { .string($0) } ?? .null,
            "createdAt": .number(JSONNumber(Int64(createdAt))),
            "lastSeen": .number(JSONNumber(Int64(lastSeen))),
            "expiresAt": .number(JSONNumber(Int64(expiresAt))),
            "values": .object(shown),
        ]
    }
}
