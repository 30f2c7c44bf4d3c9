import BacklotHTTP
import Synchronization

/// Brings events to all browsers that listen. One that takes them too slowly loses the oldest.
final class EventHub: Sendable {
    /// How many events wait for one browser at most.
    private static let most = 256

    private struct State {
        var listeners: [Int: AsyncStream<PreviewEvent>.Continuation] = [:]
        var next = 0
        var isStopped = false
    }

    private let state = Locked(State())
    private let count = Atomic(0)

    /// Whether anybody listens.
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// The events from now on, until `leave` is called with the number, or nothing more comes.
    func join() -> (number: Int, events: AsyncStream<PreviewEvent>) {
        let (events, continuation) = AsyncStream.makeStream(
            of: PreviewEvent.self,
            bufferingPolicy: .bufferingNewest(Self.most)
        )
        let number = state.withLock { state in
            state.next += 1
            if state.isStopped { continuation.finish() } else { state.listeners[state.next] = continuation }
            count.store(state.listeners.count, ordering: .relaxed)
            return state.next
        }
        return (number, events)
    }

    /// Ends what `join` has begun.
    func leave(_ number: Int) {
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: number)
            count.store(state.listeners.count, ordering: .relaxed)
            return listener
        }
        listener?.finish()
    }

    /// Sends an event to everybody, or to one listener alone.
    func send(_ event: PreviewEvent, to number: Int? = nil) {
        let listeners = state.withLock { state in
            number.map { [state.listeners[$0]].compactMap(\.self) } ?? Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    /// Ends it for everybody, for good.
    func stop() {
        let listeners = state.withLock { state in
            state.isStopped = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        count.store(0, ordering: .relaxed)
        for listener in listeners { listener.finish() }
    }
}
