/// Event loops that did nothing any more when their server stopped.
struct HungLoops: Error, CustomStringConvertible {
    /// How long a loop may take to come to what it is handed, in milliseconds.
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

/// Waits for things that happen once each, and no longer than allowed.
final class Arrivals: Sendable {
    fileprivate struct State {
        var missing: Set<Int>
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Locked<State>

    /// As many things, numbered from 0.
    init(of count: Int) {
        state = Locked(State(missing: Set(0..<count)))
    }

    /// Notes that a thing has happened.
    func note(_ index: Int) {
        state.withLock { state in
            state.missing.remove(index)
            return state.missing.isEmpty ? state.takeWaiting() : nil
        }?.resume()
    }

    /// The things that haven't happened after so many milliseconds. To be called by one task at a time.
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
