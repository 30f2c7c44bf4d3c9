import Foundation
import Synchronization

/// Clients that send a request's head one byte a second, each, on a thread of their own until they are stopped.
final class SlowClients: Sendable {
    private struct State {
        var isConnected = false
        var isStopped = false
        var hasEnded = false
        var sent = 0
    }

    private let state = Mutex(State())

    /// Connects them all.
    /// - Throws: ``CheckFailure`` if the server takes fewer.
    init(_ count: Int, of port: Int) throws {
        Thread.detachNewThread { [self] in
            run(count, port)
            state.withLock { $0.hasEnded = true }
        }
        while !state.withLock({ $0.isConnected || $0.hasEnded }) { usleep(1000) }
        guard state.withLock(\.isConnected) else { throw CheckFailure("\(count) slow clients could not connect") }
    }

    private func run(_ count: Int, _ port: Int) {
        guard var connections = try? (0..<count).map({ _ in try Self.connect(port) }) else { return }
        state.withLock { $0.isConnected = true }
        while !state.withLock(\.isStopped) {
            let began = ContinuousClock.now
            for index in connections.indices where !state.withLock(\.isStopped) {
                // A server has a right to close them: then they come again.
                if (try? connections[index].send("x")) == nil {
                    if let again = try? Self.connect(port) { connections[index] = again }
                } else {
                    state.withLock { $0.sent += 1 }
                }
                // Spread over the second, so that they wake the server as often as they can.
                usleep(200)
            }
            let rest = (.seconds(1) - (.now - began)) / .microseconds(1)
            if rest > 0 { usleep(UInt32(rest)) }
        }
    }

    private static func connect(_ port: Int) throws -> LoopbackConnection {
        let connection = try LoopbackConnection(port: port)
        try connection.send("GET / HTTP/1.1\r\nHost: slow\r\nX-Slow: ")
        return connection
    }

    /// Closes them all.
    ///
    /// - Returns: how many bytes they sent, beside the beginnings of their heads.
    func stop() -> Int {
        state.withLock { $0.isStopped = true }
        while !state.withLock(\.hasEnded) { usleep(1000) }
        return state.withLock(\.sent)
    }
}
