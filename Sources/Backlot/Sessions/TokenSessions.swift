package import Logging

/// Sessions that a token in each request's body identifies, instead of a cookie: for protocols with tokens.
///
/// As with cookies, a log-in gives the session a new token (`Session.token`), and the old one ends. A log-out keeps the token.
package struct TokenSessions: Sendable {
    private let place: SessionPlace

    /// Sessions of an app.
    ///
    /// - Parameters:
    ///   - mount: separates the app's sessions from those of other apps in the same store.
    ///   - store: the store of the sessions.
    ///   - configuration: their lifetimes. No cookie limits `absoluteTimeout` here.
    package init(mount: String, store: any SessionStore, configuration: SessionConfiguration, logger: Logger) {
        precondition(configuration.idleTimeout >= .seconds(1), "a session must live for 1 second at least")
        place = SessionPlace(mount: mount, store: store, configuration: configuration, logger: logger)
    }

    /// A new token that can't be guessed.
    package func makeToken() -> String { place.configuration.makeToken().text }

    /// Whether a text has the form of a token. Only the store knows whether the session exists.
    package static func canBeToken(_ text: String) -> Bool {
        text.utf8.count == 36 && text.utf8.isUUID && !text.utf8.contains { (0x41...0x46).contains($0) }
    }

    /// Ends the session of a token, like its expiry.
    package func end(_ token: String) async throws { try await place.store.remove(SessionID(token: token).hash) }

    /// Calls `body` with the session of a token, and saves its changes.
    ///
    /// - Parameters:
    ///   - token: the token from the client.
    ///   - request: the request with the token.
    ///   - isNew: whether the session begins now, with a token from `makeToken`. It is stored once it has contents.
    /// - Returns: nil for an unknown token; then `body` isn't called.
    /// - Throws: the errors of `body`, and `SessionStoreError` or `SessionError` as for sessions with a cookie.
    package func withSession<Result>(
        _ token: String,
        of request: Request,
        isNew: Bool = false,
        _ body: (Session) async throws -> Result
    ) async throws -> Result? {
        let id = SessionID(token: token)
        let scope = SessionScope(place, .known(isNew ? nil : id.hash), token: id)
        let session = try await scope.session(of: request).value
        guard isNew || session.isStored else { return nil }
        let result: Result
        do {
            result = try await body(session)
        } catch {
            // The client of a new session gets no token, so the session isn't kept.
            _ = try? await scope.finish(error is any HTTPError && !isNew ? .responded : .failed, request)
            throw error
        }
        _ = try await scope.finish(.responded, request)
        return result
    }
}

extension SessionConfiguration {
    /// A new token: a random UUID (RFC 9562, section 5.4).
    func makeToken() -> SessionID {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimalText }
        return SessionID(token: groups.joined(separator: "-"))
    }
}
