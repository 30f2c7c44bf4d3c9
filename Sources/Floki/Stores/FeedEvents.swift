import Backlot

/// What has happened to an entry of a feed.
public struct FeedEvent: Sendable, Equatable {
    /// What may happen.
    public enum Kind: String, Sendable {
        /// The entry was saved as readers see it, or its draft was published.
        case saved
        /// The entry was removed.
        case removed
        /// A draft of the entry was saved, or discarded.
        case drafted
        /// More has happened than was remembered: read the feed again. There is no id and no language.
        case missed
    }

    /// The feed's name.
    public let feed: String
    /// The revision of the feed after the change.
    public let revision: Int
    /// What has happened.
    public let kind: Kind
    /// The number of the entry.
    public let id: Int
    /// The code of the language; empty for a feed that all languages share.
    public let language: String

    /// An event.
    public init(feed: String, revision: Int, kind: Kind, id: Int = 0, language: String = "") {
        self.feed = feed
        self.revision = revision
        self.kind = kind
        self.id = id
        self.language = language
    }
}

/// The changes of feeds, from the moment on at which this was made.
///
/// A reader that falls behind by more than 10,000 changes gets one of the kind ``FeedEvent/Kind/missed`` for those of each feed that
/// it has lost.
public struct FeedEvents: AsyncSequence, Sendable {
    /// Waits for the next change. It ends when its task is cancelled.
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

    fileprivate init(_ line: EventLine) { self.line = line }

    /// How many events are in memory.
    var count: Int { line.count }

    /// Runs some work until nobody waits for the events any more; then its task is cancelled.
    func running(_ work: @escaping @Sendable () async -> Void) -> FeedEvents {
        line.run(Task { await work() })
        return self
    }

    /// An iterator. A sequence has one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(line) }
}

/// The events that a reader has not taken yet.
private final class EventLine: Sendable {
    private static let most = 10_000
    /// How many taken events stay in memory before they are removed.
    private static let mostTaken = 1_000

    private struct State {
        var events: [FeedEvent] = []
        /// How many of them are taken.
        var taken = 0
        /// The latest revision of each feed of which events were lost.
        var lost: [String: Int] = [:]
        /// What runs as long as there is a reader.
        var tasks: [Task<Void, Never>] = []
    }

    private let state = Locked(State())
    /// The revisions that were known when the line began. Events up to these are from before, even if they are told later.
    private let known: Locked<[String: Int]>
    /// One signal stands for any number of events.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(after known: [String: Int]) {
        self.known = Locked(known)
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        for task in state.withLock({ $0.tasks }) { task.cancel() }
        continuation.finish()
    }

    var count: Int { state.withLock { $0.events.count } }

    func run(_ task: Task<Void, Never>) { state.withLock { $0.tasks.append(task) } }

    func add(_ events: [FeedEvent]) {
        let known = known.withLock { $0 }
        let events = events.filter { $0.revision > known[$0.feed] ?? 0 }
        guard !events.isEmpty else { return }
        state.withLock { state in
            if state.events.count - state.taken + events.count > Self.most {
                for event in state.events[state.taken...] + events { state.lost[event.feed] = event.revision }
                state.events = []
                state.taken = 0
            } else {
                state.events += events
            }
        }
        continuation.yield()
    }

    /// Begins again with a feed that has lost its last changes.
    func restart(_ feed: String, at revision: Int) {
        known.withLock { $0[feed] = revision }
        state.withLock { state in
            state.events = state.events[state.taken...].filter { $0.feed != feed }
            state.taken = 0
            state.lost[feed] = revision
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

/// What a process knows of the changes of its feeds. Each store has one.
package final class FeedJournal: Sendable {
    private struct State {
        var isCurrent: Bool
        /// The last revision of each feed that is known.
        var known: [String: Int] = [:]
        /// The last revision of each feed whose events were told.
        var told: [String: Int] = [:]
        /// The revisions that were known when they were forgotten.
        var former: [String: Int] = [:]
        /// The last revision of each feed that has lost changes. Revisions up to it are given twice.
        var lost: [String: Int] = [:]
        var lines: [Reference] = []
    }

    private struct Reference {
        weak var line: EventLine?
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - revisions: those that the feeds begin with.
    ///   - isCurrent: whether the changes of all servers are known.
    package init(_ revisions: [String: Int] = [:], isCurrent: Bool = true) {
        state = Locked(State(isCurrent: isCurrent, known: revisions, told: revisions))
    }

    /// Tells events to those who wait for them, in the order of each feed's revisions, all of one revision at once. Events that were
    /// told already are dropped.
    package func tell(_ events: [FeedEvent]) {
        state.withLock { state in
            let before = state.told
            let news = events.filter { $0.revision > before[$0.feed] ?? 0 }
            for event in news {
                state.told[event.feed] = max(state.told[event.feed] ?? 0, event.revision)
                state.known[event.feed] = max(state.known[event.feed] ?? 0, event.revision)
            }
            guard !news.isEmpty else { return }
            state.lines.removeAll { $0.line == nil }
            for reference in state.lines { reference.line?.add(news) }
        }
    }

    /// Notes a revision whose events are told later: that of a change that was just made here, or the version of an app's record.
    package func know(_ revision: Int, of feed: String) {
        state.withLock { $0.known[feed] = max($0.known[feed] ?? 0, revision) }
    }

    /// Notes the revisions that feeds had before the journal began. Their events are never told.
    package func begin(with revisions: [String: Int]) {
        state.withLock { state in
            state.known.merge(revisions) { max($0, $1) }
            state.told.merge(revisions) { max($0, $1) }
        }
    }

    /// Forgets what is known before all revisions are read again, which may be lower. Until `setCurrent` is called, nothing is known.
    package func forget() {
        state.withLock { state in
            state.isCurrent = false
            state.former.merge(state.known) { max($0, $1) }
            state.known = [:]
        }
    }

    /// Notes all revisions that there are, which were read after `forget` was called. Where a feed has a lower one than before, its
    /// last changes are lost, and those who wait for events are told that they have missed some.
    package func resume(with revisions: [String: Int]) {
        state.withLock { state in
            state.known.merge(revisions) { max($0, $1) }
            for (feed, former) in state.former {
                let revision = revisions[feed] ?? 0
                guard revision < former else { continue }
                state.lost[feed] = max(state.lost[feed] ?? 0, former)
                guard let told = state.told[feed] else { continue }
                state.told[feed] = min(told, revision)
                for reference in state.lines { reference.line?.restart(feed, at: revision) }
            }
            state.former = [:]
        }
    }

    /// Says whether the changes of all servers are known.
    package func setCurrent(_ isCurrent: Bool) { state.withLock { $0.isCurrent = isCurrent } }

    /// The last revision of a feed whose events were told; 0 for an unknown feed.
    package func toldRevision(of feed: String) -> Int { state.withLock { $0.told[feed] ?? 0 } }

    /// The revision of a feed; 0 for an unknown feed, nil while it can't be known, and while it is one that is given twice.
    package func revision(of feed: String) -> Int? {
        state.withLock { state in
            let revision = state.known[feed] ?? 0
            return state.isCurrent && revision >= state.lost[feed].map({ $0 + 1 }) ?? 0 ? revision : nil
        }
    }

    /// The events from now on.
    package func events() -> FeedEvents {
        state.withLock { state in
            let line = EventLine(after: state.known.merging(state.former) { max($0, $1) })
            state.lines.append(Reference(line: line))
            return FeedEvents(line)
        }
    }

    /// Whether anybody waits for events.
    package var hasReaders: Bool { state.withLock { state in state.lines.contains { $0.line != nil } } }
}
