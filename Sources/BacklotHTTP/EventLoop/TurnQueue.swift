/// Something that could keep a loop busy for as long as it likes, and waits until others had their turn.
protocol TurnTaker: AnyObject {
    /// Called when it may go on.
    func turnCame()
}

/// Those who wait for their turn on a loop: they are called one after the other, a few in each round, so that any number of
/// them leaves others their time. A value without I/O.
struct TurnQueue {
    /// How many are called in a round.
    static let atOnce = 4

    private var waiting: [any TurnTaker] = []
    /// How many of `waiting` have been called.
    private var called = 0

    var isEmpty: Bool { called == waiting.count }

    mutating func append(_ taker: any TurnTaker) { waiting.append(taker) }

    /// Takes out those whose turn it is.
    mutating func next() -> [any TurnTaker] {
        let next = Array(waiting[called...].prefix(Self.atOnce))
        called += next.count
        // Not with every call: those who wait would be moved each time.
        if isEmpty || called >= 64 {
            waiting.removeFirst(called)
            called = 0
        }
        return next
    }
}
