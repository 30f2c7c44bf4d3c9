import Testing

/// Frames that are sent again and again.
struct Flood: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is sent once, before.
    var before: [Frame] = []
    /// What is repeated; the number is that of the round.
    let frames: @Sendable (UInt32) -> [Frame]
    /// After so many rounds at most the connection must end.
    let rounds: Int

    /// Whether the library may call it a protocol error before anything is counted.
    var isAProtocolError: Bool { testDescription.hasPrefix("resets by") }
}
