/// Measures a client's speed while the server waits for it, against the least rate after a time of grace. The same rule applies
/// to the bytes that a client sends and to those it accepts, over both versions of HTTP. A value without I/O.
struct RateMeter: Equatable {
    /// The number of bytes that have arrived or been accepted.
    var bytes: Int
    /// The total time of the earlier waits, in milliseconds.
    private var waited: Int64 = 0
    /// The start of the current wait.
    private var since: Int64?

    init(bytes: Int = 0) {
        self.bytes = bytes
    }

    /// Records whether the server waits for the client from `now` on, in milliseconds.
    mutating func wait(_ isWaiting: Bool, at now: Int64) {
        if isWaiting {
            since = since ?? now
        } else if let since {
            waited += now - since
            self.since = nil
        }
    }

    /// The time when the client's next byte is due; nil while the server doesn't wait for it.
    ///
    /// - Parameter leastRate: bytes per second.
    func deadline(_ waits: Waits, leastRate: Int) -> Int64? {
        since.map { $0 - waited + waits.rateGrace + Int64(bytes) * 1000 / Int64(leastRate) }
    }

    /// Records whether the server waits for the client. Each wait is measured separately, for several requests together: they
    /// share one link, and the client decides about their order.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    /// - Returns: whether the client is too slow.
    mutating func isSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        if !isWaiting || since == nil { self = RateMeter() }
        wait(isWaiting, at: now)
        return deadline(configuration.waits, leastRate: configuration.limits.leastRate).map { $0 <= now } ?? false
    }
}

/// Measures how fast a client accepts the output, by its acknowledgements: the system's buffer accepts megabytes from a server
/// before it is full.
final class OutputMeter {
    /// Counts acknowledged bytes.
    private var rate = RateMeter()
    /// The bytes in the server's memory that wait for the client.
    let hold: BufferShare
    /// The number of bytes that the system was given, including those it had at the start.
    private var given: Int
    /// The time when the client last made progress, in milliseconds of the loop's clock.
    var lastTaken: Int64

    /// - Parameter queued: the number of bytes in the system that aren't acknowledged yet.
    init(queued: Int, at now: Int64, server: ServerContext) {
        given = queued
        lastTaken = now
        hold = BufferShare(server)
        rate.wait(true, at: now)
    }

    /// The time by when the client must have accepted the next byte.
    func deadline(_ waits: Waits, leastRate: Int) -> Int64 {
        min(lastTaken + waits.write, rate.deadline(waits, leastRate: leastRate) ?? .max)
    }

    /// The system has accepted `count` bytes.
    func note(_ count: Int, at now: Int64) {
        given += count
        lastTaken = now
    }

    /// The system still has `queued` bytes.
    func look(queued: Int, at now: Int64) {
        guard given - queued > rate.bytes else { return }
        rate.bytes = given - queued
        lastTaken = now
    }
}
