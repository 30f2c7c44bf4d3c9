internal import COpenSSL

/// One connection over TLS: the library's state for a socket that never blocks. Its owner confines it to a loop, waits for the
/// socket according to the outcomes, and closes it.
@safe final class TLSSession {
    /// The progress of a handshake, or of the end of a connection.
    enum Step: Equatable {
        case done
        /// Call again when the socket is readable.
        case wantsRead
        /// Call again when the socket is writable.
        case wantsWrite
        case failed(TLSConnectionError)
    }

    private let ssl: OpaquePointer
    /// Kept for the library's calls during a handshake.
    private let context: TLSContext
    private(set) var isEstablished = false
    private var isBroken = false
    /// Whether the socket has stopped accepting bytes. There may still be bytes to receive.
    private var isSendingBroken = false
    /// Whether bytes from the socket still wait for a `receive`: the system doesn't report them again.
    private(set) var hasUnread = false
    /// Whether the socket must become writable before more bytes can be received.
    private(set) var readingWantsWrite = false
    /// The reason why the connection broke.
    private(set) var failure: TLSConnectionError?
    private var knownDetails: TLSDetails?

    /// Creates a server's side.
    static func server(_ context: TLSContext, on socket: Socket) -> TLSSession {
        let session = TLSSession(context, socket)
        unsafe SSL_set_accept_state(session.ssl)
        return session
    }

    /// Creates a client's side.
    ///
    /// - Parameter host: the host name or IP address that the server's certificate must be for.
    static func client(_ context: TLSContext, on socket: Socket, host: String) -> TLSSession {
        let session = TLSSession(context, socket)
        unsafe SSL_set_connect_state(session.ssl)
        let isAddress = SocketAddress(host: host, port: 0) != nil && host != "localhost"
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let isChecked: Bool
        if isAddress {
            // RFC 6066, section 3: an address is not a server name.
            isChecked = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.ssl), name) == 1
        } else {
            // RFC 9110, section 4.3.4: the subject's common name doesn't count.
            let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
            unsafe SSL_set_hostflags(session.ssl, flags)
            isChecked = unsafe !name.isEmpty && SSL_set1_host(session.ssl, name) == 1
            unsafe backlot_ssl_ask_for(session.ssl, name)
        }
        if !isChecked {
            session.failure = TLSConnectionError("a certificate can't be for '\(name)', which is not a host")
            session.isBroken = true
        }
        return session
    }

    private init(_ context: TLSContext, _ socket: Socket) {
        ERR_clear_error()
        guard let ssl = unsafe SSL_new(context.context), unsafe SSL_set_fd(ssl, socket.descriptor) == 1 else {
            fatalError("there is no memory for a connection over TLS")
        }
        unsafe self.ssl = unsafe ssl
        self.context = context
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    // MARK: The handshake

    /// Continues the handshake until it ends, or until the socket would block.
    func handshake() -> Step {
        if isBroken, let failure { return .failed(failure) }
        // Errors left from another connection would look like this one's.
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(ssl)
        guard result == 1 else { return step(after: result) }
        ERR_clear_error()
        isEstablished = true
        // The first request may have arrived with the end of the handshake.
        hasUnread = unsafe SSL_has_pending(ssl) == 1
        return .done
    }

    private func step(after result: Int32) -> Step {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        default: return .failed(fail())
        }
    }

    /// The protocol that both sides have agreed on (RFC 7301); nil without one.
    var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        return count == 0
            ? nil : unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// The properties that both sides have agreed on, read on first use.
    var details: TLSDetails {
        if let knownDetails { return knownDetails }
        let details = unsafe TLSDetails(ssl)
        knownDetails = details
        return details
    }

    // MARK: Bytes

    /// Reads as many bytes as are available and fit into the start of `buffer`. When the buffer is full, `hasUnread` tells
    /// whether there are more.
    func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
        hasUnread = false
        readingWantsWrite = false
        guard !isBroken else { return .failed }
        ERR_clear_error()
        var total = 0
        while total < buffer.count {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[total...])
                return unsafe SSL_read(ssl, rest.baseAddress, Int32(clamping: rest.count))
            }
            guard count > 0 else {
                let end = ending(after: count)
                guard total > 0 else { return end }
                // The next call gets the same result.
                hasUnread = end != .wouldBlock
                return .bytes(total)
            }
            total += Int(count)
            // The library has no more bytes: another read would only call the system once more.
            if unsafe SSL_has_pending(ssl) == 0 { return .bytes(total) }
        }
        hasUnread = true
        return .bytes(total)
    }

    private func ending(after result: Int32) -> Socket.Outcome {
        if let misuse = unsafe TLSMisuse(on: ssl) {
            failure = misuse.failure
            isBroken = true
            return .failed
        }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            readingWantsWrite = true
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN: return .end
        default:
            fail()
            return .failed
        }
    }

    /// Sends as many of `bytes` as the system's buffer accepts. After `wouldBlock`, the next call must begin with the same bytes,
    /// though they may have moved in memory.
    func send(_ bytes: Span<UInt8>) -> Socket.Outcome {
        guard !isBroken, !isSendingBroken else { return .failed }
        ERR_clear_error()
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
        }
        if count > 0 { return .bytes(Int(count)) }
        switch unsafe SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_SYSCALL:
            ERR_clear_error()
            isSendingBroken = true
            return .failed
        default:
            fail()
            return .failed
        }
    }

    /// Tells the other side that this side sends no more (RFC 8446, section 6.1). This side can continue receiving.
    func shutDown() -> Step {
        guard isEstablished, !isBroken, !isSendingBroken else { return .done }
        let result = unsafe SSL_shutdown(ssl)
        // 0: sent, but the other side hasn't responded yet.
        return result >= 0 ? .done : step(after: result)
    }

    @discardableResult
    private func fail() -> TLSConnectionError {
        isBroken = true
        let failure = unsafe TLSConnectionError.take(verification: SSL_get_verify_result(ssl))
        self.failure = failure
        return failure
    }
}
