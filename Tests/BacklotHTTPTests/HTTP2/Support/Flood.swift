import Testing

/// Frames that are sent again and again.
struct Flood: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is sent once, before.
    let before: [Frame]
    /// After so many rounds at most the connection must end.
    let rounds: Int
    /// What is repeated; the number is that of the round.
    let frames: @Sendable (UInt32) -> [Frame]

    init(
        _ description: String,
        before: Frame...,
        rounds: Int = 2000,
        frames: @escaping @Sendable (UInt32) -> [Frame]
    ) {
        (testDescription, self.before, self.rounds, self.frames) = (description, before, rounds, frames)
    }

    /// Opens a stream in each round with a request that takes long, and sends on it what makes the server reset it.
    static func resets(by description: String, _ frames: @escaping @Sendable (UInt32) -> [Frame]) -> Flood {
        Flood("resets by \(description)") { [.headers(2 * $0 + 1, Frame.get("/long"))] + frames(2 * $0 + 1) }
    }

    /// Whether the library may call it a protocol error before anything is counted.
    var isAProtocolError: Bool { testDescription.hasPrefix("resets by") }
}
