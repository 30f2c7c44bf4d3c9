internal import Logging

/// The session of a request: the logged-in user, and values that the app keeps for a client.
///
/// Get it with `try await request.session`, and use it from any task. Changes are saved once, when the handler has returned, before
/// the response is sent:
/// * after a response or an `HTTPError`, all changes are saved;
/// * after any other error (500) the handler has stopped halfway, so only the loss of rights is saved: log-outs, and the end of a
///   user's session that was to get a new id.
///
/// Concurrent requests may change one session. Changes to different values are all kept. Of changes to the same value, only the
/// last saved one is kept, unless `update(_:_:)` made it. If another request has ended or renewed the session in the meantime, all
/// changes are dropped, except a log-in.
public final class Session: Sendable {
    private let scope: SessionScope

    /// The session of a scope that is already loaded.
    init(_ scope: SessionScope) { self.scope = scope }

    /// The name of the logged-in user; nil without one.
    public var user: String? { scope.read { $0.user } }

    /// The token that identifies the session after the response: a new one after a log-in; nil for a session with a cookie.
    package var token: String? { scope.token?.text }

    /// Whether the store had the session at the start of the request.
    package var isStored: Bool { scope.read { $0.choice.record != nil } }

    /// The name of the logged-in user.
    ///
    /// ```swift
    /// let user = try await request.session.requireLogin()
    /// ```
    /// - Parameter text: the text for users who are not logged in; nil for `SessionConfiguration.logInText`.
    /// - Throws: `StatusError` with 403 if no user is logged in.
    public func requireLogin(_ text: String? = nil) throws -> String {
        guard let user else { throw StatusError(.forbidden, text ?? scope.place.configuration.logInText) }
        return user
    }

    /// Logs a user in. The session gets a new id, its old id becomes invalid, and its lifetime starts again.
    ///
    /// Its values stay, unless they belong to another user.
    ///
    /// ```swift
    /// try await request.session.logIn(user: "ann")
    /// ```
    /// - Parameter user: the user's name, always the same and not empty.
    /// - Throws: `SessionError`, if the name is empty or the response has been made.
    public func logIn(user: String) throws {
        guard !user.isEmpty else { throw SessionError.emptyUser }
        try scope.change { $0.logIn(user) }
    }

    /// Ends the session: it is deleted from the store, and the client must delete its cookie.
    ///
    /// Values that are set afterwards belong to a new session.
    ///
    /// ```swift
    /// try await request.session.logOut()
    /// ```
    /// - Throws: `SessionError`, if the response has been made.
    public func logOut() throws { try scope.change { $0.logOut() } }

    /// Ends this session and all others of its user in this app, on other devices too.
    ///
    /// A later `logIn(user:)` in the same request keeps the user logged in on this device.
    ///
    /// - Throws: `SessionError`, if the response has been made.
    public func logOutEverywhere() throws { try scope.change { $0.logOutEverywhere() } }

    /// Gives the session a new id and makes the old one invalid. Call it when the user's rights change.
    ///
    /// - Throws: `SessionError`, if the response has been made.
    public func renew() throws { try scope.change { $0.renew() } }

    /// A value; nil if it isn't set, or can't be decoded as its current type.
    public subscript<Key: SessionKey>(key: Key.Type) -> Key.Value? {
        let bytes = scope.readValues { $0.values.entries[Key.name] }
        return bytes.flatMap { decoded($0, for: key) }
    }

    /// Sets a value; nil removes it.
    ///
    /// ```swift
    /// try await request.session.set(CartKey.self, to: ["tea"])
    /// ```
    /// - Throws: `SessionError`, if the value can't be encoded or the response has been made.
    public func set<Key: SessionKey>(_ key: Key.Type, to value: Key.Value?) throws {
        let bytes: [UInt8]? = if let value { try SessionCoding.encode(value, for: key) } else { nil }
        try scope.change { $0.set(Key.name, to: bytes) }
    }

    /// Changes a value based on its current state, such as a counter, so that no other request's change is lost.
    ///
    /// ```swift
    /// try await request.session.update(CartKey.self) { $0 = ($0 ?? []) + ["milk"] }
    /// ```
    /// - Parameters:
    ///   - key: the value's key.
    ///   - body: changes the value, which is nil if it isn't set. It is called again if another request has saved the session
    ///     first.
    /// - Throws: `SessionError`, if the new value can't be encoded or the response has been made.
    public func update<Key: SessionKey>(
        _ key: Key.Type,
        _ body: @escaping @Sendable (inout Key.Value?) -> Void
    ) throws {
        let update: ValueChanges.Update = { bytes throws(SessionError) in
            var value = bytes.flatMap { SessionCoding.decode($0, for: Key.self) }
            body(&value)
            guard let value else { return nil }
            return try SessionCoding.encode(value, for: Key.self)
        }
        // The body runs outside the lock, because it may use the session itself.
        while true {
            let (old, revision) = scope.readValues { ($0.values.entries[Key.name], $0.revision) }
            let new = try update(old)
            let isDone = try scope.change { state in
                guard state.revision == revision else { return false }
                state.update(Key.name, to: new, update)
                return true
            }
            if isDone { return }
        }
    }

    private func decoded<Key: SessionKey>(_ bytes: [UInt8], for key: Key.Type) -> Key.Value? {
        let value = SessionCoding.decode(bytes, for: key)
        if value == nil {
            let logger = scope.place.logger
            logger.warning("the session's value '\(Key.name)' can't be read as \(Key.Value.self), and is ignored")
        }
        return value
    }
}

extension Request {
    /// The client's session, loaded at first use. A client without a session gets an empty one. It is stored and gets a cookie once
    /// the handler sets a value or logs a user in.
    ///
    /// ```swift
    /// let user = try await request.session.requireLogin()
    /// try await request.session.set(CartKey.self, to: cart)
    /// ```
    /// A handler that takes the session, as in `app.get("/me") { request, session in … }`, is cheaper if the store knows the
    /// session without waiting: in memory, or in a recent copy.
    /// - Throws: `SessionError.noMiddleware` if the request passed no `SessionMiddleware`; `SessionStoreError` (503) if the store
    ///   is unreachable.
    @concurrent public var session: Session {
        // Concurrent, because only then does the compiler report a forgotten `await`. A task stays on its event loop nevertheless.
        get async throws { try await readySession.value }
    }

    /// The session, ready if its store knows it without waiting.
    ///
    /// - Throws: `SessionError.noMiddleware`, like `session`.
    package var readySession: Ready<Session> {
        get throws {
            guard let scope = SessionScope.present(of: self) else { throw SessionError.noMiddleware }
            return scope.session(of: self)
        }
    }
}

/// The key of a session's value: a type that conforms names the value.
///
/// ```swift
/// enum CartKey: SessionKey {
///     static let name = "cart"
///     typealias Value = Cart
/// }
/// ```
public protocol SessionKey: SendableMetatype {
    /// The type of the value. It is stored as JSON and must be readable after the next deployment, so new fields should be
    /// optional.
    associatedtype Value: Codable & Sendable
    /// The name of the value in the store. Keys of one app must have different names, and a key must keep its name for ever.
    static var name: String { get }
}

/// A mistake in a program's use of sessions. The client gets 500, and the log describes the mistake.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    /// The request passed no `SessionMiddleware` before the handler.
    case noMiddleware
    /// A session was changed after the response had been made, when changes are no longer saved.
    case finished
    /// `logIn(user:)` was called with an empty name.
    case emptyUser
    /// A value can't be encoded as JSON, such as a number that isn't finite.
    case notEncodable(name: String, reason: String)
    /// The values of a session have more bytes than `SessionConfiguration.maximumBytes`.
    case tooLarge(bytes: Int, limit: Int)

    /// The problem and its solution.
    public var description: String {
        switch self {
        case .noMiddleware: "the request has no session: put the route into a group with a SessionMiddleware"
        case .finished:
            "the session was changed after the response had been made: change it before the handler returns"
        case .emptyUser: "logIn(user:) needs a name that isn't empty"
        case .notEncodable(let name, let reason): "the session's value '\(name)' can't be written as JSON: \(reason)"
        case .tooLarge(let bytes, let limit):
            "the session has \(bytes) bytes and may have \(limit): keep large things elsewhere, or raise maximumBytes"
        }
    }
}
