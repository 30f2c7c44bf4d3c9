public import BacklotHTTP

private enum SessionAttribute: RequestAttribute {
    typealias Value = SessionScope
}

extension Request {
    /// The client's session. It is looked up when it is first asked for; a client without one gets an empty one, which is
    /// stored and gets a cookie once something is put into it or somebody logs in.
    ///
    /// ```swift
    /// let user = try await request.session.requireLogin()
    /// try await request.session[CartKey.self] = cart
    /// ```
    /// - Throws: `SessionError.noMiddleware` when the request passed no `SessionMiddleware`; `SessionStoreError` (503) when
    ///   the store can't be reached.
    public var session: Session {
        get async throws {
            guard let scope = attributes[SessionAttribute.self] else { throw SessionError.noMiddleware }
            return try await scope.session()
        }
    }

    /// The same request, with a session to be loaded.
    func with(_ scope: SessionScope) -> Request {
        var request = self
        request.attributes[SessionAttribute.self] = scope
        return request
    }
}
