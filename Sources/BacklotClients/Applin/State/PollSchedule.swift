/// When a client refreshes pages by itself. A value without a clock: callers pass the time.
///
/// Once a second the client looks which pages of its stack are due, the visible one first. After a refresh that failed it
/// waits for 5, 10, then 30 seconds before it looks again. Apart from that, an input may ask for one refresh of the visible
/// page a while after it was changed.
struct PollSchedule: Sendable, Equatable {
    /// Something to do, and when.
    enum Event: Equatable {
        /// Refresh the visible page: an input was changed.
        case delayed(at: Int64)
        /// Refresh those pages of the stack that are due.
        case pass(at: Int64)
    }

    /// The waits between two looks, in milliseconds: by how many have failed, one after the other.
    private static let waits: [Int64] = [1000, 5000, 10_000, 30_000]

    private var failures = 0
    private var nextPass: Int64
    /// When the refresh for an input is due. The first of several is done, and the others are dropped with it.
    private var delayed: Int64?

    /// A schedule that begins at a time, in milliseconds of the client's clock.
    init(now: Int64) {
        nextPass = now + Self.waits[0]
    }

    /// An input was changed that asks for a refresh after so many milliseconds.
    mutating func schedule(after delay: Int64, now: Int64) {
        delayed = min(delayed ?? .max, now + delay)
    }

    /// When the next refresh takes place, of pages that are due at some time; nil where none is due and no input has asked.
    func nextRefresh(due: Int64?) -> Int64? {
        let pass = due.map { nextPass + max(0, $0 - nextPass + Self.waits[0] - 1) / Self.waits[0] * Self.waits[0] }
        return [pass, delayed].compactMap(\.self).min()
    }

    /// The next thing to do until a time; nil where there is nothing.
    func next(until end: Int64) -> Event? {
        if let delayed, delayed <= min(end, nextPass) { return .delayed(at: delayed) }
        return nextPass <= end ? .pass(at: nextPass) : nil
    }

    /// The refresh for an input is being done.
    mutating func delayedPollBegan() { delayed = nil }

    /// A look at the stack is over.
    ///
    /// - Parameters:
    ///   - hasFailed: whether a page could not be refreshed.
    ///   - jitter: where in its range the wait lies, from -1 to 1: half of it either way after a failure, else a twentieth.
    mutating func passEnded(hasFailed: Bool, now: Int64, jitter: Double) {
        failures = hasFailed ? min(failures + 1, Self.waits.count - 1) : 0
        let wait = Double(Self.waits[failures])
        nextPass = now + Int64(wait + wait * max(-1, min(1, jitter)) * (failures == 0 ? 0.05 : 0.5))
    }

    /// Leaves out the looks before a time at which there is nothing to see.
    mutating func skip(to time: Int64) {
        guard nextPass < time else { return }
        nextPass += (time - nextPass) / Self.waits[0] * Self.waits[0]
    }
}
