/// The parts of a frame's header that decisions need (RFC 9113, sections 4.1 and 6).
struct HTTP2FrameHeader: Equatable {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let ping: UInt8 = 0x6
    static let windowUpdate: UInt8 = 0x8
    static let continuation: UInt8 = 0x9

    /// The flag of a stream's last DATA or HEADERS frame.
    static let endStream: UInt8 = 0x1
    /// The flag of SETTINGS and PING frames that acknowledge others.
    static let acknowledgement: UInt8 = 0x1

    var type: UInt8
    var flags: UInt8
    /// The payload's length, in bytes.
    var length: Int

    /// Whether the frame is the last of its stream.
    var endsStream: Bool { type <= Self.headers && flags & Self.endStream != 0 }
    /// Whether the frame acknowledges a PING.
    var respondsToPing: Bool { type == Self.ping && flags & Self.acknowledgement != 0 }

    /// The budget that the frame counts against; nil for frames that streams and windows limit.
    var budgetKind: FrameBudget.Kind? {
        switch type {
        case Self.data: length == 0 && !endsStream ? .emptyData : nil
        case Self.headers, Self.continuation: nil
        case Self.resetStream: .reset
        case Self.settings: .settings
        case Self.ping: .ping
        case Self.windowUpdate: .windowUpdate
        default: .advice
        }
    }
}

/// Finds the heads of frames in the bytes of a client, which may be split anywhere (RFC 9113, section 4.1). A value without I/O.
///
/// The server needs it because the library doesn't report frames on streams that it has forgotten.
struct FrameHeads {
    static let length = 9

    /// The number of bytes before the next head: at first the preface, then payloads.
    private var rest = HTTP2Preface.length
    /// The received bytes of an incomplete head.
    private var head: [UInt8] = []

    /// The next head in `bytes`.
    ///
    /// - Parameter position: the index to start at; afterwards the end of the head.
    /// - Returns: the head and the number of its stream; nil if `bytes` end before the head is complete.
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
        // Without the reserved bit.
        let stream = Int32(head[5] & 0x7F) << 24 | Int32(head[6]) << 16 | Int32(head[7]) << 8 | Int32(head[8])
        return (HTTP2FrameHeader(type: head[3], flags: head[4], length: rest), stream)
    }
}

/// The reason why a stream or a connection ends (RFC 9113, section 7).
struct HTTP2ErrorCode: Error, Equatable {
    let rawValue: UInt32

    /// The end without an error.
    static let noError = HTTP2ErrorCode(rawValue: 0x0)
    /// The peer breaks the protocol.
    static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    /// This side has failed.
    static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    /// The peer sends more than a window allows, or opens one beyond its bounds.
    static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    /// The peer continues a stream that it has ended.
    static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// The request wasn't processed: the client may send it again.
    static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    /// The stream is not needed any more.
    static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    /// The peer causes useless work.
    static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xb)

    /// Whether a reset of a stream with this code blames the peer.
    var blamesPeer: Bool { self != .noError && self != .internalError && self != .cancel }
}

/// The first bytes that a client of HTTP/2 sends (RFC 9113, section 3.4).
enum HTTP2Preface {
    /// Their first line. It looks like a request line so that servers of HTTP/1 refuse it at once; only the preface begins like this.
    private static let line: StaticString = "PRI * HTTP/2.0\r\n"

    /// The number of bytes.
    static let length = 24

    /// Whether `bytes` begin with the preface's first line.
    static func begins(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= line.utf8CodeUnitCount && bytes.equals(0..<line.utf8CodeUnitCount, line)
    }
}

/// The stream numbers that a client has used, and the frames that it may still send on closed streams (RFC 9113, sections 5.1 and 5.1.1). A
/// value without I/O.
///
/// The library knows the open streams, and ignores frames on others. This type distinguishes a client that breaks the protocol from a
/// client that sent its frames before it learned of a reset.
struct StreamNumbers: Equatable {
    /// The least number of resets to remember. The number of open streams is limited, and a client learns of the resets in their order:
    /// once this many further streams are over, it has long known of the first.
    static let memory = 1024
    private static let skippedMemory = 16

    /// The highest number that the client has used.
    private(set) var highest: Int32 = 0
    /// The streams that this side has dropped, although the client might still be sending: oldest first.
    private var dropped: [Int32] = []
    /// The numbers that the client skipped and can't use any more.
    private var skipped: [ClosedRange<Int32>] = []

    /// Decides whether a HEADERS or DATA frame is an error.
    ///
    /// - Parameters:
    ///   - id: the number of the frame's stream.
    ///   - isOpen: whether the library knows the stream, and so decides.
    /// - Returns: the error that ends the connection; nil for a valid frame, and for a frame that the library judges.
    mutating func refusal(of type: UInt8, on id: Int32, isOpen: @autoclosure () -> Bool) -> HTTP2ErrorCode? {
        // Streams with even numbers are the server's; idle ones don't accept DATA.
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
        // The stream stays dropped when the library refuses it, or ignores it after a GOAWAY.
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

    /// A stream has ended.
    ///
    /// - Parameter isClientDone: whether the client has sent its end or a reset, so that no more frames can arrive.
    mutating func closed(_ id: Int32, isClientDone: Bool) {
        if !isClientDone { drop(id) }
    }
}
