/// Where sessions are kept: in memory, in a database, or on a server that several replicas share.
///
/// A store knows neither ids nor cookies nor HTTP. Its functions may be called at the same time from anywhere; each of
/// them happens as a whole or not at all. What they throw is logged and answered with 503.
///
/// A store forgets sessions by itself once their `expiresAt` has passed; it may return them until it does.
public protocol SessionStore: Sendable {
    /// The session with that key; nil where there is none.
    ///
    /// A store may answer from a copy, but from none that is older than a second: a log-out on one replica must soon count
    /// on the others.
    func session(at key: SessionHash) async throws -> SessionRecord?

    /// Keeps a new session. No other has its key.
    func insert(_ record: SessionRecord) async throws

    /// Replaces a session, if it still is there and nobody has changed it since `version`.
    ///
    /// With another key in `record` the session moves: it is not found under the old key any more, and at no moment under
    /// both. A log-in or `removeAll` at the same time on another replica comes before it or after it.
    ///
    /// - Returns: false when there is no session with that key, or it has another version. Nothing has changed then.
    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool

    /// Notes that a request came. The version stays, since this takes nothing from anybody's change. Of several, the
    /// latest instants count. Does nothing where there is no such session.
    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws

    /// Forgets a session. Does nothing where there is none.
    func remove(_ key: SessionHash) async throws

    /// Forgets all sessions of a user in an app.
    func removeAll(of user: String, mount: String) async throws

    /// Asks the store whether it answers; a server is ready for requests only when it does.
    ///
    /// - Throws: what says why it doesn't, within a few seconds.
    func check() async throws

    /// How many sessions there are, some of those that have ended among them; nil where only a search through all of them
    /// could tell.
    func sessionCount() async throws -> Int?
}

extension SessionStore {
    /// Looks up a session that there is none of.
    public func check() async throws { _ = try await session(at: .nobody) }

    /// Nothing is known.
    public func sessionCount() async throws -> Int? { nil }
}
