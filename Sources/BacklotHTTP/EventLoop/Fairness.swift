/// How much one producer does on a loop before other connections get their turn: what is written of a streamed response, and
/// what is compressed. A value without I/O.
///
/// The bytes of one round of the loop are one turn. A producer that suspends by itself may have one in every round.
struct Turn: Sendable {
    /// The most bytes that are begun in a turn: a few hundred microseconds of compression.
    static let length = 64 * 1024
    /// The most time that a turn takes, in nanoseconds.
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

    /// Whether `count` more bytes stay within the turn, for work that another thread can do as well.
    func hasRoom(for count: Int) -> Bool { done + count <= Self.length }

    /// Notes that `bytes` bytes are done.
    mutating func count(_ bytes: Int) { done += bytes }
}

/// The producers that could keep a loop busy without end, and so wait until others have had their turn. Only a few are called in
/// each round, so that connections get their time however many producers wait. A value without I/O.
struct Fairness {
    /// How many producers are called in a round.
    static let atOnce = 4

    private var waiting: [() -> Void] = []
    /// How many of `waiting` have been called.
    private var called = 0

    var isEmpty: Bool { called == waiting.count }

    mutating func append(_ call: @escaping () -> Void) { waiting.append(call) }

    /// Takes out the producers whose turn it is.
    mutating func next() -> ArraySlice<() -> Void> {
        let next = waiting[called...].prefix(Self.atOnce)
        called += next.count
        // Not with every call, which would move the others each time.
        if isEmpty || called >= 64 {
            waiting.removeFirst(called)
            called = 0
        }
        return next
    }
}
