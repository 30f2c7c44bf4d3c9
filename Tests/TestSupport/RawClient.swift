public import BacklotHTTP

/// A TCP client that sends a test's bytes unchanged, and reads responses with code that the server doesn't use.
///
/// Its calls block its own threads and never the cooperative pool. Sending and receiving may overlap; two calls
/// that receive may not. The connection closes with the client.
public actor RawClient {
    private let socket: ClientSocket
    private var reader = ResponseReader()
    private var end: ConnectionEnd?
    private var isOpen = true

    private init(_ socket: ClientSocket) {
        self.socket = socket
    }

    deinit {
        if isOpen { socket.close() }
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - timeout: the time that each later call waits for the server.
    ///   - receiveBuffer: the bytes of the system's receive buffer; few for a slow reader.
    ///   - tls: the settings of the handshake; nil for clear text.
    public static func connect(
        to address: SocketAddress,
        timeout: Duration = .seconds(10),
        receiveBuffer: Int32? = nil,
        tls: ClientTLSSettings? = nil
    ) async throws -> RawClient {
        RawClient(
            try await Blocking.run {
                try ClientSocket(connectedTo: address, timeout: timeout, receiveBuffer: receiveBuffer, tls: tls)
            }
        )
    }

    /// The results of the handshake; nil in clear text.
    public var tls: ClientTLSFacts? { socket.tls?.facts }

    /// The session for another connection to resume; nil in clear text.
    public var ticket: ClientTLSTicket? { socket.tls?.ticket }

    /// Sends bytes past TLS, without encryption.
    public func sendPastTLS(_ bytes: [UInt8]) async throws {
        try await socket.whileSending { try $0.sendPastTLS(bytes) }
    }

    /// Changes the client's keys.
    public func changeKeys() {
        socket.tls?.changeKeys()
    }

    /// Tries to negotiate again.
    public func renegotiate() {
        socket.tls?.renegotiate()
    }

    // MARK: Sending

    /// Sends all bytes.
    public func send(_ bytes: [UInt8]) async throws {
        try await socket.whileSending { try $0.send(bytes) }
    }

    /// Sends a text in UTF-8.
    public func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Sends bytes one at a time, each in a separate packet.
    public func sendByteByByte(_ bytes: [UInt8]) async throws {
        try await socket.whileSending { socket in
            for byte in bytes { try socket.send([byte]) }
        }
    }

    /// Sends a text one byte at a time.
    public func sendByteByByte(_ text: String) async throws {
        try await sendByteByByte(Array(text.utf8))
    }

    // MARK: Receiving

    /// Receives the response to one request.
    ///
    /// - Parameter method: the request's method; the response to HEAD has no body.
    public func receive(responseTo method: String = "GET") async throws -> ReceivedResponse {
        while true {
            if let response = try reader.next(isHead: method == "HEAD") { return response }
            if let end { throw RawClientError.ended(end, String(decoding: reader.bytes, as: UTF8.self)) }
            try await receiveMore()
            guard end != .stillOpen else {
                end = nil
                throw RawClientError.timedOut(String(decoding: reader.bytes.prefix(1000), as: UTF8.self))
            }
        }
    }

    /// Sends a request, and receives its response.
    public func response(to request: String, method: String = "GET") async throws -> ReceivedResponse {
        try await send(request)
        return try await receive(responseTo: method)
    }

    /// Sends a request's bytes, and receives its response.
    public func response(to request: [UInt8]) async throws -> ReceivedResponse {
        try await send(request)
        return try await receive()
    }

    /// Receives the responses to `count` requests; HEAD is not allowed.
    public func receive(_ count: Int) async throws -> [ReceivedResponse] {
        var responses: [ReceivedResponse] = []
        while responses.count < count { responses.append(try await receive()) }
        return responses
    }

    /// Receives one piece of the next bytes on the wire, and takes it out; empty at the end.
    public func receivePiece(upTo count: Int = 65_536) async throws -> [UInt8] {
        if reader.bytes.isEmpty, end == nil { try await receiveMore(upTo: count) }
        defer { reader.bytes = [] }
        return reader.bytes
    }

    /// Receives all bytes on the wire until the connection ends, and returns how it ended.
    public func receiveToEnd() async throws -> (bytes: [UInt8], end: ConnectionEnd) {
        while end == nil { try await receiveMore() }
        defer { reader.bytes = [] }
        return (reader.bytes, end ?? .stillOpen)
    }

    private func receiveMore(upTo count: Int = 65_536) async throws {
        switch try await socket.whileReceiving({ try $0.receive(upTo: count) }) {
        case .bytes(let bytes): reader.bytes += bytes
        case .end(let how):
            end = how
            reader.isAtEnd = how == .closed
        }
    }

    #if os(Linux)
    /// In how many segments bytes have come so far. Of a connection on this machine, a segment is what one call has sent.
    public var segmentsReceived: Int { socket.segmentsReceived }
    #endif

    // MARK: Closing

    /// Ends sending; the client can still receive responses.
    public func shutdownSending() {
        socket.shutdownSending()
    }

    /// Closes in order.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        socket.close()
    }

    /// Closes with a reset.
    public func reset() {
        socket.resetOnClose()
        close()
    }
}
