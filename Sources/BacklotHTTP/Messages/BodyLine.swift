/// The way of a streamed body for several tasks: one at a time writes, in the order in which they have come.
package final class BodyLine: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var lastWrite = ContinuousClock.now
    }

    private let writer: BodyWriter
    private let state = Locked(State())

    package init(_ writer: BodyWriter) { self.writer = writer }

    /// When somebody last wrote.
    package var lastWrite: ContinuousClock.Instant { state.withLock { $0.lastWrite } }

    /// Calls a function that writes while nobody else does.
    package func inTurn(_ write: (BodyWriter) async throws -> Void) async throws {
        await enter()
        defer { leave() }
        try await write(writer)
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.lastWrite = .now
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
