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
