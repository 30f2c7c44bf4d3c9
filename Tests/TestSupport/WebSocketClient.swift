public import BacklotHTTP

/// A frame of a WebSocket (RFC 6455, section 5.2), written and read by code that the server doesn't share.
public struct WebSocketFrame: Equatable, Sendable, CustomStringConvertible {
    /// The first byte: FIN, the reserved bits and the opcode.
    public var first: UInt8
    /// The bytes that the frame carries.
    public var payload: [UInt8]

    /// A frame.
    public init(_ first: UInt8, _ payload: [UInt8] = []) { (self.first, self.payload) = (first, payload) }

    /// A frame that carries a text.
    public init(_ first: UInt8, _ text: String) { self.init(first, Array(text.utf8)) }

    /// A message of one frame.
    public init(_ text: String) { self.init(0x81, text) }

    /// A close frame.
    public static func close(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        WebSocketFrame(0x88, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    /// The payload as a text.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// The code of a close frame; nil for other frames.
    public var closeCode: Int? { first == 0x88 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }

    /// The bytes on the wire.
    ///
    /// - Parameter mask: a client's mask; nil for a server's frame.
    public func bytes(mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]) -> [UInt8] {
        var bytes = [first]
        let (count, bit) = (payload.count, UInt8(mask == nil ? 0 : 0x80))
        if count < 126 {
            bytes.append(bit | UInt8(count))
        } else if count < 65_536 {
            bytes += [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
        } else {
            bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// Takes a server's frame from the beginning of some bytes; nil when more are needed.
    public static func take(from bytes: inout [UInt8]) -> WebSocketFrame? {
        guard bytes.count >= 2 else { return nil }
        let extra = bytes[1] == 126 ? 2 : bytes[1] == 127 ? 8 : 0
        guard bytes[1] < 128, bytes.count >= 2 + extra else { return nil }
        let count = extra == 0 ? Int(bytes[1]) : bytes[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 2 + extra + count else { return nil }
        let frame = WebSocketFrame(bytes[0], Array(bytes[(2 + extra)..<(2 + extra + count)]))
        bytes.removeFirst(2 + extra + count)
        return frame
    }

    /// The first byte and the payload, or the code and reason.
    public var description: String {
        closeCode.map { "close \($0) \(String(decoding: payload.dropFirst(2), as: UTF8.self))" }
            ?? "\(String(first, radix: 16)) \(payload.count < 64 ? text : "\(payload.count) bytes")"
    }
}

/// A client of a WebSocket that sends the frames it is given.
public actor WebSocketClient {
    /// The connection below.
    public let raw: RawClient
    /// The server's response to the handshake.
    public let response: ReceivedResponse
    private var bytes: [UInt8] = []

    private init(_ raw: RawClient, _ response: ReceivedResponse) { (self.raw, self.response) = (raw, response) }

    /// The fields of a usual handshake.
    public static let fields = [
        "Host: h", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// Connects and opens a WebSocket; `response` says whether the server agrees.
    public static func open(
        _ address: SocketAddress,
        _ path: String = "/",
        fields: [String] = WebSocketClient.fields,
        more: [String] = [],
        timeout: Duration = .seconds(10),
        tls: ClientTLSSettings? = nil
    ) async throws -> WebSocketClient {
        let raw = try await RawClient.connect(to: address, timeout: timeout, tls: tls)
        try await raw.send("GET \(path) HTTP/1.1\r\n" + (fields + more).map { $0 + "\r\n" }.joined() + "\r\n")
        return WebSocketClient(raw, try await raw.receive())
    }

    /// Sends frames.
    public func send(_ frames: WebSocketFrame...) async throws { try await raw.send(frames.flatMap { $0.bytes() }) }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(WebSocketFrame(text)) }

    /// The server's next frame; nil at the end of the connection.
    public func receive() async throws -> WebSocketFrame? {
        while true {
            if let frame = WebSocketFrame.take(from: &bytes) { return frame }
            let piece = try await raw.receivePiece()
            if piece.isEmpty { return nil }
            bytes += piece
        }
    }

    /// The bytes after the received frames, up to the end of the connection, and the kind of its end.
    public func receiveToEnd() async throws -> (bytes: [UInt8], end: ConnectionEnd) {
        let rest = try await raw.receiveToEnd()
        defer { bytes = [] }
        return (bytes + rest.bytes, rest.end)
    }

    /// The texts of the next frames.
    public func texts(_ count: Int) async throws -> [String] {
        var texts: [String] = []
        while texts.count < count, let frame = try await receive() { texts.append(frame.text) }
        return texts
    }
}
