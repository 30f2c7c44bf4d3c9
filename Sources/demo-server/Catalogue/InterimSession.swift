import Backlot

/// The session of one request, until the framework keeps sessions.
actor InterimSession {
    private let store: InterimSessionStore
    private let mount: String
    /// The secret in the client's cookie; nil where the client has none, or shall have none.
    private(set) var id: String?

    init(id: String?, mount: String, store: InterimSessionStore) {
        self.id = id
        self.mount = mount
        self.store = store
    }

    /// Who is logged in; nil for nobody.
    var user: String? {
        get async { await entry?.user }
    }

    /// What `increment` has counted to.
    var count: Int {
        get async { await entry?.count ?? 0 }
    }

    /// Counts one up; a client without a session gets one.
    func increment() async {
        if let id, await entry != nil {
            await store.count(id)
        } else {
            id = await store.insert(InterimSessionStore.Entry(mount: mount, count: 1))
        }
    }

    /// Logs a user in, under a new secret.
    func logIn(user: String) async {
        let count = await count
        if let id { await store.remove(id) }
        id = await store.insert(InterimSessionStore.Entry(mount: mount, user: user, count: count))
    }

    /// Ends the session.
    func logOut() async {
        if let id { await store.remove(id) }
        id = nil
    }

    /// Ends all sessions of the user.
    func logOutEverywhere() async {
        if let user = await user { await store.removeAll(of: user, mount: mount) }
        id = nil
    }

    /// Ends the session without telling the client, as if it had become too old.
    func expire() async {
        if let id { await store.remove(id) }
    }

    private var entry: InterimSessionStore.Entry? {
        get async {
            guard let id, let entry = await store[id], entry.mount == mount else { return nil }
            return entry
        }
    }
}

private enum InterimSessionAttribute: RequestAttribute {
    typealias Value = InterimSession
}

extension Request {
    /// The request's session.
    var session: InterimSession {
        get throws {
            guard let session = attributes[InterimSessionAttribute.self] else {
                throw StatusError(.internalServerError, "there is no session here")
            }
            return session
        }
    }
}

/// Gives each request its session, and the client the cookie of it.
struct InterimSessionMiddleware: Middleware {
    let mount: DemoMount
    let store: InterimSessionStore

    func handle(_ request: Request, next: any Handler) async throws -> Response {
        let known = Self.id(in: request.headers[.cookie] ?? "")
        let session = InterimSession(id: known, mount: mount.path, store: store)
        var request = request
        request.attributes[InterimSessionAttribute.self] = session
        var response = try await next.handle(request)
        let id = await session.id
        if id != known {
            let maximumAge = id == nil ? 0 : 86_400
            response.headers[.setCookie] =
                "session=\(id ?? ""); Path=\(mount.path); Max-Age=\(maximumAge); HttpOnly; SameSite=Lax"
        }
        return response
    }

    /// The first cookie named `session`: that of the longest path, where clients have several (RFC 6265, section 5.4).
    private static func id(in header: String) -> String? {
        for cookie in header.split(separator: ";") {
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first == "session", parts.count == 2 { return String(parts[1]) }
        }
        return nil
    }
}
