/// A body that comes in pieces, over some time.
public struct AnswerDribble: Sendable, Equatable {
    /// How many pieces.
    public var pieces: Int
    /// How long they take together, in milliseconds.
    public var milliseconds: Int
}

extension AnswerDribble {
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: ["numberOfChunks", "totalDuration"])
        guard let pieces = field["numberOfChunks"], let duration = field["totalDuration"] else {
            throw field.problem("write {\"numberOfChunks\": 5, \"totalDuration\": 1000}, the duration in milliseconds")
        }
        self.pieces = try pieces.int(in: 1...10_000)
        milliseconds = try duration.int(in: 0...AnswerDelay.longest)
    }
}
