/// Limits how much is compressed on an event loop without a pause. Past the limit, a thread that may block does the
/// work, and the loop can serve its other connections.
struct LoopTurn: Sendable {
    /// In bytes that are compressed or decompressed: a few hundred microseconds.
    static let length = 64 * 1024

    private var done = 0

    /// Whether the limit is reached: the next piece belongs on another thread.
    var isOver: Bool { done >= Self.length }

    /// Whether `count` more bytes stay within the limit.
    func hasRoom(for count: Int) -> Bool { done + count <= Self.length }

    mutating func count(_ bytes: Int) { done += bytes }
}

/// How much of a streamed answer is written before other connections of the loop get their turn. A value without I/O.
///
/// The bytes written in one round of the loop are one turn. A producer that suspends by itself may have one in every
/// round.
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

    /// Notes that `bytes` bytes are written.
    mutating func count(_ bytes: Int) { written += bytes }
}

/// A producer that could keep a loop busy without end, and so waits until others have had their turn.
protocol TurnTaker: AnyObject {
    /// Called when the producer may go on.
    func turnCame()
}

/// The producers that wait for their turn on a loop. Only a few are called in each round, so that connections get their
/// time however many producers wait. A value without I/O.
struct TurnQueue {
    /// How many producers are called in a round.
    static let atOnce = 4

    private var waiting: [any TurnTaker] = []
    /// How many of `waiting` have been called.
    private var called = 0

    var isEmpty: Bool { called == waiting.count }

    mutating func append(_ taker: any TurnTaker) { waiting.append(taker) }

    /// Takes out the producers whose turn it is.
    mutating func next() -> [any TurnTaker] {
        let next = Array(waiting[called...].prefix(Self.atOnce))
        called += next.count
        // Not with every call, which would move the others each time.
        if isEmpty || called >= 64 {
            waiting.removeFirst(called)
            called = 0
        }
        return next
    }
}
