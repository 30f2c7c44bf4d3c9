internal import BacklotJSON

/// One side of a WebSocket (RFC 6455): reads and writes frames, and decides about pings, limits and the end. A value without I/O.
///
/// A `WebSocket` gives it the bytes that arrive, calls `next` until nothing is left to do, and performs the actions.
struct WebSocketMachine {
    enum Role { case server, client }

    /// An instruction to the connection.
    enum Action: Equatable {
        /// Give this message to the program.
        case message(WebSocketMessage)
        /// Send these bytes.
        case send([UInt8])
    }

    /// The state of the WebSocket.
    enum Phase: Equatable {
        case open
        /// This side has sent its close frame, and waits for the other's.
        case closing
        /// Nothing is sent or received any more.
        case closed
    }

    private enum Opcode: UInt8 {
        case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    /// A frame with an incomplete payload.
    private struct Frame {
        var opcode: Opcode
        var isFinal: Bool
        var remaining: Int
        /// The mask, the byte that is due lowest.
        var mask: UInt32
    }

    /// The most empty frames of one message: they cost nothing, so a client could send them forever.
    static let emptyFrameLimit = 256

    private let role: Role
    let options: WebSocketOptions
    private let compression: WebSocketCompression?
    private(set) var phase = Phase.open
    /// Its end; nil while it is open.
    private(set) var close: WebSocketClose?
    /// Whether the other side has broken the rules.
    private(set) var hasFailed = false

    private var header: [UInt8] = []
    private var frame: Frame?
    private var control: [UInt8] = []
    private var message: [UInt8] = []
    /// The opcode of the incomplete message.
    private var opened: Opcode?
    private var isCompressed = false
    private var emptyFrames = 0

    /// When the other side was last heard of, or the close frame was sent.
    private var since: ContinuousClock.Instant
    private var isPinged = false

    init(
        _ role: Role = .server,
        options: WebSocketOptions = WebSocketOptions(),
        compression: WebSocketCompression? = nil,
        at now: ContinuousClock.Instant
    ) {
        (self.role, self.options, self.compression, since) = (role, options, compression, now)
    }

    /// The bytes of a message that isn't whole.
    var held: Int { message.capacity }

    // MARK: Receiving

    /// Reads on from `position`, which it moves past what it has read.
    ///
    /// - Returns: nil when more bytes are needed.
    mutating func next(
        _ input: Span<UInt8>,
        from position: inout Int,
        at now: ContinuousClock.Instant
    ) -> Action? {
        if phase == .open { (since, isPinged) = (now, false) }
        while phase != .closed {
            if frame == nil {
                guard readHeader(input, from: &position) else { return nil }
                if let fault = beginFrame() { return fail(fault, at: now) }
            }
            guard readPayload(input, from: &position) else { return nil }
            if let action = endFrame(at: now) { return action }
        }
        position = input.count
        return nil
    }

    /// - Returns: whether the header is whole.
    private mutating func readHeader(_ input: Span<UInt8>, from position: inout Int) -> Bool {
        while header.count < headerLength {
            guard position < input.count else { return false }
            header.append(input[position])
            position += 1
        }
        return true
    }

    /// The length of the header, from its first bytes.
    private var headerLength: Int {
        guard header.count >= 2 else { return 2 }
        let length = header[1] & 0x7F
        return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (header[1] & 0x80 != 0 ? 4 : 0)
    }

    /// - Returns: why the frame isn't allowed.
    private mutating func beginFrame() -> WebSocketClose? {
        defer { header.removeAll(keepingCapacity: true) }
        let (first, isMasked) = (header[0], header[1] & 0x80 != 0)
        let lengths = header[2..<(header.count - (isMasked ? 4 : 0))]
        let length = lengths.isEmpty ? UInt64(header[1] & 0x7F) : lengths.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let mask = isMasked ? header.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : 0
        guard let opcode = Opcode(rawValue: first & 0x0F) else { return .protocolError("an unknown opcode") }
        guard isMasked == (role == .server) else {
            return .protocolError(isMasked ? "a server's frame has a mask" : "a client's frame has no mask")
        }
        let isBeginning = opcode == .text || opcode == .binary
        guard first & 0x30 == 0, first & 0x40 == 0 || isBeginning && compression != nil else {
            return .protocolError("a reserved bit is set")
        }
        let least: UInt64 = lengths.isEmpty ? 0 : lengths.count == 2 ? 126 : 0x1_0000
        guard length >= least, length >> 63 == 0 else {
            return .protocolError("a length that isn't written in the fewest bytes")
        }
        let isFinal = first & 0x80 != 0
        if opcode.isControl {
            guard isFinal else { return .protocolError("a control frame in fragments") }
            guard length <= 125 else { return .protocolError("a control frame of more than 125 bytes") }
        } else if isBeginning {
            guard opened == nil else { return .protocolError("a message inside another one") }
            (opened, isCompressed, emptyFrames) = (opcode, first & 0x40 != 0, 0)
        } else if opened == nil {
            return .protocolError("a continuation without a beginning")
        }
        if !opcode.isControl {
            guard length <= UInt64(max(0, options.messageLimit - message.count)) else { return tooBig }
            if length == 0 { emptyFrames += 1 }
            guard emptyFrames <= Self.emptyFrameLimit else {
                return WebSocketClose(.policyViolation, "too many empty frames in one message")
            }
        }
        frame = Frame(opcode: opcode, isFinal: isFinal, remaining: Int(length), mask: mask)
        return nil
    }

    private var tooBig: WebSocketClose {
        WebSocketClose(.tooBig, "a message may have \(options.messageLimit) bytes")
    }

    /// - Returns: whether the frame is whole.
    private mutating func readPayload(_ input: Span<UInt8>, from position: inout Int) -> Bool {
        guard var current = frame else { return false }
        let count = min(current.remaining, input.count - position)
        let payload = input.extracting(position..<(position + count))
        if current.opcode.isControl {
            Self.append(payload, to: &control, &current.mask)
        } else {
            Self.append(payload, to: &message, &current.mask)
        }
        position += count
        current.remaining -= count
        frame = current
        return current.remaining == 0
    }

    /// Appends bytes with the mask taken off, or put on (RFC 6455, section 5.3).
    private static func append(_ payload: Span<UInt8>, to bytes: inout [UInt8], _ mask: inout UInt32) {
        var next = mask
        bytes.append(addingCapacity: payload.count) { output in
            for index in payload.indices {
                output.append(payload[index] ^ UInt8(truncatingIfNeeded: next))
                next = next >> 8 | next << 24
            }
        }
        mask = next
    }

    private mutating func endFrame(at now: ContinuousClock.Instant) -> Action? {
        defer { control.removeAll(keepingCapacity: true) }
        guard let frame = self.frame.take() else { return nil }
        switch frame.opcode {
        case .ping: return phase == .open ? .send(encode(.pong, control)) : nil
        case .pong: return nil
        case .close: return receiveClose(at: now)
        case .text, .binary, .continuation: return frame.isFinal ? endMessage(at: now) : nil
        }
    }

    private mutating func endMessage(at now: ContinuousClock.Instant) -> Action? {
        var bytes: [UInt8] = []
        swap(&bytes, &message)
        let isText = opened.take() == .text
        // Messages after this side's close frame are dropped (RFC 6455, section 1.4).
        guard phase == .open else { return nil }
        if isCompressed {
            do throws(ContentCodingError) {
                guard let inflated = try WebSocketCompression.inflate(bytes, upTo: options.messageLimit) else {
                    return fail(tooBig, at: now)
                }
                bytes = inflated
            } catch {
                return fail(WebSocketClose(.invalidPayload, "a message that can't be decompressed"), at: now)
            }
        }
        guard isText else { return .message(.binary(bytes)) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return fail(WebSocketClose(.invalidPayload, "a text that isn't UTF-8"), at: now)
        }
        guard !text.hasTooManyMarks else {
            let problem = "a text with more than \(CombiningMarks.limit) combining marks in a row"
            return fail(WebSocketClose(.invalidPayload, problem), at: now)
        }
        return .message(.text(text))
    }

    private mutating func receiveClose(at now: ContinuousClock.Instant) -> Action? {
        let received: WebSocketClose
        if control.isEmpty {
            received = WebSocketClose(.noStatus)
        } else {
            guard control.count >= 2 else { return fail(.protocolError("a close code of one byte"), at: now) }
            let code = WebSocketClose.Code(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
            guard code.isSendable else { return fail(.protocolError("a close code that may not be sent"), at: now) }
            guard let reason = String(validating: control[2...], as: UTF8.self) else {
                return fail(WebSocketClose(.invalidPayload, "a reason that isn't UTF-8"), at: now)
            }
            received = WebSocketClose(code, reason)
        }
        let isReply = phase == .closing
        (phase, since) = (.closed, now)
        if isReply { return nil }
        close = received
        return .send(encode(.close, Array(control.prefix(2))))
    }

    /// Ends a WebSocket because the other side breaks the rules.
    private mutating func fail(_ fault: WebSocketClose, at now: ContinuousClock.Instant) -> Action? {
        let bytes = end(fault, at: now)
        (phase, since, hasFailed) = (.closed, now, true)
        return bytes.map(Action.send)
    }

    /// The other side has ended the connection.
    mutating func inputEnded(at now: ContinuousClock.Instant) {
        if close == nil { close = WebSocketClose(.abnormal, "the connection ended without a close frame") }
        if phase != .closed { (phase, since) = (.closed, now) }
    }

    // MARK: Sending

    /// A message as a frame.
    ///
    /// - Parameter isCompressed: whether the payload is compressed.
    func encode(_ payload: [UInt8], isText: Bool, isCompressed: Bool) -> [UInt8] {
        encode(isText ? .text : .binary, payload, isCompressed: isCompressed)
    }

    private func encode(_ opcode: Opcode, _ payload: [UInt8], isCompressed: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append(0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        let masked: UInt8 = role == .client ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(masked | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(masked | 126)
            for shift in [8, 0] { bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
        default:
            bytes.append(masked | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard role == .client else { return bytes + payload }
        var mask = UInt32.random(in: .min ... .max)
        for shift in stride(from: 0, through: 24, by: 8) { bytes.append(UInt8(truncatingIfNeeded: mask >> shift)) }
        Self.append(payload.span, to: &bytes, &mask)
        return bytes
    }

    /// This side ends the WebSocket.
    ///
    /// - Returns: the close frame; nil if one was sent before.
    mutating func end(_ close: WebSocketClose, at now: ContinuousClock.Instant) -> [UInt8]? {
        guard phase == .open else { return nil }
        (phase, since, self.close) = (.closing, now, close)
        let code = close.code.rawValue
        return encode(.close, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(close.reason.utf8))
    }

    // MARK: Time

    /// When `timedOut` is due.
    var deadline: ContinuousClock.Instant {
        since.advanced(
            by: phase != .open ? options.closeTimeout : isPinged ? options.pongTimeout : options.pingInterval
        )
    }

    /// The deadline has come.
    mutating func timedOut(at now: ContinuousClock.Instant) -> Action? {
        guard now >= deadline else { return nil }
        guard phase == .open, !isPinged else {
            if phase == .open {
                close = WebSocketClose(.abnormal, "no pong came within \(options.pongTimeout)")
                since = now
            }
            phase = .closed
            return nil
        }
        (since, isPinged) = (now, true)
        return .send(encode(.ping, []))
    }

    /// Whether the time that the program has after the end is over.
    func isOver(at now: ContinuousClock.Instant) -> Bool { phase == .closed && now >= deadline }

    /// The program has taken messages that the connection waited for: the other side's silence begins now.
    mutating func resumed(at now: ContinuousClock.Instant) {
        if phase == .open { (since, isPinged) = (now, false) }
    }
}

extension WebSocketClose {
    fileprivate static func protocolError(_ reason: String) -> WebSocketClose { WebSocketClose(.protocolError, reason) }
}
