internal import Backlot
internal import Dispatch
internal import Logging

/// Keeps a connection to a Redis server: makes it in the background, and makes a new one when it is lost, for as long as it
/// takes.
///
/// Only one thread at a time uses the connection. It waits a moment where the server has just gone, so that nobody notices a
/// restart, and no longer once the moment is over.
final class RedisLink: Sendable {
    private struct State {
        var connection: RedisConnection?
        var isConnecting = false
        var isClosed = false
        var backoff = Backoff()
        /// When there last was a connection, or when the first was wanted.
        var awaySince = ContinuousClock.now
        var failure = RedisError.away("it isn't made yet")
        /// Whether the log says that the server is away.
        var isAwayLogged = false
    }

    private let address: RedisAddress
    private let connector: TLSConnector
    private let timeout: Duration
    private let logger: Logger
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "backlot.redis.connect")
    private let attempted = DispatchSemaphore(value: 0)

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - connector: how TLS is spoken, where the address asks for it.
    ///   - timeout: how long connecting may take, and waiting for it.
    init(_ address: RedisAddress, over connector: TLSConnector, timeout: Duration, logger: Logger) {
        self.address = address
        self.connector = connector
        self.timeout = timeout
        self.logger = logger
        connect()
    }

    /// The connection.
    ///
    /// - Throws: `RedisError.away`, at the latest when the server has been away for `timeout`.
    func connection() throws(RedisError) -> RedisConnection {
        while true {
            let (connection, awaySince, failure) = state.withLock { ($0.connection, $0.awaySince, $0.failure) }
            if let connection {
                if connection.isAlive { return connection }
                drop(connection, .closed("the server has closed it"))
                continue
            }
            let rest = ContinuousClock.now.duration(to: awaySince + timeout)
            guard rest > .zero else { throw failure }
            _ = attempted.wait(timeout: .now() + .microseconds(Int(rest / .microseconds(1)) + 1))
        }
    }

    /// Gives a connection up that has failed, and begins to make another.
    func drop(_ connection: RedisConnection, _ failure: RedisError) {
        let isOurs = state.withLock { state in
            guard state.connection === connection else { return false }
            state.connection = nil
            state.awaySince = .now
            state.failure = .away("\(failure)")
            return true
        }
        if isOurs { connect() }
    }

    /// Ends the connection, and makes no other.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection = nil
        }
    }

    private func connect() {
        let begins = state.withLock { state in
            defer { state.isConnecting = true }
            return !state.isConnecting && !state.isClosed
        }
        if begins { queue.async { self.attempt() } }
    }

    private func attempt() {
        do throws(RedisError) {
            let connection = try RedisConnection(to: address, over: connector, timeout: timeout)
            let wasLogged = state.withLock { state in
                state.isConnecting = false
                state.backoff.reset()
                defer { state.isAwayLogged = false }
                if !state.isClosed { state.connection = connection }
                return state.isAwayLogged
            }
            if wasLogged { logger.notice("the connection to \(address) is there again") }
        } catch {
            let (delay, isNews) = state.withLock { state -> (Duration?, Bool) in
                let failure: RedisError = if case .away = error { error } else { .away("\(error)") }
                let isNews = !state.isAwayLogged || state.failure != failure
                state.isAwayLogged = true
                state.failure = failure
                return (state.isClosed ? nil : state.backoff.delay(), isNews)
            }
            if isNews { logger.warning("\(address): \(error); it is tried again and again") }
            if let delay {
                queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { self.attempt() }
            }
        }
        attempted.signal()
    }
}

/// How long to wait before the next attempt: each time twice as long, up to a limit.
struct Backoff: Equatable, Sendable {
    private static let first = Duration.milliseconds(50)
    private static let last = Duration.seconds(2)

    private var next = first

    /// The time until the next attempt.
    mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.last) }
        return next
    }

    /// Starts again with the shortest time, after an attempt that went well.
    mutating func reset() { next = Self.first }
}
