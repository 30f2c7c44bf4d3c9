import Backlot
import Logging

/// Publishes the scheduled entries of a feed when their time comes, but only while somebody reads the feed or waits for its changes.
/// Only then does it call the store.
final class DueDrafts: Sendable {
    /// The seconds between attempts with a store that has failed.
    private static let pause = 5

    private struct State {
        /// The revision of the feed at the last call of the store.
        var revision: Int?
        /// The times without due entries, unless the revision changes. A time before them means that the clock was set back.
        var quiet = Int.max..<Int.max
        var isAsking = false
    }

    private let state = Locked(State())

    /// Whether this process knows of no due entry.
    ///
    /// - Parameter revision: the feed's revision; each change of a draft raises it.
    func areNone(at now: Int, revision: Int?) -> Bool {
        state.withLock { $0.revision == revision && $0.quiet.contains(now) }
    }

    /// Publishes what is due. Only one task calls the store at a time.
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
            // Without a revision, changes to the schedule go unnoticed.
            next = revision == nil ? min(due, now + 1) : due
        } catch is CancellationError {
            next = now
        } catch {
            let problem = "scheduled entries can't be published; trying again in \(Self.pause) s: \(error)"
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
