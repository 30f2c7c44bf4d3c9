/// Where sessions are kept: in memory, in a database, or on a server that several replicas share.
///
/// A store knows neither ids nor cookies nor HTTP. Its functions may be called at the same time from anywhere; each of
/// them happens as a whole or not at all. What they throw is logged and answered with 503.
///
/// A store forgets sessions by itself once their `expiresAt` has passed; it may return them until it does.
public protocol SessionStore: Sendable {
    /// The session with that key; nil for an unknown key. Ready where the store knows it without waiting, for example in memory:
    /// event loops call this, so it must not block.
    ///
    /// A store may answer from a copy that is at most a second old: a log-out on one replica must soon count
    /// on the others.
    func session(at key: SessionHash) -> Ready<SessionRecord?>

    /// Keeps a new session. No other has its key.
    func insert(_ record: SessionRecord) async throws

    /// Replaces a session, if it is still there and has not been changed since `version`.
    ///
    /// With another key in `record` the session moves: it is not found under the old key any more, and at no moment under
    /// both. A log-in or `removeAll` at the same time on another replica comes before it or after it.
    ///
    /// - Returns: false when there is no session with that key, or it has another version. Nothing has changed then.
    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool

    /// Notes that a request came. The version stays, since this takes nothing from anybody's change. Of several, the
    /// latest instants count. Does nothing for an unknown key.
    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws

    /// Forgets a session. Does nothing for an unknown key.
    func remove(_ key: SessionHash) async throws

    /// Forgets all sessions of a user in an app.
    func removeAll(of user: String, mount: String) async throws

    /// Tries whether the store takes a new session; a server is ready for requests only when it does.
    ///
    /// Nothing of what it has tried stays in the store. It is asked once a second, so that it must be cheap.
    ///
    /// - Throws: what says why the store takes none, within a few seconds.
    func check() async throws

    /// How many sessions there are, some of those that have ended among them; nil where only a search through all of them
    /// could tell.
    func sessionCount() async throws -> Int?

    /// Closes what the store has open, such as its file, after the last request. Whatever is called later fails.
    ///
    /// Does nothing, unless a store defines it. A `ServerApp` calls it when it has stopped.
    func close() async
}

extension SessionStore {
    /// Keeps a session without a user, and forgets it. Where that fails halfway, it ends within a minute.
    public func check() async throws {
        let probe = SessionRecord.probe()
        try await insert(probe)
        try await remove(probe.key)
    }

    /// Nothing is known.
    public func sessionCount() async throws -> Int? { nil }

    /// Does nothing.
    public func close() async {}
}

/// A session as a store keeps it. All instants are in whole seconds since 1970 began in UTC.
public struct SessionRecord: Hashable, Sendable {
    /// What the session is found by: the hash of its id.
    public var key: SessionHash
    /// The app that the session belongs to, by the path it is mounted at, such as `/objects/`. Several apps may share a
    /// store; a user of one is a stranger to the others.
    public var mount: String
    /// The user who is logged in; nil when no user is.
    public var user: String?
    /// The values. A store keeps them as they are and looks at nothing in them.
    public var values: [UInt8]
    /// When the user logged in; without a user, when the session began.
    public var createdAt: Int
    /// When the last request came, give or take `SessionConfiguration.touchInterval`.
    public var lastSeen: Int
    /// When the session ends, if no request comes before. From then on a store may forget it.
    public var expiresAt: Int
    /// How often the session has been changed. A change names the version that it is based on, so that none is lost.
    public var version: Int

    /// A session, for a store that reads it back.
    public init(
        key: SessionHash,
        mount: String,
        user: String? = nil,
        values: [UInt8] = [],
        createdAt: Int,
        lastSeen: Int,
        expiresAt: Int,
        version: Int = 0
    ) {
        self.key = key
        self.mount = mount
        self.user = user
        self.values = values
        self.createdAt = createdAt
        self.lastSeen = lastSeen
        self.expiresAt = expiresAt
        self.version = version
    }
}

/// The store of the sessions can't be reached, or refused to work: 503, with the time after which to try again. The log
/// says why.
public struct SessionStoreError: HTTPError, Equatable {
    /// When to try again.
    public var retryAfter: Duration

    /// 503.
    public var status: HTTPResponse.Status { .serviceUnavailable }
    /// Nothing: clients of the protocols expect no body with 503.
    public var reason: String { "" }
    /// `Retry-After` (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { [.retryAfter: "\(retryAfter.wholeSeconds)"] }
}
