/// Measures how fast a client is while the server waits for it, against the least rate after a time of grace.
struct RateMeter: Equatable {
    /// How many bytes have come, or were taken.
    var bytes = 0
    /// How long the earlier waits took, in milliseconds.
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

    /// When the client's next byte is due; nil while the server doesn't wait for it.
    ///
    /// - Parameters:
    ///   - grace: how long any rate is accepted, in milliseconds.
    ///   - leastRate: the bytes per second that are required after that.
    func deadline(grace: Int64, leastRate: Int) -> Int64? {
        since.map { $0 - waited + grace + Int64(bytes) * 1000 / Int64(leastRate) }
    }
}

/// Measures how fast a client takes the output, by the bytes that it has acknowledged: the system's buffer takes
/// megabytes from a server before it is full.
final class OutputMeter {
    /// Counts acknowledged bytes.
    var rate = RateMeter()
    private let queuedBefore: Int
    /// The bytes in the server's memory that wait for the client.
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
