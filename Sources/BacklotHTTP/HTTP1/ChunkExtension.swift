/// How far a chunk extension has been read: `;name`, `;name=token` or `;name="text"` (RFC 9112, section 7.1.1).
///
/// The blanks that old senders put around the signs are refused.
struct ChunkExtension: Equatable {
    private enum Part {
        case nameStart
        case name
        case valueStart
        case value
        case quoted
        case quotedEscape
        case quotedEnd
    }

    private var part = Part.nameStart

    /// Whether the chunk's line may end here.
    var mayEnd: Bool {
        switch part {
        case .name, .value, .quotedEnd: true
        case .nameStart, .valueStart, .quoted, .quotedEscape: false
        }
    }

    /// The state after one more byte; nil when the byte can't stand there.
    func after(_ byte: UInt8) -> ChunkExtension? {
        guard let next = partAfter(byte) else { return nil }
        var result = self
        result.part = next
        return result
    }

    private func partAfter(_ byte: UInt8) -> Part? {
        let quote = UInt8(ascii: "\"")
        switch part {
        case .nameStart:
            return ByteSet.token.contains(byte) ? .name : nil
        case .name:
            if byte == UInt8(ascii: "=") { return .valueStart }
            return byte == ASCII.semicolon ? .nameStart : ByteSet.token.contains(byte) ? .name : nil
        case .valueStart:
            return byte == quote ? .quoted : ByteSet.token.contains(byte) ? .value : nil
        case .value:
            return byte == ASCII.semicolon ? .nameStart : ByteSet.token.contains(byte) ? .value : nil
        case .quoted:
            if byte == quote { return .quotedEnd }
            if byte == UInt8(ascii: "\\") { return .quotedEscape }
            return ASCII.isForbiddenControl(byte) ? nil : .quoted
        case .quotedEscape:
            return ASCII.isForbiddenControl(byte) ? nil : .quoted
        case .quotedEnd:
            return byte == ASCII.semicolon ? .nameStart : nil
        }
    }
}
