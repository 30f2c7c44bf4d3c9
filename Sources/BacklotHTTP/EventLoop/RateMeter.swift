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
