internal import Dispatch
package import Logging

/// A connection to a server that stores data for several replicas, such as Redis. One thread at a time uses it.
package protocol ServerConnection: AnyObject, Sendable {
    associatedtype Failure: ServerFailure

    /// Whether the connection seems to work: the server has neither closed it nor sent unexpected data.
    var isAlive: Bool { get }
}

/// The error of such a server.
package protocol ServerFailure: Error, Equatable, CustomStringConvertible {
    /// The server is unreachable, for a reason.
    static func away(_ reason: String) -> Self
    /// Whether the server is unreachable.
    var isAway: Bool { get }
}

/// Keeps connections to a server. It makes them in the background, and replaces lost ones with as many attempts as that takes.
///
/// Threads borrow one connection at a time. If the server has just disconnected, a thread waits for a moment, so that nobody
/// notices a restart. After that moment, borrowing fails at once.
package final class ServerLink<Connection: ServerConnection>: Sendable {
    private struct State {
        var idle: [Connection] = []
        /// The number of connections, including lent ones.
        var count = 0
        /// Threads that wait for a connection, the longest waiting first.
        var waiting: [Waiter] = []
        var isConnecting = false
        var isClosed = false
        var backoff = Backoff()
        /// The time of the last connection, or of the first request for one.
        var awaySince = ContinuousClock.now
        var failure = Connection.Failure.away("it isn't made yet")
        /// Whether the log already says that the server is unreachable.
        var isAwayLogged = false
    }

    /// The slot where a waiting thread gets its connection.
    private final class Waiter: Sendable {
        let connection = Locked<Connection?>(nil)
        let signal = ThreadSignal()
    }

    private enum Turn {
        case lent(Connection)
        case wait(Waiter, Duration)
        case failed(Connection.Failure)
    }

    private let name: String
    private let most: Int
    private let timeout: Duration
    private let logger: Logger
    private let connect: @Sendable () throws(Connection.Failure) -> Connection
    private let state = Locked(State())
    private let queue: DispatchQueue

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - name: the server's address without its password, for the log.
    ///   - label: the name of the thread that connects, for debuggers.
    ///   - connections: the usual number of connections.
    ///   - timeout: the maximum time to wait for a connection.
    ///   - connect: makes a connection within a limited time. It may block.
    package init(
        _ name: String,
        label: String,
        connections: Int = 1,
        timeout: Duration,
        logger: Logger,
        connect: @escaping @Sendable () throws(Connection.Failure) -> Connection
    ) {
        self.name = name
        most = connections
        self.timeout = timeout
        self.logger = logger
        self.connect = connect
        queue = DispatchQueue(label: label)
        makeMore()
    }

    /// Lends a connection, which the caller must give back or drop.
    ///
    /// - Throws: at the latest when the server has been unreachable, or all connections lent, for `timeout`.
    package func borrow() throws(Connection.Failure) -> Connection {
        let begun = ContinuousClock.now
        while true {
            switch turn(since: begun) {
            case .lent(let connection):
                if connection.isAlive { return connection }
                drop(connection, .away("the server has closed it"))
            case .failed(let failure): throw failure
            case .wait(let waiter, let rest):
                waiter.signal.wait(atMost: rest)
                state.withLock { $0.waiting.removeAll { $0 === waiter } }
                // It may have arrived at the last moment.
                if let connection = waiter.connection.withLock({ $0 }) { return connection }
            }
        }
    }

    /// Takes a working connection back.
    package func giveBack(_ connection: Connection) {
        state.withLock { Self.lend(connection, &$0) }
    }

    /// Gives up a failed connection, and begins to make another.
    package func drop(_ connection: Connection, _ failure: Connection.Failure) {
        state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return }
            state.awaySince = .now
            state.failure = failure.isAway ? failure : .away("\(failure)")
        }
        makeMore()
    }

    /// Closes the idle connections now and lent ones when they are given back. It opens no new ones.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    private func turn(since begun: ContinuousClock.Instant) -> Turn {
        state.withLock { state in
            if let connection = state.idle.popLast() { return .lent(connection) }
            let isAway = state.count == 0
            let rest = ContinuousClock.now.duration(to: (isAway ? state.awaySince : begun) + timeout)
            guard rest > .zero else {
                return .failed(isAway ? state.failure : .away("all connections are in use: there are \(state.count)"))
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return .wait(waiter, rest)
        }
    }

    private static func lend(_ connection: Connection, _ state: inout State) {
        guard !state.isClosed else { return }
        guard !state.waiting.isEmpty else { return state.idle.append(connection) }
        let waiter = state.waiting.removeFirst()
        waiter.connection.withLock { $0 = connection }
        waiter.signal.give()
    }

    private func makeMore() {
        let begins = state.withLock { state in
            guard !state.isConnecting, !state.isClosed, state.count < most else { return false }
            state.isConnecting = true
            return true
        }
        if begins { queue.async { self.attempt() } }
    }

    private func attempt() {
        do throws(Connection.Failure) {
            let connection = try connect()
            let wasLogged = state.withLock { state in
                state.isConnecting = false
                state.backoff.reset()
                state.count += 1
                Self.lend(connection, &state)
                defer { state.isAwayLogged = false }
                return state.isAwayLogged
            }
            if wasLogged { logger.notice("the connection to \(name) is back") }
            makeMore()
        } catch {
            let (delay, isNews) = state.withLock { state -> (Duration?, Bool) in
                let failure: Connection.Failure = error.isAway ? error : .away("\(error)")
                let isNews = !state.isAwayLogged || state.failure != failure
                state.isAwayLogged = true
                state.failure = failure
                return (state.isClosed ? nil : state.backoff.delay(), isNews)
            }
            if isNews { logger.warning("\(name): \(error); connecting again until it works") }
            if let delay {
                queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { self.attempt() }
            }
        }
    }
}

/// The time before the next attempt: it doubles each time, up to a limit.
package struct Backoff: Equatable, Sendable {
    private static let first = Duration.milliseconds(50)
    private static let last = Duration.seconds(2)

    private var next = first

    package init() {}

    /// The time until the next attempt.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.last) }
        return next
    }

    /// Returns to the shortest time, after a successful attempt.
    package mutating func reset() { next = Self.first }
}

/// Logs the reason why a store fails when it changes, not for each request.
package final class StoreErrorLog: Sendable {
    private let logger: Logger
    private let last = Locked<String?>(nil)

    /// Creates a log without a problem.
    package init(_ logger: Logger) { self.logger = logger }

    /// Logs a problem as an error, unless it is the same as the last.
    ///
    /// - Parameter isKnown: whether another part logs it.
    package func note(_ problem: some Error & CustomStringConvertible, isKnown: Bool = false) {
        let text = problem.description
        let isNews = last.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNews, !isKnown { logger.error("\(text)") }
    }

    /// Notes that the store works.
    package func clear() { last.withLock { $0 = nil } }
}
