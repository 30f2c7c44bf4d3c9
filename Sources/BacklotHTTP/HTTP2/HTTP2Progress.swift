/// Measures a client against the least rate that it must keep while bodies are waited for, or answers wait for windows.
///
/// The streams of a connection are measured together: they share one link, and which of them gets it first is the
/// client's to say. A value without I/O.
struct HTTP2Progress {
    /// How many bytes of bodies have come, and how many of answers were sent, ever.
    var received = 0
    var sent = 0

    /// The rate since there was first something to wait for, and what had been moved before; nil while there is nothing.
    private struct Stall {
        var meter: RateMeter
        let before: Int

        init(before: Int, at now: Int64) {
            meter = RateMeter()
            meter.wait(true, at: now)
            self.before = before
        }
    }

    private var input: Stall?
    private var output: Stall?

    /// Notes whether bodies are waited for.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    /// - Returns: whether they come too slowly.
    mutating func isInputSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        Self.isSlow(&input, isWaiting, moved: received, configuration, at: now)
    }

    /// Notes whether answers wait for windows. Returns whether they are taken too slowly.
    mutating func isOutputSlow(_ isWaiting: Bool, _ configuration: ServerConfiguration, at now: Int64) -> Bool {
        Self.isSlow(&output, isWaiting, moved: sent, configuration, at: now)
    }

    private static func isSlow(
        _ stall: inout Stall?,
        _ isWaiting: Bool,
        moved: Int,
        _ configuration: ServerConfiguration,
        at now: Int64
    ) -> Bool {
        guard isWaiting else {
            stall = nil
            return false
        }
        var current = stall ?? Stall(before: moved, at: now)
        current.meter.bytes = moved - current.before
        stall = current
        let grace = configuration.timeouts.rateGrace
        let deadline = current.meter.deadline(grace: grace, leastRate: configuration.limits.leastRate)
        return deadline.map { $0 <= now } ?? false
    }
}
