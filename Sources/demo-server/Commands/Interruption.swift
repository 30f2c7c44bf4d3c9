import Backlot
import Dispatch

/// Ctrl-C while a tool works: the first ends the work, whose result is printed; the second ends the process.
enum Interruption {
    /// Whether a signal has come.
    static var hasCome: Bool { StopSignals.received > 0 }

    /// Runs work in a task that the first SIGINT or SIGTERM cancels, and waits for its result.
    static func watch<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let task = Task { try await work() }
        let source = DispatchSource.makeReadSource(fileDescriptor: StopSignals.descriptor)
        source.setEventHandler {
            StopSignals.takeAll()
            if StopSignals.received > 1 { StopSignals.endProcess() }
            task.cancel()
        }
        source.activate()
        StopSignals.catchAll()
        defer {
            source.cancel()
            StopSignals.restoreDefault()
        }
        return try await task.value
    }
}
