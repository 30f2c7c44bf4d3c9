/// How much may be computed on an event loop in a row: then a thread that may block does some of it, and the loop can turn to
/// its other connections.
struct LoopTurn: Sendable {
    /// In bytes that are compressed or decompressed: a few hundred microseconds.
    static let length = 64 * 1024

    private var done = 0

    /// Whether what comes next belongs elsewhere.
    var isOver: Bool { done >= Self.length }

    /// Whether so many bytes still fit in.
    func hasRoom(for count: Int) -> Bool { done + count <= Self.length }

    mutating func count(_ bytes: Int) { done += bytes }
}

/// How much of a streamed answer is written before other connections of the loop get their turn. A value without I/O.
///
/// What is written in one round of the loop is one turn. A producer that suspends by itself may have one in every round.
struct StreamTurn {
    /// The most bytes that are begun to be written in a turn.
    static let length = 64 * 1024
    /// The most time that a turn takes, in nanoseconds.
    static let time: Int64 = 200_000

    private var round = -1
    private var began: Int64 = 0
    private var written = 0

    init() {}

    private init(round: Int, began: Int64) {
        self.round = round
        self.began = began
    }

    /// Whether another piece may be written now.
    ///
    /// - Parameters:
    ///   - round: the number of the loop's round.
    ///   - now: nanoseconds of a clock that never jumps.
    mutating func hasRoom(in round: Int, at now: Int64) -> Bool {
        if round != self.round { self = StreamTurn(round: round, began: now) }
        return written < Self.length && now - began < Self.time
    }

    /// Notes that so many bytes are written.
    mutating func count(_ bytes: Int) { written += bytes }
}

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
