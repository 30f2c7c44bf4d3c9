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
