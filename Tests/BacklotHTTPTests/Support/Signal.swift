import TestSupport

@testable import BacklotHTTP

/// An event that happens once, and that tasks can wait for.
final class Signal: Sendable {
    private enum State {
        case pending([CheckedContinuation<Void, Never>])
        case fired
    }

    private let state = Locked(State.pending([]))

    var hasFired: Bool {
        state.withLock { if case .fired = $0 { true } else { false } }
    }

    func fire() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = .fired }
            if case .pending(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasFired = state.withLock { state -> Bool in
                guard case .pending(let waiting) = state else { return true }
                state = .pending(waiting + [continuation])
                return false
            }
            if hasFired { continuation.resume() }
        }
    }
}

/// Records events in order, from any thread.
final class Recorder<Event: Sendable>: Sendable {
    private let recorded = Locked<[Event]>([])

    var events: [Event] { recorded.withLock { $0 } }

    func record(_ event: Event) {
        recorded.withLock { $0.append(event) }
    }
}

/// Looks every few milliseconds whether something has come true, where nothing signals it; under a sanitizer, for longer.
///
/// - Parameter time: by default shorter than most default timeouts of a server (10 s or longer). So a test that sets a
///   shorter timeout fails if the server ignores it. Pauses of the test itself aren't counted.
func eventually(within time: Duration = .seconds(8), _ condition: () async -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    var (last, waited) = (clock.now, Duration.zero)
    while await !condition() {
        guard waited < time * Patience.factor else { return false }
        try await Task.sleep(for: .milliseconds(2))
        let now = clock.now
        waited += min(now - last, .milliseconds(100))
        last = now
    }
    return true
}
