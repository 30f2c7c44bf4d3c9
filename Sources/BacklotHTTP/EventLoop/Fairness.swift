/// The work that one producer does on a loop before other connections get their turn: writing and compressing a streamed
/// response. A value without I/O.
///
/// The bytes of one round of the loop are one turn. A producer that suspends may have a turn in every round.
struct Turn: Sendable {
    /// The number of bytes of a turn: a few hundred microseconds of compression.
    static let length = 64 * 1024
    /// The longest time of a turn, in nanoseconds.
    static let time: Int64 = 200_000

    private var round = -1
    private var began: Int64 = 0
    private var done = 0

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
        if round != self.round { self = Turn(round: round, began: now) }
        return done < Self.length && now - began < Self.time
    }

    /// Whether `count` more bytes stay within the turn. Asked for work that another thread could do as well.
    func hasRoom(for count: Int) -> Bool { done + count <= Self.length }

    /// Counts `bytes` bytes as done.
    mutating func count(_ bytes: Int) { done += bytes }
}

/// The producers that could keep a loop busy without end, and so wait until others have had their turn. Each round calls only a
/// few of them, so that connections get their time no matter how many producers wait. A value without I/O.
struct Fairness {
    /// The number of producers called in a round.
    static let atOnce = 4

    private var waiting: [() -> Void] = []
    /// The number of producers at the start of `waiting` that have been called.
    private var called = 0

    var isEmpty: Bool { called == waiting.count }

    mutating func append(_ call: @escaping () -> Void) { waiting.append(call) }

    /// Removes and returns the producers for the next turn.
    mutating func next() -> ArraySlice<() -> Void> {
        let next = waiting[called...].prefix(Self.atOnce)
        called += next.count
        // Not with every call, since it moves the others.
        if isEmpty || called >= 64 {
            waiting.removeFirst(called)
            called = 0
        }
        return next
    }
}
