@testable import BacklotHTTP

/// Something that happens once, and that others wait for.
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
