public import Backlot
public import Logging

/// Sessions on a server of Redis or Valkey, which several replicas share.
///
/// ```swift
/// let sessions = try RedisSessionStore(RedisAddress("redis://:secret@10.0.0.5:6379/0"))
/// router.applin("/", sessions: sessions) { addPages(to: $0) }
/// ```
/// Every request sees the changes of all replicas, since the store keeps no copies unless `maximumAge` allows them. Commands of
/// the same moment are sent and return together, over one connection, on a thread of the store; event loops don't wait.
///
/// While the server is away, sessions fail with a 503 within twice `timeout`, and at once when it has been away for longer. The
/// store reconnects in the background. Sessions end by the clock of Redis and its times to live. The settings of Redis decide
/// which sessions survive its restart (`appendonly`), and which are dropped when its memory is full (`maxmemory-policy`).
public final class RedisSessionStore: SessionStore {
    private let pipeline: RedisPipeline
    private let commands: SessionCommands
    private let copies: RedisSessionCopies

    /// Creates a store and begins to connect. The server may start later.
    ///
    /// - Parameters:
    ///   - address: the address of the server.
    ///   - trust: the servers that are trusted over TLS, for `rediss://`.
    ///   - prefix: the prefix of every key in Redis. Stores with the same prefix share their sessions.
    ///   - timeout: the longest time for connecting, and for a reply.
    ///   - maximumAge: the longest reuse of a session that was read, at most a second; zero asks Redis for each request. Redis (6
    ///     or later) reports changes by any replica, and the store drops the copies after a moment. In that moment, a request to
    ///     another replica still sees the copy.
    ///   - logger: logs when the server is away, and when it is back.
    public init(
        _ address: RedisAddress,
        trusting trust: ServerTrust = .system,
        prefix: String = "backlot:",
        timeout: Duration = .seconds(1),
        maximumAge: Duration = .zero,
        logger: Logger = Logger(label: "backlot.sessions")
    ) {
        precondition(
            (.zero ... .seconds(1)).contains(maximumAge),
            "maximumAge must be 0 to 1 second, but is \(maximumAge)"
        )
        pipeline = RedisPipeline(address, trusting: trust, timeout: timeout, logger: logger)
        commands = SessionCommands(prefix: prefix)
        copies = RedisSessionCopies(maximumAge: maximumAge, of: commands, over: pipeline, logger: logger)
    }

    /// Creates a store with any maximum age, for tests.
    init(_ address: RedisAddress, anyAge age: Duration, logger: Logger) {
        pipeline = RedisPipeline(address, trusting: .system, timeout: .seconds(10), logger: logger)
        commands = SessionCommands(prefix: "backlot:")
        copies = RedisSessionCopies(maximumAge: age, of: commands, over: pipeline, logger: logger)
    }

    deinit {
        copies.close()
    }

    /// The session with a key; nil for an unknown key. Ready if the store may use a copy of it.
    public func session(at key: SessionHash) -> Ready<SessionRecord?> {
        let now = ContinuousClock.now
        if let copy = copies.record(at: key, now: now) { return .ready(copy) }
        let ticket = copies.ticket(for: key)
        return .pending { [self] in
            let record = try SessionCommands.record(at: key, in: try await pipeline.reply(to: commands.read(key)))
            if let record { copies.keep(record, ticket, readAt: now) }
            return record
        }
    }

    /// Stores a new session.
    public func insert(_ record: SessionRecord) async throws {
        try await change(commands.insert(record), of: record.key)
    }

    /// Replaces a session, if it still exists and nobody has changed it since `version`.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        try await change(commands.replace(key, version: version, with: record), of: key, record.key) > 0
    }

    /// Records the time of a request.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await change(commands.touch(key, lastSeen: lastSeen, expiresAt: expiresAt), of: key)
    }

    /// Removes a session.
    public func remove(_ key: SessionHash) async throws {
        try await change(commands.remove(key), of: key)
    }

    /// Removes all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async throws {
        defer { copies.dropAll() }
        _ = try SessionCommands.count(in: try await pipeline.reply(to: commands.removeAll(of: user, mount: mount)))
    }

    /// Makes a change, and drops the copies that become wrong. It drops them even after a failure, since the change may have been
    /// made.
    @discardableResult
    private func change(_ command: RedisCommand, of keys: SessionHash...) async throws -> Int {
        defer { copies.drop(keys) }
        return try SessionCommands.count(in: try await pipeline.reply(to: command))
    }
}

/// The reason why a command to a Redis server failed.
public enum RedisError: Error, Equatable, CustomStringConvertible {
    /// The server can't be reached.
    case away(String)
    /// It took too long. The server may have executed the command.
    case timeout
    /// The connection ended. The server may have executed the command.
    case closed(String)
    /// The server refused the command.
    case refused(String)
    /// The reply doesn't fit the command.
    case unexpected(String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .away(let reason): "there is no connection to Redis: \(reason)"
        case .timeout: "Redis took too long to respond"
        case .closed(let reason): "the connection to Redis ended: \(reason)"
        case .refused(let text): "Redis refused: \(text)"
        case .unexpected(let text): "Redis sent an unexpected reply: \(text)"
        }
    }
}

extension RedisError: ServerFailure {
    package var isAway: Bool {
        if case .away = self { true } else { false }
    }
}
