internal import BacklotHTTP
internal import COpenSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A client's end of TLS on a socket. One thread may send while another receives.
///
/// It calls OpenSSL itself, and shares nothing with the server's side but the library.
@safe final class ClientTLS: @unchecked Sendable {
    private let context: OpaquePointer?
    private let ssl: OpaquePointer?
    private let descriptor: Int32
    private let timeout: Int32
    /// The library's state is for one thread at a time.
    private let turn = Locked(())

    /// Shakes hands.
    init(_ settings: ClientTLSSettings, on descriptor: Int32, timeout: Duration) throws(RawClientError) {
        self.descriptor = descriptor
        self.timeout = Int32(timeout / .milliseconds(1))
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let context = unsafe SSL_CTX_new(TLS_client_method())
        let ssl = unsafe SSL_new(context)
        unsafe (self.context, self.ssl) = unsafe (context, ssl)
        // Allows old versions and ciphers: tests show what the server does with them.
        unsafe SSL_set_security_level(ssl, 0)
        if let list = settings.ciphers { unsafe SSL_set_cipher_list(ssl, list) }
        if let newest = settings.newestVersion { unsafe SSL_set_options(ssl, newest.withoutNewer) }
        if !settings.protocols.isEmpty {
            let names = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            unsafe SSL_set_alpn_protos(ssl, names, UInt32(names.count))
        }
        if let name = settings.serverName { unsafe backlot_ssl_ask_for(ssl, name) }
        if let identity = settings.identity { unsafe identity.use(in: ssl) }
        if let ticket = settings.ticket { unsafe SSL_set_session(ssl, ticket.session) }
        unsafe SSL_set_fd(ssl, descriptor)
        unsafe SSL_set_connect_state(ssl)
        while true {
            let (result, error) = unsafe call { unsafe SSL_do_handshake($0) }
            if result == 1 { break }
            guard try wait(error) else { throw .tls(Self.reason()) }
        }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
    }

    private static func reason() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "the server closed" }
        return unsafe String(cString: text)
    }

    private func call(_ body: (OpaquePointer?) -> Int32) -> (result: Int32, error: Int32) {
        turn.withLock { _ in
            // The library has no flag against SIGPIPE.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            ERR_clear_error()
            let result = unsafe body(ssl)
            return (result, unsafe SSL_get_error(ssl, result))
        }
    }

    /// Waits for the socket as an error asks for it. Returns whether to call again.
    private func wait(_ error: Int32) throws(RawClientError) -> Bool {
        let event: Int32
        switch error {
        case SSL_ERROR_WANT_READ: event = POLLIN
        case SSL_ERROR_WANT_WRITE: event = POLLOUT
        default: return false
        }
        var watched = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        guard unsafe poll(&watched, 1, timeout) > 0 else { throw .timedOut("TLS") }
        return true
    }

    func send(_ bytes: [UInt8]) throws(RawClientError) {
        var sent = 0
        while sent < bytes.count {
            let (result, error) = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
                return unsafe call { unsafe SSL_write($0, rest.baseAddress, Int32(rest.count)) }
            }
            if result > 0 {
                sent += Int(result)
            } else if try !wait(error) {
                throw .tls(Self.reason())
            }
        }
    }

    func receive(upTo count: Int) throws(RawClientError) -> ClientSocket.Received {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let (result, error) = unsafe call { unsafe SSL_read($0, &buffer, Int32(count)) }
            if result > 0 { return .bytes(Array(buffer[..<Int(result)])) }
            switch error {
            case SSL_ERROR_ZERO_RETURN: return .end(.closed)
            // An end that TLS doesn't know of cuts what came before.
            case SSL_ERROR_SYSCALL, SSL_ERROR_SSL: return .end(.reset)
            default:
                do throws(RawClientError) { _ = try wait(error) } catch { return .end(.stillOpen) }
            }
        }
    }

    /// Says that nothing more will be sent.
    func shutdownSending() {
        _ = unsafe call { unsafe SSL_shutdown($0) }
    }

    /// The version, the protocol that was agreed on, whether a ticket was used, and the name in the server's
    /// certificate.
    var facts: ClientTLSFacts {
        turn.withLock { _ in
            var name: UnsafePointer<UInt8>?
            var count: UInt32 = 0
            unsafe SSL_get0_alpn_selected(ssl, &name, &count)
            let chosen = unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
            let certificate = unsafe SSL_get1_peer_certificate(ssl)
            defer { unsafe X509_free(certificate) }
            var text = [UInt8](repeating: 0, count: 256)
            let length = unsafe text.withUnsafeMutableBytes { text in
                let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, start, 256)
            }
            return ClientTLSFacts(
                version: unsafe String(cString: SSL_get_version(ssl)),
                applicationProtocol: chosen,
                certificateName: String(decoding: text.prefix(max(0, Int(length))), as: UTF8.self),
                isResumed: unsafe SSL_session_reused(ssl) == 1
            )
        }
    }

    /// The session that the server has sent for the next connection. With TLS 1.3, it comes with the first bytes.
    var ticket: ClientTLSTicket { turn.withLock { _ in unsafe ClientTLSTicket(SSL_get1_session(ssl)) } }

    /// Changes the client's keys, as only TLS 1.3 can.
    func changeKeys() {
        _ = unsafe call { unsafe SSL_key_update($0, SSL_KEY_UPDATE_NOT_REQUESTED) }
        _ = unsafe call { unsafe SSL_do_handshake($0) }
    }

    /// Tries to negotiate again, as only TLS 1.2 can.
    func renegotiate() {
        _ = unsafe call { unsafe SSL_renegotiate($0) }
        _ = unsafe call { unsafe SSL_do_handshake($0) }
    }
}

/// The settings of a client's handshake.
public struct ClientTLSSettings: Sendable {
    /// The versions of TLS that a client may stop at.
    public enum Version: Sendable {
        case tls10, tls11, tls12

        var withoutNewer: UInt64 {
            // SSL_OP_NO_TLSv1_3, SSL_OP_NO_TLSv1_2 and SSL_OP_NO_TLSv1_1.
            switch self {
            case .tls12: 1 << 29
            case .tls11: 1 << 29 | 1 << 27
            case .tls10: 1 << 29 | 1 << 27 | 1 << 28
            }
        }
    }

    /// The protocols for ALPN.
    public var protocols: [String]
    /// The host for SNI.
    public var serverName: String?
    /// The newest version; nil for any.
    public var newestVersion: Version?
    /// The ciphers of TLS 1.2 and older, as OpenSSL names them.
    public var ciphers: String?
    /// The client's own certificate.
    public var identity: TestIdentity?
    /// The session of an earlier connection, for this one to resume.
    public var ticket: ClientTLSTicket?
    /// Bytes that are sent before the handshake.
    public var before: [UInt8] = []

    /// Offers every version and HTTP/1.1.
    public init(
        protocols: [String] = ["http/1.1"],
        serverName: String? = nil,
        newestVersion: Version? = nil,
        ciphers: String? = nil,
        identity: TestIdentity? = nil,
        ticket: ClientTLSTicket? = nil
    ) {
        self.ticket = ticket
        self.protocols = protocols
        self.serverName = serverName
        self.newestVersion = newestVersion
        self.ciphers = ciphers
        self.identity = identity
    }
}

/// The results of a client's handshake.
public struct ClientTLSFacts: Equatable, Sendable {
    /// Such as `TLSv1.3`.
    public let version: String
    /// Empty without one.
    public let applicationProtocol: String
    /// The common name in the server's certificate.
    public let certificateName: String
    /// Whether a ticket made the handshake short.
    public let isResumed: Bool
}

/// A session that a client can take up again.
@safe public final class ClientTLSTicket: @unchecked Sendable {
    fileprivate let session: OpaquePointer?

    fileprivate init(_ session: OpaquePointer?) {
        unsafe self.session = unsafe session
    }

    deinit {
        unsafe SSL_SESSION_free(session)
    }
}
