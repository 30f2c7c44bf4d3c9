import Backlot
import Synchronization

/// Whether the server wants more requests: not once it stops.
final class Readiness: Sendable {
    private let hasEnded = Atomic(false)

    /// Adds `/readyz`, for load balancers: 200 while the server is ready, then 503.
    func register(on router: Router) {
        router.get("/readyz") { [self] _ in
            if hasEnded.load(ordering: .relaxed) { throw StatusError(.serviceUnavailable, "stopping") }
            return .text("ready")
        }
    }

    /// Says from now on that the server is not ready.
    func end() {
        hasEnded.store(true, ordering: .relaxed)
    }
}
