/// The steps before the first request of a connection: the header of the PROXY protocol, then the client's first byte, which
/// shows whether it speaks TLS, and the handshake. It leaves all later bytes unread.
final class ConnectionStart {
    /// The result of an event.
    enum Progress {
        /// The client hasn't sent enough bytes, or doesn't accept any.
        case waits(Readiness)
        /// A load balancer has named its client's address.
        case named(SocketAddress, isEncrypted: Bool)
        /// A request may follow; without a session, in clear text.
        case ended(TLSSession?)
        /// The handshake has failed. The client may still have to read an alert.
        case handshakeFailed(String)
        /// The peer sent no PROXY header.
        case refused(String)
        /// The peer has closed the connection, for example a load balancer that only checks whether the server is running.
        case gone
    }

    /// The first byte of a handshake (RFC 8446, section 5.1).
    private static let handshakeByte: UInt8 = 22

    private var expectsHeader: Bool
    private var session: TLSSession?
    /// The bytes of an incomplete PROXY header.
    private var header: [UInt8] = []
    private let hold: BufferShare

    init(hasProxyHeader: Bool, _ server: ServerContext) {
        expectsHeader = hasProxyHeader
        hold = BufferShare(server)
    }

    /// Whether the client has begun a handshake.
    var isHandshake: Bool { session != nil }

    /// Continues with the bytes that have arrived in `socket`.
    ///
    /// - Parameters:
    ///   - context: the TLS context; nil for a server of clear text.
    ///   - buffer: holds the read bytes during the call.
    func advance(on socket: Socket, _ context: @autoclosure () -> TLSContext?, using buffer: inout [UInt8]) -> Progress
    {
        if let session { return shakeHands(session) }
        if expectsHeader, let progress = readHeader(socket, &buffer) { return progress }
        guard let context = context() else { return .ended(nil) }
        switch socket.peek(into: &buffer, upTo: 1) {
        case .bytes where buffer[0] == Self.handshakeByte:
            let session = TLSSession.server(context, on: socket)
            self.session = session
            return shakeHands(session)
        case .bytes: return .ended(nil)
        case .wouldBlock: return .waits(.readable)
        case .end, .failed: return .gone
        }
    }

    private func shakeHands(_ session: TLSSession) -> Progress {
        switch session.handshake() {
        case .wantsRead: .waits(.readable)
        case .wantsWrite: .waits(.writable)
        case .failed(let failure): .handshakeFailed(failure.description)
        case .done: .ended(session)
        }
    }

    /// - Returns: nil if the header is complete and names no address.
    private func readHeader(_ socket: Socket, _ buffer: inout [UInt8]) -> Progress? {
        let bytes: [UInt8]
        switch socket.peek(into: &buffer, upTo: ProxyHeader.longest) {
        case .bytes(let count): bytes = header + buffer[..<count]
        case .wouldBlock: return .waits(.readable)
        case .end, .failed: return .gone
        }
        switch ProxyHeader.read(bytes.span) {
        case .incomplete:
            // All of it belongs to the header: if it stayed in the system's buffer, the system would report it repeatedly.
            socket.skip(bytes.count - header.count, using: &buffer)
            header = bytes
            hold.set(header.capacity)
            return .waits(.readable)
        case .malformed(let reason): return .refused(reason)
        case .complete(let length, let client, let isEncrypted):
            socket.skip(length - header.count, using: &buffer)
            expectsHeader = false
            return client.map { .named($0, isEncrypted: isEncrypted) }
        }
    }
}
