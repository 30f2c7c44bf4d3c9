/// Finds the heads of frames in what a client sends, in whatever pieces it comes (RFC 9113, section 4.1). A value without I/O.
///
/// The library doesn't tell of frames on streams that it has forgotten.
struct FrameHeads {
    static let length = 9

    /// How many bytes come before the next head: at first the preface, then payloads.
    private var rest = HTTP2Preface.length
    /// What has come of a head that isn't whole.
    private var head: [UInt8] = []

    /// The next head in `bytes`.
    ///
    /// - Parameter position: where to go on; afterwards the end of the head.
    /// - Returns: the head and the number of its stream; nil where `bytes` end before one is whole.
    mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> (header: HTTP2FrameHeader, stream: Int32)? {
        let skipped = min(rest, bytes.count - position)
        rest -= skipped
        position += skipped
        let part = min(Self.length - head.count, bytes.count - position)
        if head.isEmpty, part == Self.length {
            defer { position += part }
            return read(bytes.extracting(position..<(position + part)))
        }
        head.append(copying: bytes.extracting(position..<(position + part)))
        position += part
        guard head.count == Self.length else { return nil }
        let whole = head
        head = []
        return read(whole.span)
    }

    private mutating func read(_ head: Span<UInt8>) -> (header: HTTP2FrameHeader, stream: Int32) {
        rest = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        // Without the bit that is reserved.
        let stream = Int32(head[5] & 0x7F) << 24 | Int32(head[6]) << 16 | Int32(head[7]) << 8 | Int32(head[8])
        return (HTTP2FrameHeader(type: head[3], flags: head[4], length: rest), stream)
    }
}
