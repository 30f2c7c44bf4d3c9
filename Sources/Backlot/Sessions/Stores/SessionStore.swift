/// A store of sessions: in memory, in a database, or on a server that several replicas share.
///
/// A store works without ids, cookies and HTTP. Its functions may be called from anywhere at the same time; each happens completely
/// or not at all. Errors that they throw are logged, and the client gets 503.
///
/// A store removes sessions once their `expiresAt` has passed; it may return them until then.
public protocol SessionStore: Sendable {
    /// The session with that key; nil for an unknown key. Return a ready value if the store knows it without waiting, for example
    /// in memory. Event loops call this, so it must not block.
    ///
    /// A store may return a copy that is at most a second old: a log-out on one replica must soon reach the others.
    func session(at key: SessionHash) -> Ready<SessionRecord?>

    /// Stores a new session. Its key is new.
    func insert(_ record: SessionRecord) async throws

    /// Replaces a session, if it still exists and hasn't changed since `version`.
    ///
    /// With another key in `record`, the session moves: the old key no longer finds it, and at no moment do both find it. A
    /// concurrent log-in or `removeAll` on another replica happens before or after.
    ///
    /// - Returns: false for an unknown key or another version. Then nothing has changed.
    func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool

    /// Notes the time of a request. The version stays the same, because this doesn't overwrite any change. Of several calls, the
    /// latest instants count. Does nothing for an unknown key.
    func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws

    /// Removes a session. Does nothing for an unknown key.
    func remove(_ key: SessionHash) async throws

    /// Removes all sessions of a user in an app.
    func removeAll(of user: String, mount: String) async throws

    /// Checks that the store accepts a new session: a server is ready for requests only then.
    ///
    /// Test data must not stay in the store. The server calls this once a second, so it must be cheap.
    ///
    /// - Throws: within a few seconds, the reason why the store accepts no session.
    func check() async throws

    /// The number of sessions, which may include expired ones; nil if counting them needs a search through all.
    func sessionCount() async throws -> Int?

    /// Closes the store's resources, such as its file, after the last request. Later calls fail.
    ///
    /// Does nothing by default. A `ServerApp` calls it when it has stopped.
    func close() async
}

extension SessionStore {
    /// Stores a session without a user, and removes it. If that fails halfway, the session expires within a minute.
    public func check() async throws {
        let probe = SessionRecord.probe()
        try await insert(probe)
        try await remove(probe.key)
    }

    /// Unknown by default.
    public func sessionCount() async throws -> Int? { nil }

    /// Does nothing.
    public func close() async {}
}

/// A session in a store. All instants are in whole seconds since 1970-01-01 in UTC.
public struct SessionRecord: Hashable, Sendable {
    /// The key of the session: the hash of its id.
    public var key: SessionHash
    /// The app of the session, as the path where it is mounted, such as `/objects/`. Several apps may share a store; a user of one
    /// is unknown to the others.
    public var mount: String
    /// The name of the logged-in user; nil without one.
    public var user: String?
    /// The values. A store keeps them unchanged and doesn't interpret them.
    public var values: [UInt8]
    /// The time of the user's log-in; without a user, the start of the session.
    public var createdAt: Int
    /// The time of the last request, with an error of up to `SessionConfiguration.touchInterval`.
    public var lastSeen: Int
    /// The end of the session, unless another request comes before. From then on a store may remove it.
    public var expiresAt: Int
    /// The number of changes to the session. A change names the version that it is based on, so that no change is lost.
    public var version: Int

    /// Whether its times are in the years from 1970 to 9999, and its version can rise. A store's rows may have other numbers.
    var isPlausible: Bool {
        let times = 0...253_402_300_799
        return times.contains(createdAt) && times.contains(lastSeen) && version >= 0 && version < 1 << 62
    }

    /// Creates a session, for a store that reads it.
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

/// The error if the sessions' store is unreachable or fails: 503, with the time before the next attempt. The log gives the reason.
public struct SessionStoreError: HTTPError, Equatable {
    /// The time before the next attempt.
    public var retryAfter: Duration

    /// 503.
    public var status: HTTPResponse.Status { .serviceUnavailable }
    /// Empty: clients of the protocols expect no body with 503.
    public var reason: String { "" }
    /// `Retry-After` (RFC 9110, section 10.2.3).
    public var headers: HTTPFields { [.retryAfter: "\(retryAfter.wholeSeconds)"] }
}
