/// A frame as it is on the wire (RFC 9113, section 4.1), written and read without the server's code.
struct Frame: Equatable, Sendable {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priorityFlag: UInt8 = 0x20

    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    init(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(type: kind.rawValue, flags: flags, stream: stream, payload)
    }

    var kind: Kind? { Kind(rawValue: type) }
    var endsStream: Bool { type <= Kind.headers.rawValue && flags & Self.endStream != 0 }

    /// The frame's bytes; `length` lies about the payload's.
    func bytes(length: Int? = nil) -> [UInt8] {
        let length = UInt32(length ?? payload.count)
        return Array(length.bigEndianBytes[1...]) + [type, flags] + stream.bigEndianBytes + payload
    }

    // MARK: Reading

    /// Takes the first frame out of `bytes`; nil when there is no whole one.
    static func take(from bytes: inout [UInt8]) -> Frame? {
        guard bytes.count >= 9 else { return nil }
        let length = Int(UInt32(bigEndianBytes: [0] + bytes[0..<3]))
        guard bytes.count >= 9 + length else { return nil }
        defer { bytes.removeFirst(9 + length) }
        let stream = UInt32(bigEndianBytes: Array(bytes[5..<9]))
        return Frame(type: bytes[3], flags: bytes[4], stream: stream, Array(bytes[9..<(9 + length)]))
    }

    /// The error code of a RST_STREAM or GOAWAY frame.
    var errorCode: UInt32? {
        switch kind {
        case .reset where payload.count == 4: UInt32(bigEndianBytes: payload)
        case .goAway where payload.count >= 8: UInt32(bigEndianBytes: Array(payload[4..<8]))
        default: nil
        }
    }

    /// The last stream that a GOAWAY frame names.
    var lastStream: UInt32? {
        kind == .goAway && payload.count >= 8 ? UInt32(bigEndianBytes: Array(payload[0..<4])) : nil
    }

    /// By how much a WINDOW_UPDATE frame opens a window.
    var increment: Int? {
        kind == .windowUpdate && payload.count == 4 ? Int(UInt32(bigEndianBytes: payload)) : nil
    }
}

extension Frame: CustomStringConvertible {
    var description: String {
        let code = errorCode.map { " code \($0)" } ?? ""
        return "\(kind.map { "\($0)" } ?? "type \(type)") on \(stream), flags \(flags), \(payload.count) bytes\(code)"
    }
}

// MARK: Writing

extension Frame {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settingsAcknowledgement = Frame(.settings, flags: acknowledgement)

    static func settings(_ values: [(UInt16, UInt32)] = []) -> Frame {
        Frame(.settings, values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + $0.1.bigEndianBytes })
    }

    /// A header list in one frame, each field a literal that is not indexed (RFC 7541, section 6.2.2).
    static func headers(
        _ stream: UInt32,
        _ fields: [(String, String)] = get(),
        endStream: Bool = true,
        endHeaders: Bool = true
    ) -> Frame {
        let flags = (endStream ? Self.endStream : 0) | (endHeaders ? Self.endHeaders : 0)
        return Frame(.headers, flags: flags, stream: stream, HPACKLiterals.encode(fields))
    }

    static func data(_ stream: UInt32, _ bytes: [UInt8] = [], endStream: Bool = true) -> Frame {
        Frame(.data, flags: endStream ? Self.endStream : 0, stream: stream, bytes)
    }

    static func ping(_ text: String = "12345678", acknowledges: Bool = false) -> Frame {
        Frame(.ping, flags: acknowledges ? acknowledgement : 0, Array(text.utf8))
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> Frame {
        Frame(.reset, stream: stream, code.bigEndianBytes)
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> Frame {
        Frame(.windowUpdate, stream: stream, increment.bigEndianBytes)
    }

    static func priority(_ stream: UInt32, dependsOn: UInt32 = 0) -> Frame {
        Frame(.priority, stream: stream, dependsOn.bigEndianBytes + [15])
    }

    static func goAway(_ code: UInt32 = 0) -> Frame {
        Frame(.goAway, UInt32(0).bigEndianBytes + code.bigEndianBytes)
    }

    static func continuation(_ stream: UInt32, _ block: [UInt8], endHeaders: Bool = true) -> Frame {
        Frame(.continuation, flags: endHeaders ? Self.endHeaders : 0, stream: stream, block)
    }

    /// The header list of a request.
    static func get(
        _ path: String = "/",
        method: String = "GET",
        authority: String? = "h",
        _ fields: (String, String)...
    ) -> [(String, String)] {
        [(":method", method), (":scheme", "http"), (":path", path)]
            + (authority.map { [(":authority", $0)] } ?? []) + fields
    }

    static func post(_ path: String = "/", _ fields: (String, String)...) -> [(String, String)] {
        get(path, method: "POST") + fields
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        [UInt8(self >> 24), UInt8(self >> 16 & 0xFF), UInt8(self >> 8 & 0xFF), UInt8(self & 0xFF)]
    }

    init(bigEndianBytes bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
