/// Lets something happen so often in a burst, and so often per second on average.
struct TokenBucket: Equatable {
    private let burst: Int
    private let perSecond: Int
    /// In thousandths, so that every millisecond brings `perSecond` of them.
    private var tokens: Int
    private var updated: Int64?

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - burst: how many tokens it holds.
    ///   - perSecond: how many are added per second.
    init(burst: Int, perSecond: Int) {
        self.burst = burst * 1000
        self.perSecond = perSecond
        tokens = self.burst
    }

    /// Takes out one token.
    ///
    /// - Parameter now: milliseconds of a clock that never jumps.
    /// - Returns: false when there is none.
    mutating func take(at now: Int64) -> Bool {
        let milliseconds = Int(clamping: min(max(0, now - (updated ?? now)), 1_000_000))
        updated = now
        tokens = min(burst, tokens + milliseconds * perSecond)
        guard tokens >= 1000 else { return false }
        tokens -= 1000
        return true
    }

    /// Puts tokens in beyond those that time brings.
    mutating func add(_ count: Int) {
        tokens = min(burst, tokens + count * 1000)
    }
}
