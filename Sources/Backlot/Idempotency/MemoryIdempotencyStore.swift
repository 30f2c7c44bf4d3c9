/// Keeps answers in the memory of this process, for one server alone. When there are too many, the oldest go; a request
/// that is under way never does.
public final class MemoryIdempotencyStore: IdempotencyStore {
    fileprivate struct Entry {
        let fingerprint: String
        let end: ContinuousClock.Instant
        var isDone = false
        var answer: KeptAnswer?

        var size: Int { 300 + (answer?.size ?? 0) }
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        /// The ids in the order in which they ended, the oldest first; some may have gone.
        var ended: [String] = []
        var firstEnded = 0
        var bytes = 0
    }

    private let most: Int
    private let mostBytes: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Locked(State())

    /// An empty store.
    ///
    /// - Parameters:
    ///   - requests: how many requests are remembered at most, those under way included.
    ///   - bytes: about how many bytes they take at most.
    public convenience init(requests: Int = 50_000, bytes: Int = 64 * 1024 * 1024) {
        self.init(requests: requests, bytes: bytes) { .now }
    }

    init(requests: Int, bytes: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        precondition(requests >= 1, "requests must be at least 1, but is \(requests)")
        precondition(bytes >= 1, "bytes must be at least 1, but is \(bytes)")
        most = requests
        mostBytes = bytes
        self.now = now
    }

    /// How many requests are remembered.
    var count: Int { state.withLock { $0.entries.count } }

    /// Begins a request under an id, unless there is one.
    ///
    /// - Throws: `StatusError` with 503 where all that are remembered are under way.
    public func begin(_ id: String, fingerprint: String, lifetime: Duration) throws(StatusError) -> IdempotencyState {
        let now = now()
        let state: IdempotencyState? = state.withLock { state in
            state.removeOldest(until: now)
            if let entry = state.entries[id] {
                guard entry.isDone, entry.end <= now else {
                    return entry.isDone
                        ? .done(fingerprint: entry.fingerprint, entry.answer)
                        : .underWay(fingerprint: entry.fingerprint)
                }
                state.remove(id)
            }
            while state.entries.count >= most { guard state.removeOldest() else { return nil } }
            let entry = Entry(fingerprint: fingerprint, end: now + lifetime)
            state.entries[id] = entry
            state.bytes += entry.size
            return .begun
        }
        guard let state else {
            throw StatusError(
                .serviceUnavailable,
                "too many requests with an Idempotency-Key are under way: try again soon",
                headers: [.retryAfter: "1"]
            )
        }
        return state
    }

    /// Keeps the answer to a request that was begun.
    public func finish(_ id: String, with answer: KeptAnswer?, lifetime: Duration) {
        let end = now() + lifetime
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            state.bytes -= entry.size
            let done = Entry(fingerprint: entry.fingerprint, end: end, isDone: true, answer: answer)
            state.bytes += done.size
            state.entries[id] = done
            state.ended.append(id)
            while state.bytes > mostBytes, state.removeOldest() {}
        }
    }

    /// Forgets a request that was begun.
    public func abandon(_ id: String) {
        state.withLock { $0.remove(id) }
    }
}

extension MemoryIdempotencyStore.State {
    mutating func remove(_ id: String) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.size }
    }

    /// Removes the oldest of those that have ended.
    ///
    /// - Returns: whether there was one.
    mutating func removeOldest() -> Bool {
        while firstEnded < ended.count {
            let id = ended[firstEnded]
            firstEnded += 1
            if firstEnded > 1024, firstEnded > ended.count / 2 {
                ended.removeFirst(firstEnded)
                firstEnded = 0
            }
            guard entries[id]?.isDone == true else { continue }
            remove(id)
            return true
        }
        return false
    }

    /// Removes those whose time is over, as far as they are the oldest.
    mutating func removeOldest(until now: ContinuousClock.Instant) {
        while firstEnded < ended.count, entries[ended[firstEnded]].map({ $0.isDone && $0.end <= now }) ?? true {
            _ = removeOldest()
        }
    }
}
