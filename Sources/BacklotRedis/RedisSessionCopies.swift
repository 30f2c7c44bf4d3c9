internal import Backlot
internal import Dispatch
internal import Logging

/// Keeps copies of sessions that were recently read from Redis. On a second connection, Redis 6 or later reports sessions that any
/// replica has changed (`CLIENT TRACKING`), and their copies are dropped. Without that connection, this doesn't keep copies.
final class RedisSessionCopies: Sendable {
    private struct State {
        var cache: SessionCache
        /// Whether Redis reports changes now.
        var isWatching = false
        var isClosed = false
        var backoff = Backoff()

        /// Drops all copies, and keeps no more from now on.
        mutating func forget() {
            isWatching = false
            cache.dropAll()
        }
    }

    /// The maximum memory for the copies, in bytes.
    private static let bytes = 16 << 20
    /// The time that the thread waits for news before it checks whether it is still needed.
    private static let round = Duration.seconds(1)

    /// The time before another attempt after a refusal by the server.
    private static let patience = Duration.seconds(60)

    private let state: Locked<State>
    private let keyPrefix: [UInt8]
    private let connect: @Sendable () throws(RedisError) -> RedisConnection
    private let logger: Logger
    private let queue = DispatchQueue(label: "backlot.redis.copies")

    /// - Parameter maximumAge: the longest use of a copy; zero to keep no copies.
    init(maximumAge: Duration, of commands: SessionCommands, over pipeline: RedisPipeline, logger: Logger) {
        state = Locked(State(cache: SessionCache(maximumBytes: Self.bytes, maximumAge: maximumAge)))
        keyPrefix = commands.keyPrefix
        connect = pipeline.connect
        self.logger = logger
        if maximumAge > .zero { queue.async { self.watch() } }
    }

    /// Drops the copies, and ends the connection within a second.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.forget()
        }
    }

    /// A valid copy of a session; nil without one.
    func record(at key: SessionHash, now: ContinuousClock.Instant) -> SessionRecord? {
        state.withLock { $0.isWatching ? $0.cache.record(at: key, now: now) : nil }
    }

    /// Begins a look-up.
    func ticket(for key: SessionHash) -> SessionCache.Ticket {
        state.withLock { $0.cache.ticket(for: key) }
    }

    /// Keeps the result of a look-up, unless the session may have changed since it began.
    func keep(_ record: SessionRecord, _ ticket: SessionCache.Ticket, readAt: ContinuousClock.Instant) {
        state.withLock { if $0.isWatching { $0.cache.keep(record, ticket, readAt: readAt) } }
    }

    /// Drops the copies of sessions that this process has changed, without waiting for Redis to report it.
    func drop(_ keys: [SessionHash]) {
        state.withLock { for key in keys { $0.cache.drop(key) } }
    }

    func dropAll() {
        state.withLock { $0.cache.dropAll() }
    }

    // MARK: The connection that reports changes, on a separate thread

    private func watch() {
        guard !state.withLock(\.isClosed) else { return }
        do throws(RedisError) {
            try watch(try connect())
            return
        } catch {
            let delay = state.withLock { state in
                state.forget()
                return state.backoff.delay()
            }
            // The server is too old, or the user doesn't have the permission.
            let isRefused = if case .refused = error { true } else { false }
            if isRefused {
                logger.info("sessions are read from Redis each time, since it doesn't say which change: \(error)")
            }
            let wait = isRefused ? Self.patience : delay
            queue.asyncAfter(deadline: .now() + .milliseconds(Int(wait / .milliseconds(1)))) { self.watch() }
        }
    }

    private func watch(_ connection: RedisConnection) throws(RedisError) {
        let id = try connection.response(to: RedisCommand("CLIENT", "ID"), within: Self.round)
        guard let id = id.integer else { throw .unexpected("no number of a connection") }
        let tracking = RedisCommand("CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST", "PREFIX", keyPrefix)
        _ = try connection.response(to: tracking, within: Self.round)
        _ = try connection.response(to: RedisCommand("SUBSCRIBE", "__redis__:invalidate"), within: Self.round)
        // Redis hasn't reported earlier changes, so older copies may be stale.
        state.withLock { state in
            state.cache.dropAll()
            state.isWatching = !state.isClosed
            state.backoff.reset()
        }
        while !state.withLock(\.isClosed) {
            if let message = try connection.message(within: Self.round) { take(message) }
        }
    }

    private func take(_ message: RedisReply) {
        guard case .array(let parts) = message, parts.count == 3, parts[0].text == "message" else { return }
        guard case .array(let names) = parts[2] else { return dropAll() }
        let keys = names.compactMap { name -> SessionHash? in
            guard let bytes = name.bytes, bytes.starts(with: keyPrefix) else { return nil }
            return SessionHash(hexadecimal: bytes[keyPrefix.count...])
        }
        drop(keys)
    }
}
