/// The bytes of an answer's body that wait for a window, as a stream of HTTP/2 cuts them into frames. A value without I/O.
struct AnswerQueue {
    private var bytes: [UInt8] = []
    /// How many of `bytes` are sent.
    private var sent = 0
    /// Whether nothing will be added.
    private var isComplete = false

    /// How many bytes wait.
    var count: Int { bytes.count - sent }
    /// Whether something waits to be sent: bytes, or the end.
    private(set) var isPending = false

    /// Adds bytes.
    mutating func append(_ more: [UInt8]) {
        guard !more.isEmpty else { return }
        isPending = true
        if bytes.isEmpty {
            bytes = more
        } else {
            // What has been sent must not stay for ever, nor be moved for every piece.
            if sent >= bytes.count / 2 {
                bytes.removeFirst(sent)
                sent = 0
            }
            bytes.append(contentsOf: more)
        }
    }

    /// Says that nothing will be added.
    mutating func complete() {
        guard !isComplete else { return }
        isComplete = true
        isPending = true
    }

    /// Decides about the next frame.
    ///
    /// - Parameter most: how many bytes it may have.
    /// - Returns: how many of those that wait belong into it, and whether it is the last; nil when there is nothing to send.
    func nextFrame(upTo most: Int) -> (count: Int, isLast: Bool)? {
        guard isPending else { return nil }
        let count = min(most, self.count)
        return (count, isComplete && count == self.count)
    }

    /// Appends as many bytes to `output`, and drops them here.
    mutating func take(_ count: Int, into output: inout [UInt8]) {
        output.append(copying: bytes.span.extracting(sent..<(sent + count)))
        sent += count
        if sent == bytes.count {
            bytes = []
            sent = 0
            isPending = isComplete
        }
    }

    /// Drops everything.
    mutating func removeAll() {
        self = AnswerQueue()
    }
}
