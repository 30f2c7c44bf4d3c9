/// How long to wait before the next attempt: each time twice as long, up to a limit.
struct Backoff: Equatable, Sendable {
    private static let first = Duration.milliseconds(50)
    private static let last = Duration.seconds(2)

    private var next = first

    /// The time until the next attempt.
    mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.last) }
        return next
    }

    /// Begins anew, after an attempt that went well.
    mutating func reset() { next = Self.first }
}
