/// Schedules a client's own refreshes of pages. A value without a clock: callers pass the time.
///
/// Once a second the client checks which pages of its stack are due, the visible one first. After a failed refresh it waits for
/// 5, 10, then 30 seconds before the next check. In addition, an input may request one refresh of the visible page some time
/// after a change.
struct PollSchedule: Sendable, Equatable {
    /// An event and its time.
    enum Event: Equatable {
        /// Refresh the visible page, because an input was changed.
        case delayed(at: Int64)
        /// Refresh the due pages of the stack.
        case pass(at: Int64)
    }

    /// The waits between two checks, in milliseconds, by the number of failures in a row.
    private static let waits: [Int64] = [1000, 5000, 10_000, 30_000]

    private var failures = 0
    private var nextPass: Int64
    /// The time of the refresh for an input. If several inputs request one, only the earliest runs.
    private var delayed: Int64?

    /// Creates a schedule that begins at a time, in milliseconds of the client's clock.
    init(now: Int64) {
        nextPass = now + Self.waits[0]
    }

    /// Schedules a refresh for an input that was changed.
    mutating func schedule(after delay: Int64, now: Int64) {
        delayed = min(delayed ?? .max, now + delay)
    }

    /// The time of the next refresh, given the time at which a page is due; nil if neither a page nor an input needs one.
    func nextRefresh(due: Int64?) -> Int64? {
        let pass = due.map { nextPass + max(0, $0 - nextPass + Self.waits[0] - 1) / Self.waits[0] * Self.waits[0] }
        return [pass, delayed].compactMap(\.self).min()
    }

    /// The next event up to a time; nil without one.
    func next(until end: Int64) -> Event? {
        if let delayed, delayed <= min(end, nextPass) { return .delayed(at: delayed) }
        return nextPass <= end ? .pass(at: nextPass) : nil
    }

    /// Call this when the refresh for an input begins.
    mutating func delayedPollBegan() { delayed = nil }

    /// Call this when a check of the stack is over.
    ///
    /// - Parameters:
    ///   - hasFailed: whether the refresh of a page failed.
    ///   - jitter: the position of the wait within its range, from -1 to 1. The range is a half of the wait either way after a
    ///     failure, otherwise a twentieth.
    mutating func passEnded(hasFailed: Bool, now: Int64, jitter: Double) {
        failures = hasFailed ? min(failures + 1, Self.waits.count - 1) : 0
        let wait = Double(Self.waits[failures])
        nextPass = now + Int64(wait + wait * max(-1, min(1, jitter)) * (failures == 0 ? 0.05 : 0.5))
    }

    /// Skips checks before a time while no page polls. The refresh for an input may bring a page that polls, so no check after it is
    /// skipped.
    mutating func skip(to time: Int64) {
        let time = min(time, delayed ?? time)
        guard nextPass < time else { return }
        nextPass += (time - nextPass) / Self.waits[0] * Self.waits[0]
    }
}
