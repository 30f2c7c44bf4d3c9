/// The stream numbers that a client has used, and the frames that it may still send on streams that are over (RFC 9113,
/// sections 5.1 and 5.1.1). A value without I/O.
///
/// The library knows the open streams, and ignores frames on others. This type tells a client that breaks the protocol
/// from one whose frames were on their way when its stream was reset.
struct StreamNumbers: Equatable {
    /// How many resets are remembered at least. The number of open streams is limited, and a client learns of the
    /// resets in their order: once this many further streams are over, it has long known of the first.
    static let memory = 1024
    private static let skippedMemory = 16

    /// The highest number that the client has used.
    private var highest: Int32 = 0
    /// The streams of which this side wants no more, though their clients might still be sending: oldest first.
    private var dropped: [Int32] = []
    /// Numbers that the client passed over, and can't use any more.
    private var skipped: [ClosedRange<Int32>] = []

    /// Decides about a HEADERS or DATA frame.
    ///
    /// - Parameters:
    ///   - id: the number of its stream.
    ///   - isOpen: whether the library knows the stream, and decides.
    /// - Returns: the error that ends the connection; nil where the frame is fine, or is the library's to refuse.
    mutating func refusal(of type: UInt8, on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        // Streams with even numbers are the server's; those that are idle take no DATA.
        guard id & 1 == 1 else { return nil }
        if id > highest {
            if type == HTTP2FrameHeader.headers { use(id) }
            return nil
        }
        if isOpen() || dropped.contains(id) { return nil }
        let isUnused = type == HTTP2FrameHeader.headers && skipped.contains { $0.contains(id) }
        return isUnused ? .protocolError : .streamClosed
    }

    private mutating func use(_ id: Int32) {
        if id - highest > 2 {
            if skipped.count == Self.skippedMemory { skipped.removeFirst() }
            skipped.append((highest + 1)...(id - 1))
        }
        highest = id
        // It stays so when the library refuses the stream, or ignores it after a GOAWAY.
        drop(id)
    }

    private mutating func drop(_ id: Int32) {
        dropped.append(id)
        if dropped.count == 2 * Self.memory { dropped.removeFirst(Self.memory) }
    }

    /// The library has accepted a stream.
    mutating func opened(_ id: Int32) {
        if dropped.last == id { dropped.removeLast() }
        highest = max(highest, id)
    }

    /// A stream is over.
    ///
    /// - Parameter isClientDone: whether the client has sent its end, or a reset: then nothing more can be on its way.
    mutating func closed(_ id: Int32, isClientDone: Bool) {
        if !isClientDone { drop(id) }
    }
}
