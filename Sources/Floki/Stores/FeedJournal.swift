import Backlot

/// The knowledge of a process about the changes of its feeds, and the readers of their events. Each store has one.
///
/// It carries out what ``JournalState`` decides.
package final class FeedJournal: Sendable {
    private struct State {
        var journal: JournalState
        var lines: [Int: Reference] = [:]

        /// Forgets the readers that have ended.
        mutating func removeEnded() {
            for (number, reference) in lines where reference.line == nil {
                lines[number] = nil
                journal.endReader(number)
            }
        }
    }

    private struct Reference {
        weak var line: EventLine?
    }

    /// The changes to read.
    package let reads: AsyncStream<JournalState.Read>
    private let continuation: AsyncStream<JournalState.Read>.Continuation
    private let state: Locked<State>

    /// - Parameter isCurrent: whether the changes of all servers are known.
    package init(isCurrent: Bool = true) {
        (reads, continuation) = AsyncStream.makeStream()
        state = Locked(State(journal: JournalState(isCurrent: isCurrent)))
    }

    /// The revision of a feed; 0 for an unknown feed, nil while it can't be known.
    package func revision(of feed: String) -> Int? { state.withLock { $0.journal.revision(of: feed) } }

    /// The version of an app's record; nil without a record, and while the version can't be known.
    package func version(of app: String) -> Int? {
        state.withLock { $0.journal.version(of: app) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// The events from now on.
    package func events() -> FeedEvents {
        let line = EventLine()
        state.withLock { state in
            state.removeEnded()
            state.lines[state.journal.beginReader()] = Reference(line: line)
        }
        return FeedEvents(line)
    }

    /// Whether anybody waits for events.
    package var hasReaders: Bool { state.withLock { state in state.lines.values.contains { $0.line != nil } } }

    /// Gives events to those who wait for them.
    package func tell(_ events: [FeedEvent]) { perform { $0.tell(events) } }

    /// Changes the state without a consequence for readers.
    package func note(_ change: (inout JournalState) -> Void) { state.withLock { change(&$0.journal) } }

    /// Changes the state, and carries out the actions in the order of the changes.
    package func perform(_ change: (inout JournalState) -> [JournalState.Action]) {
        state.withLock { state in
            state.removeEnded()
            for action in change(&state.journal) {
                switch action {
                case .tell(let events, let reader): state.lines[reader]?.line?.add(events)
                case .read(let read): continuation.yield(read)
                }
            }
        }
    }
}
