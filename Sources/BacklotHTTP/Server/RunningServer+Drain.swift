internal import Logging
// The package has no other way to announce a shutdown to tasks that its groups didn't start. Its own test kit uses this one.
@_spi(TestKit) internal import ServiceLifecycle
internal import Synchronization

extension RunningServer {
    /// Stops the server: it accepts nothing new, finishes current requests for at most the drain timeout, and closes.
    ///
    /// Before that, it continues to serve for the drain delay, so that a load balancer can notice (`Server.onStopping`). Then the
    /// functions of streamed bodies learn of it (`ResponseBody.stream`). Each connection's next response has `Connection: close`;
    /// a connection that stays idle is closed after `drainIdle`. A second call returns at once.
    ///
    /// If a handler blocks an event loop, the server abandons that loop some seconds after the drain timeout, and logs an error.
    public func shutdown() async {
        try? await stop()
    }

    /// Stops in the way of ``shutdown()``.
    ///
    /// - Throws: `HungLoops` when some event loops were abandoned.
    func stop() async throws(HungLoops) {
        guard !shutdownBegun.exchange(true, ordering: .relaxed) else { return }
        context.logger.info("stopping: finishing current requests")
        onStopping()
        let delay = context.configuration.timeouts.drainDelay
        if delay > .zero { try? await Task.sleep(for: delay) }
        let listening = Arrivals(of: 1)
        loops[0].execute { [listener] in
            listener.drain()
            listening.note(0)
        }
        // If this loop hangs, the others don't wait for it long.
        _ = await listening.missing(after: HungLoops.patience)
        context.streams.begin()
        let closed = Arrivals(of: loops.count)
        // All at once: while one loop finishes a slow response, the others must not continue to serve.
        for (index, loop) in loops.enumerated() {
            loop.execute { loop.drain { closed.note(index) } }
        }
        var hung = await closed.missing(after: context.configuration.waits.drain)
        if !hung.isEmpty {
            for loop in loops { loop.execute { loop.abortAll() } }
            hung = await closed.missing(after: HungLoops.patience)
        }
        for loop in loops { loop.stop() }
        guard hung.isEmpty else {
            let error = HungLoops(indices: hung, count: loops.count)
            context.logger.error("\(error)")
            throw error
        }
        context.logger.info("stopped")
    }
}

extension EventLoop {
    fileprivate func abortAll() {
        for channel in openChannels { channel.abort() }
    }
}

/// The event loops that didn't react when their server stopped.
struct HungLoops: Error, CustomStringConvertible {
    /// The time that a loop may take to begin new work, in milliseconds.
    static let patience: Int64 = 1000

    let indices: Set<Int>
    let count: Int

    var description: String {
        let names = indices.sorted().map { "\($0)" }.joined(separator: ", ")
        return """
            \(indices.count) of \(count) event loops hang (\(names)) and were left behind: a handler blocks them; let it suspend, \
            or call Blocking.run
            """
    }
}

/// Waits, up to a time limit, for events that happen once each.
final class Arrivals: Sendable {
    fileprivate struct State {
        var missing: Set<Int>
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Locked<State>

    /// - Parameter count: the number of events; they are numbered from 0.
    init(of count: Int) {
        state = Locked(State(missing: Set(0..<count)))
    }

    /// Records that an event has happened.
    func note(_ index: Int) {
        state.withLock { state in
            state.missing.remove(index)
            return state.missing.isEmpty ? state.takeWaiting() : nil
        }?.resume()
    }

    /// The events that haven't happened after `milliseconds`. Only one task at a time may call it.
    func missing(after milliseconds: Int64) async -> Set<Int> {
        var timer: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if !state.missing.isEmpty { state.waiting = continuation }
                return state.missing.isEmpty
            }
            guard !isComplete else { return continuation.resume() }
            timer = Task {
                try await Task.sleep(for: .milliseconds(milliseconds))
                state.withLock { $0.takeWaiting() }?.resume()
            }
        }
        timer?.cancel()
        return state.withLock { $0.missing }
    }
}

extension Arrivals.State {
    fileprivate mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
        defer { waiting = nil }
        return waiting
    }
}

/// Informs functions that they must end soon, through swift-service-lifecycle's own calls: `cancelWhenGracefulShutdown`,
/// `withGracefulShutdownHandler`, `Task.isShuttingDownGracefully`. A `Server` in such a function stops like after a SIGTERM.
package final class GracefulShutdown: Sendable {
    private let manager = GracefulShutdownManager()

    package init() {}

    /// Informs all running functions, and those that begin later.
    package func begin() { manager.shutdownGracefully() }

    /// Runs a function that learns of the shutdown.
    package func watched(_ function: () async throws -> Void) async rethrows {
        try await TaskLocals.$gracefulShutdownManager.withValue(manager) { try await function() }
    }
}

/// Work that runs until the server stops.
package enum UntilShutdown {
    /// Runs a function, and cancels it when the server stops.
    ///
    /// - Throws: the errors of the function, unless the server stops.
    package static func run(_ function: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await cancelWhenGracefulShutdown(function)
        } catch {
            guard Task.isShuttingDownGracefully else { throw error }
        }
    }
}
