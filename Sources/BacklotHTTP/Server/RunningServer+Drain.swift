internal import Logging
// The package has no other way to let tasks that its groups didn't start know of a shutdown; its own test kit uses this
// one.
@_spi(TestKit) internal import ServiceLifecycle
internal import Synchronization

extension RunningServer {
    /// Stops: accepts nothing new, finishes what is in flight for at most the drain timeout, and closes.
    ///
    /// Before that it serves for the drain delay as usual, so that a load balancer can notice that it stops
    /// (`Server.onStopping`). Then streamed bodies are told (`ResponseBody.stream`). Each connection's next answer has
    /// `Connection: close`; a connection that stays idle is
    /// closed after `drainIdle`. A second call returns at once.
    ///
    /// An event loop that a handler blocks is left behind some seconds after the drain timeout, with an error in the
    /// log.
    public func shutdown() async {
        try? await stop()
    }

    /// Does what ``shutdown()`` does.
    ///
    /// - Throws: `HungLoops` when some event loops were left behind.
    func stop() async throws(HungLoops) {
        guard !shutdownBegun.exchange(true, ordering: .relaxed) else { return }
        context.logger.info("stopping: finishing what is in flight")
        onStopping()
        let delay = context.configuration.timeouts.drainDelay
        if delay > .zero { try? await Task.sleep(for: delay) }
        let listening = Arrivals(of: 1)
        loops[0].execute { [listener] in
            listener.drain()
            listening.note(0)
        }
        // The others don't wait for long where this loop hangs.
        _ = await listening.missing(after: HungLoops.patience)
        context.streams.begin()
        let closed = Arrivals(of: loops.count)
        // All at once: while one loop finishes a slow answer, the others must not go on serving.
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

/// The event loops that no longer reacted when their server stopped.
struct HungLoops: Error, CustomStringConvertible {
    /// How long a loop may take to begin with work that it was handed, in milliseconds.
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

/// Waits, up to a limit, for events that happen once each.
final class Arrivals: Sendable {
    fileprivate struct State {
        var missing: Set<Int>
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Locked<State>

    /// - Parameter count: how many events there are; they are numbered from 0.
    init(of count: Int) {
        state = Locked(State(missing: Set(0..<count)))
    }

    /// Notes that an event has happened.
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

/// Lets the functions that write streamed bodies know that their server stops, through swift-service-lifecycle's own
/// calls: `cancelWhenGracefulShutdown`, `withGracefulShutdownHandler`, `Task.isShuttingDownGracefully`.
final class StreamShutdown: Sendable {
    private let manager = GracefulShutdownManager()

    /// Tells all functions that run, and those that begin later.
    func begin() { manager.shutdownGracefully() }

    /// Runs a function that is told.
    func watched(_ function: () async throws -> Void) async rethrows {
        try await TaskLocals.$gracefulShutdownManager.withValue(manager) { try await function() }
    }
}

/// What runs until the server stops.
package enum UntilShutdown {
    /// Runs a function, and cancels it when the server stops.
    ///
    /// - Throws: what the function throws, unless the server stops.
    package static func run(_ function: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await cancelWhenGracefulShutdown(function)
        } catch {
            guard Task.isShuttingDownGracefully else { throw error }
        }
    }
}
