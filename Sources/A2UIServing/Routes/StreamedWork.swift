import A2UI
import Backlot

/// The work of an exchange, in a task that begins before the response. It can change the session until it
/// first sends messages, or has taken one heartbeat's time.
final class StreamedWork: Sendable {
    typealias Write = @Sendable ([ServerMessage]) async throws -> Void

    private struct State {
        /// Sends messages; nil before the response has begun.
        var write: Write?
        /// The messages that remain after the work; nil before its end.
        var rest: Result<[ServerMessage], any Error>?
    }

    private let state = Locked(State())
    /// Ends when the response is to begin.
    private let output = AsyncStream<Void>.makeStream()
    /// Ends when the response has begun.
    private let response = AsyncStream<Void>.makeStream()
    private let task: Task<Void, Never>

    /// Begins the work, and waits until it has messages to send, or has ended, but no longer than one heartbeat's time: proxies give up
    /// a response that doesn't begin.
    ///
    /// - Throws: an unexpected error of work that has sent nothing.
    init(_ exchange: A2UIExchange, _ work: @escaping @Sendable (A2UIExchange) async throws -> Void) async throws {
        task = LoopTask.start { [state, output, response] in
            let write: Write = { messages in
                output.continuation.finish()
                for await _ in response.stream {}
                guard let send = state.withLock({ $0.write }) else { throw CancellationError() }
                try await send(messages)
            }
            let rest = await Result { try await exchange.run(write: write, work) }
            state.withLock { $0.rest = rest }
            output.continuation.finish()
        }
        let alarm = Task { [output, heartbeat = exchange.server.configuration.heartbeat] in
            try await Task.sleep(for: heartbeat)
            output.continuation.finish()
        }
        for await _ in output.stream {}
        alarm.cancel()
        // The response names the client.
        exchange.admitUser()
        if Task.isCancelled {
            // The client has gone. The request lasts until its work ends.
            task.cancel()
            await task.value
        }
        if case .failure(let error)? = state.withLock({ $0.rest }), ProblemDetails(of: error) == nil { throw error }
    }

    /// Without a response, nobody waits for the work.
    deinit { task.cancel() }

    /// Lets the work send its messages, and waits for its end.
    ///
    /// - Returns: the messages that remain.
    func finish(_ write: @escaping Write) async throws -> [ServerMessage] {
        state.withLock { $0.write = write }
        response.continuation.finish()
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try state.withLock({ $0.rest })?.get() ?? []
    }
}
