internal import Logging

/// The session of a request: who is logged in, and values that the app keeps for a client.
///
/// Get it with `try await request.session`. It may be used from any task. What is changed is saved once, when the handler
/// has returned, before the answer goes out:
/// * after an answer, and after an `HTTPError`, everything counts;
/// * after any other error (500) the handler has stopped halfway, and only what takes rights away counts: log-outs, and
///   the end of a user's session that was to get a new id.
///
/// Requests at the same time may change one session: changes of different values are all kept; of changes to the same
/// value only the last one saved is kept, unless `update(_:_:)` made it. A session that another request has ended or
/// renewed meanwhile doesn't change any more: all that was to be saved in it is dropped, except a log-in.
public final class Session: Sendable {
    private let scope: SessionScope

    /// The session of a scope that has loaded it.
    init(_ scope: SessionScope) { self.scope = scope }

    /// The name of the user who is logged in; nil when no user is.
    public var user: String? { scope.read { $0.user } }

    /// The token that names the session once the request is answered: a new one after a log-in; nil where a cookie names the session.
    package var token: String? { scope.token?.text }

    /// Whether the store had the session when the request came.
    package var isStored: Bool { scope.read { $0.choice.record != nil } }

    /// The name of the user who is logged in.
    ///
    /// - Parameter text: the text for users who are not logged in; nil for `SessionConfiguration.logInText`.
    /// - Throws: `StatusError` with 403 when no user is logged in.
    public func requireLogin(_ text: String? = nil) throws -> String {
        guard let user else { throw StatusError(.forbidden, text ?? scope.place.configuration.logInText) }
        return user
    }

    /// Logs a user in: the session gets a new id, and the old one is dead. The user's time starts anew.
    ///
    /// What the session holds stays, unless it belonged to another user.
    ///
    /// - Parameter user: the user's name, the same every time, and not empty.
    /// - Throws: `SessionError`, when the name is empty or the request has been answered.
    public func logIn(user: String) throws {
        guard !user.isEmpty else { throw SessionError.emptyUser }
        try scope.change { $0.logIn(user) }
    }

    /// Ends the session: it is deleted in the store, and the client is asked to forget its cookie.
    ///
    /// Values that are set afterwards belong to a new session.
    ///
    /// - Throws: `SessionError`, when the request has been answered.
    public func logOut() throws { try scope.change { $0.logOut() } }

    /// Ends this session and all others that its user has in this app, on other devices too.
    ///
    /// `logIn(user:)` afterwards keeps the user in on this device.
    ///
    /// - Throws: `SessionError`, when the request has been answered.
    public func logOutEverywhere() throws { try scope.change { $0.logOutEverywhere() } }

    /// Gives the session a new id, and the old one is dead. Call it whenever the user may do more than before, or less.
    ///
    /// - Throws: `SessionError`, when the request has been answered.
    public func renew() throws { try scope.change { $0.renew() } }

    /// A value; nil when it isn't set, and when it can't be read as that type (any more).
    public subscript<Key: SessionKey>(key: Key.Type) -> Key.Value? {
        let bytes = scope.readValues { $0.values.entries[Key.name] }
        return bytes.flatMap { decoded($0, for: key) }
    }

    /// Sets a value, whatever it was; nil removes it.
    ///
    /// - Throws: `SessionError`, when the value can't be encoded or the request has been answered.
    public func set<Key: SessionKey>(_ key: Key.Type, to value: Key.Value?) throws {
        let bytes: [UInt8]? = if let value { try SessionCoding.encode(value, for: key) } else { nil }
        try scope.change { $0.set(Key.name, to: bytes) }
    }

    /// Changes a value depending on what it is, such as a counter, so that no other request's change is lost.
    ///
    /// - Parameters:
    ///   - key: the value's key.
    ///   - body: changes the value, which is nil when it isn't set. It is called again when another request has saved the
    ///     session first.
    /// - Throws: `SessionError`, when the new value can't be encoded or the request has been answered.
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
        // The body runs outside the lock, since it may use the session itself.
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
    /// The client's session. It is looked up when it is first asked for; a client without one gets an empty one, which is
    /// stored and gets a cookie once something is put into it or a user logs in.
    ///
    /// ```swift
    /// let user = try await request.session.requireLogin()
    /// try await request.session.set(CartKey.self, to: cart)
    /// ```
    /// A handler that takes the session, as in `app.get("/me") { request, session in … }`, is cheaper to answer where the store
    /// knows the session without waiting: in memory, or in a copy of a moment ago.
    /// - Throws: `SessionError.noMiddleware` when the request passed no `SessionMiddleware`; `SessionStoreError` (503) when
    ///   the store can't be reached.
    @concurrent public var session: Session {
        // Concurrent, since the compiler names a forgotten `await` only then; a task stays on its event loop all the same.
        get async throws { try await readySession.value }
    }

    /// The session, ready where its store knows it without waiting.
    ///
    /// - Throws: `SessionError.noMiddleware`, as `session`.
    package var readySession: Ready<Session> {
        get throws {
            guard let scope = SessionScope.present(of: self) else { throw SessionError.noMiddleware }
            return scope.session(of: self)
        }
    }
}

/// Names a value that a session can hold, by a type that conforms.
///
/// ```swift
/// enum CartKey: SessionKey {
///     static let name = "cart"
///     typealias Value = Cart
/// }
/// ```
public protocol SessionKey: SendableMetatype {
    /// The type of the value. It is stored as JSON, and must be readable after the next deployment: fields that were added
    /// since should be optional.
    associatedtype Value: Codable & Sendable
    /// What the value is stored under. Two keys of one app never share a name, and a key keeps its name for ever.
    static var name: String { get }
}

/// A mistake in how a program uses sessions. It is answered with 500, and the log says what it was.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    /// The request passed no `SessionMiddleware` on its way to the handler.
    case noMiddleware
    /// Something tried to change a session after the request had been answered, when changes are no longer saved.
    case finished
    /// `logIn(user:)` was called with an empty name.
    case emptyUser
    /// A value can't be written as JSON, such as a number that is not finite.
    case notEncodable(name: String, why: String)
    /// A session has more bytes of values than `SessionConfiguration.maximumBytes`.
    case tooLarge(bytes: Int, limit: Int)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noMiddleware: "there is no session here: put the route into a group with a SessionMiddleware"
        case .finished:
            "the session was changed after the request had been answered: change it before the handler returns"
        case .emptyUser: "logIn(user:) needs a name that isn't empty"
        case .notEncodable(let name, let why): "the session's value '\(name)' can't be written as JSON: \(why)"
        case .tooLarge(let bytes, let limit):
            "the session has \(bytes) bytes and may have \(limit): keep large things elsewhere, or raise maximumBytes"
        }
    }
}
