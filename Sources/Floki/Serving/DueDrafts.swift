import Backlot
import Logging

/// Publishes the scheduled entries of a feed when their time comes while somebody reads the feed or waits for its changes, and asks
/// the store for them only then.
final class DueDrafts: Sendable {
    /// After how many seconds a store is asked again that couldn't answer.
    private static let pause = 5

    private struct State {
        /// The revision of the feed when the store was asked.
        var revision: Int?
        /// From when to when it needn't be asked again, unless the revision changes. Before this, the clock was set back.
        var quiet = Int.max..<Int.max
        var isAsking = false
    }

    private let state = Locked(State())

    /// Whether no entry is due, as far as is known.
    ///
    /// - Parameter revision: the feed's; each change of a draft raises it.
    func areNone(at now: Int, revision: Int?) -> Bool {
        state.withLock { $0.revision == revision && $0.quiet.contains(now) }
    }

    /// Publishes what is due. Only one task asks the store at a time.
    func publish(in store: any FeedStore, of feed: String, now: Int) async {
        let revision = store.revision(of: feed)
        let mustAsk = state.withLock { state in
            guard !state.isAsking, state.revision != revision || !state.quiet.contains(now) else { return false }
            state.isAsking = true
            return true
        }
        guard mustAsk else { return }
        var next = now + 1
        do {
            let due = try await store.publishDrafts(dueAt: now) ?? Int.max
            // Without a revision, nobody says when an entry is scheduled.
            next = revision == nil ? min(due, now + 1) : due
        } catch is CancellationError {
            next = now
        } catch {
            let problem = "scheduled entries can't be published, which is tried again in \(Self.pause) s: \(error)"
            Logger(label: "backlot.floki").warning("\(problem)")
            next = now + Self.pause
        }
        state.withLock { state in
            state.revision = revision
            state.quiet = now..<max(now, next)
            state.isAsking = false
        }
    }
}
