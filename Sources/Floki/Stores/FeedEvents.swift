import Backlot

/// A change to an entry of a feed.
public struct FeedEvent: Sendable, Equatable {
    /// The kinds of changes.
    public enum Kind: String, Sendable {
        /// The entry was saved for readers, or its draft was published.
        case saved
        /// The entry was removed.
        case removed
        /// A draft of the entry was saved, or discarded.
        case drafted
        /// There were more changes than the reader's memory holds: read the feed again. The event has no id and no language.
        case missed
    }

    /// The feed's name.
    public let feed: String
    /// The revision of the feed after the change.
    public let revision: Int
    /// The kind of change.
    public let kind: Kind
    /// The number of the entry.
    public let id: Int
    /// The code of the language; empty for a feed that all languages share.
    public let language: String

    /// Creates an event.
    public init(feed: String, revision: Int, kind: Kind, id: Int = 0, language: String = "") {
        self.feed = feed
        self.revision = revision
        self.kind = kind
        self.id = id
        self.language = language
    }
}

/// The changes of feeds since this sequence was created.
///
/// A reader that falls more than 10,000 changes behind loses the waiting ones. For each feed with lost changes it gets a
/// ``FeedEvent/Kind/missed`` event.
public struct FeedEvents: AsyncSequence, Sendable {
    /// Waits for the next change. Ends when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let line: EventLine

        fileprivate init(_ line: EventLine) { self.line = line }

        /// The next change; nil when the task is cancelled.
        public mutating func next() async -> FeedEvent? {
            for await _ in line.signals {
                if let event = line.take() { return event }
            }
            return nil
        }
    }

    private let line: EventLine

    init(_ line: EventLine) { self.line = line }

    /// The number of events in memory.
    var count: Int { line.count }

    /// Runs some work as long as somebody waits for the events, then cancels it.
    func running(_ work: @escaping @Sendable () async -> Void) -> FeedEvents {
        line.run(Task { await work() })
        return self
    }

    /// An iterator. A sequence has one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(line) }
}

/// The events that a reader has not taken yet.
final class EventLine: Sendable {
    /// The number of taken events that stay in memory before they are removed.
    private static let mostTaken = 1_000

    private struct State {
        var events: [FeedEvent] = []
        /// The number of taken events.
        var taken = 0
        /// The latest revision of each feed with lost events.
        var lost: [String: Int] = [:]
        /// The tasks that run as long as the reader exists.
        var tasks: [Task<Void, Never>] = []
    }

    private let state = Locked(State())
    /// Signals that events have arrived. One signal may stand for many events.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        for task in state.withLock({ $0.tasks }) { task.cancel() }
        continuation.finish()
    }

    var count: Int { state.withLock { $0.events.count } }

    func run(_ task: Task<Void, Never>) { state.withLock { $0.tasks.append(task) } }

    func add(_ events: [FeedEvent]) {
        state.withLock { state in
            if state.events.count - state.taken + events.count > JournalState.mostEvents {
                for event in state.events[state.taken...] + events { state.lost[event.feed] = event.revision }
                state.events = []
                state.taken = 0
            } else {
                state.events += events
            }
        }
        continuation.yield()
    }

    func take() -> FeedEvent? {
        let (event, isMore) = state.withLock { state -> (FeedEvent?, Bool) in
            if let (feed, revision) = state.lost.first {
                state.lost[feed] = nil
                return (FeedEvent(feed: feed, revision: revision, kind: .missed), true)
            }
            guard state.taken < state.events.count else { return (nil, false) }
            let event = state.events[state.taken]
            state.taken += 1
            if state.taken == state.events.count {
                state.events = []
                state.taken = 0
            } else if state.taken >= Self.mostTaken, state.taken * 2 >= state.events.count {
                state.events.removeFirst(state.taken)
                state.taken = 0
            }
            return (event, !state.events.isEmpty)
        }
        if isMore { continuation.yield() }
        return event
    }
}
