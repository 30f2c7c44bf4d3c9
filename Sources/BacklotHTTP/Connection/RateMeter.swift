/// Measures how fast a client is while the server waits for it, against the least rate after a time of grace: one rule for
/// what a client sends and for what it takes, over both versions of HTTP. A value without I/O.
struct RateMeter: Equatable {
    /// How many bytes have come, or were taken.
    var bytes: Int
    /// How long the earlier waits took, in milliseconds.
    private var waited: Int64 = 0
    /// When the present wait began.
    private var since: Int64?

    init(bytes: Int = 0) {
        self.bytes = bytes
    }

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
    /// - Parameter leastRate: bytes a second.
    func deadline(_ waits: Waits, leastRate: Int) -> Int64? {
        since.map { $0 - waited + waits.rateGrace + Int64(bytes) * 1000 / Int64(leastRate) }
    }

    /// Notes whether the client is waited for. Each wait is measured by itself, for several requests together: they share one
    /// link, and the client decides which of them goes first.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    /// - Returns: whether the client is too slow.
    mutating func isSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        if !isWaiting || since == nil { self = RateMeter() }
        wait(isWaiting, at: now)
        return deadline(configuration.waits, leastRate: configuration.limits.leastRate).map { $0 <= now } ?? false
    }
}

/// Measures how fast a client takes the output, by the bytes that it has acknowledged: the system's buffer takes
/// megabytes from a server before it is full.
final class OutputMeter {
    /// Counts acknowledged bytes.
    private var rate = RateMeter()
    /// The bytes in the server's memory that wait for the client.
    let hold: BufferShare
    /// How many bytes the system was given: those that it had before, and those since.
    private var given: Int
    /// When the client last made progress, in milliseconds of the loop's clock.
    var lastTaken: Int64

    /// - Parameter queued: how many bytes the system has that are not acknowledged yet.
    init(queued: Int, at now: Int64, server: ServerContext) {
        given = queued
        lastTaken = now
        hold = BufferShare(server)
        rate.wait(true, at: now)
    }

    /// When the client must have taken the next byte.
    func deadline(_ waits: Waits, leastRate: Int) -> Int64 {
        min(lastTaken + waits.write, rate.deadline(waits, leastRate: leastRate) ?? .max)
    }

    /// The system has taken bytes.
    func note(_ count: Int, at now: Int64) {
        given += count
        lastTaken = now
    }

    /// The system still has so many bytes.
    func look(queued: Int, at now: Int64) {
        guard given - queued > rate.bytes else { return }
        rate.bytes = given - queued
        lastTaken = now
    }
}
