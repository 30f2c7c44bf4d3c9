import BacklotHTTP
import Synchronization

/// Brings events to all browsers that listen. A browser that reads too slowly loses the oldest.
final class EventHub: Sendable {
    /// The most events that wait for one browser.
    private static let most = 256
    /// The most browsers that may listen at a time. Each event is written once for each of them.
    static let mostListeners = 64

    private struct State {
        var listeners: [Int: AsyncStream<PreviewEvent>.Continuation] = [:]
        var next = 0
    }

    private let state = Locked(State())
    private let count = Atomic(0)

    /// Whether any browser listens.
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// The events from now on, until the listener is released; nil when too many listen already.
    func join() -> Listener? {
        let (events, continuation) = AsyncStream.makeStream(
            of: PreviewEvent.self,
            bufferingPolicy: .bufferingNewest(Self.most)
        )
        let number: Int? = state.withLock { state in
            guard state.listeners.count < Self.mostListeners else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            count.store(state.listeners.count, ordering: .relaxed)
            return state.next
        }
        return number.map { Listener(hub: self, number: $0, events: events) }
    }

    /// A browser that listens. Releasing it makes room for another one, so that a response that is never sent takes no place.
    final class Listener: Sendable {
        let number: Int
        let events: AsyncStream<PreviewEvent>
        private let hub: EventHub

        fileprivate init(hub: EventHub, number: Int, events: AsyncStream<PreviewEvent>) {
            self.hub = hub
            self.number = number
            self.events = events
        }

        deinit { hub.leave(number) }

        /// Makes room for another browser.
        func leave() { hub.leave(number) }
    }

    private func leave(_ number: Int) {
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: number)
            count.store(state.listeners.count, ordering: .relaxed)
            return listener
        }
        listener?.finish()
    }

    /// Sends an event to all listeners, or to one.
    func send(_ event: PreviewEvent, to number: Int? = nil) {
        let listeners = state.withLock { state in
            number.map { [state.listeners[$0]].compactMap(\.self) } ?? Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }
}
