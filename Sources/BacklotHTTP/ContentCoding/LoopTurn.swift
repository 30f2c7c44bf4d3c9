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
