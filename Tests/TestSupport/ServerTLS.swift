internal import BacklotHTTP
internal import COpenSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A server's end of TLS on a socket that blocks. It calls OpenSSL itself, and shares nothing with Backlot's but the
/// library. One thread uses it.
@safe final class ServerTLS: @unchecked Sendable {
    private let context: OpaquePointer?
    private let ssl: OpaquePointer?

    /// Shakes hands; nil where that fails.
    init?(_ identity: TestIdentity, on descriptor: Int32) {
        Self.ignoreBrokenPipes()
        ERR_clear_error()
        let context = unsafe SSL_CTX_new(TLS_server_method())
        let ssl = unsafe SSL_new(context)
        unsafe (self.context, self.ssl) = unsafe (context, ssl)
        unsafe identity.use(in: ssl)
        unsafe SSL_set_fd(ssl, descriptor)
        guard unsafe SSL_accept(ssl) == 1 else { return nil }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
    }

    /// The library has no flag against SIGPIPE.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Receives some bytes; none where the client has gone.
    func receive(upTo count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = unsafe SSL_read(ssl, &buffer, Int32(count))
        return Array(buffer.prefix(max(0, Int(received))))
    }

    /// Sends all bytes.
    ///
    /// - Returns: false where the client has gone.
    func send(_ bytes: [UInt8]) -> Bool { unsafe SSL_write(ssl, bytes, Int32(bytes.count)) == bytes.count }

    /// Says that nothing more will be sent.
    func shutDown() {
        unsafe SSL_shutdown(ssl)
    }
}
