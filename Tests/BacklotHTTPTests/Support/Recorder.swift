@testable import BacklotHTTP

/// Remembers what happened, in order, from whatever thread.
final class Recorder<Event: Sendable>: Sendable {
    private let recorded = Locked<[Event]>([])

    var events: [Event] { recorded.withLock { $0 } }

    func record(_ event: Event) {
        recorded.withLock { $0.append(event) }
    }
}
