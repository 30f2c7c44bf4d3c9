/// How fast a client is while it is waited for, against the least rate that it must keep after a time of grace.
struct RateMeter: Equatable {
    /// How many bytes have come, or were taken.
    var bytes = 0
    /// How long it was waited for before the present wait, in milliseconds.
    private var waited: Int64 = 0
    /// When the present wait began.
    private var since: Int64?

    /// Notes whether the client is waited for, from `now` on, in milliseconds.
    mutating func wait(_ isWaiting: Bool, at now: Int64) {
        if isWaiting {
            since = since ?? now
        } else if let since {
            waited += now - since
            self.since = nil
        }
    }

    /// Until when the client may wait with its next byte; nil while it isn't waited for.
    ///
    /// - Parameters:
    ///   - grace: for how long any rate will do, in milliseconds.
    ///   - leastRate: the bytes per second that are asked for after that.
    func deadline(grace: Int64, leastRate: Int) -> Int64? {
        since.map { $0 - waited + grace + Int64(bytes) * 1000 / Int64(leastRate) }
    }
}

/// How fast a client takes what waits for it: measured by what it has acknowledged, since the system's own buffer takes
/// megabytes from a server before it looks full.
final class OutputMeter {
    /// Counts acknowledged bytes.
    var rate = RateMeter()
    private let queuedBefore: Int
    /// What waits for the client in the server's memory.
    let hold: BufferHold
    /// How many bytes were given to the system since.
    var sent = 0

    /// - Parameter queued: how many bytes the system has that are not acknowledged yet.
    init(queued: Int, at now: Int64, server: ServerContext) {
        queuedBefore = queued
        hold = BufferHold(server)
        rate.wait(true, at: now)
    }

    /// Notes how many bytes the system still has.
    ///
    /// - Returns: whether the client has taken any since the last look.
    func look(queued: Int) -> Bool {
        let acknowledged = queuedBefore + sent - queued
        guard acknowledged > rate.bytes else { return false }
        rate.bytes = acknowledged
        return true
    }
}
