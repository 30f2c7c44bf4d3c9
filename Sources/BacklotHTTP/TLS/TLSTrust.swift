internal import COpenSSL

/// A set of authorities with trusted certificates.
///
/// ```swift
/// let transport = SocketTransport(trusting: .only(try TLSTrust(.file("ca.pem"))))
/// ```
public struct TLSTrust: Sendable {
    let store: TLSTrustStore

    private init(_ store: TLSTrustStore) {
        self.store = store
    }

    /// The system's authorities, or those in the environment variables SSL_CERT_FILE and SSL_CERT_DIR. They are read once, on
    /// first use, which takes some milliseconds.
    public static let system = TLSTrust(TLSTrustStore.system)

    /// Trusts only the authorities of a PEM file or text.
    ///
    /// - Throws: `TLSError` without a certificate, or for one that can't be read.
    public init(_ source: PEMSource) throws(TLSError) {
        self.init(try TLSTrustStore(source))
    }
}

/// The library's store of trusted certificates, which many threads may use at a time.
@safe final class TLSTrustStore: @unchecked Sendable {
    let store: OpaquePointer?
    /// The certificates that the store was made of; empty for the system's.
    let certificates: [OpaquePointer]

    static let system: TLSTrustStore = {
        TLSLibrary.begin()
        let store = unsafe X509_STORE_new()
        // Without authorities, no certificate is trusted, and verification reports that.
        unsafe X509_STORE_set_default_paths(store)
        ERR_clear_error()
        return unsafe TLSTrustStore(store: store)
    }()

    private init(store: OpaquePointer?) {
        unsafe self.store = unsafe store
        unsafe certificates = unsafe []
    }

    init(_ source: PEMSource) throws(TLSError) {
        TLSLibrary.begin()
        let certificates = try unsafe TLSPEM.certificates(in: source)
        let store = unsafe X509_STORE_new()
        unsafe certificates.forEach { unsafe X509_STORE_add_cert(store, $0) }
        // Also trusts a certificate that isn't an authority's: the file may contain the server's own certificate.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        // An error here concerns a certificate that was added before, which does no harm.
        ERR_clear_error()
        unsafe (self.certificates, self.store) = unsafe (certificates, store)
    }

    deinit {
        unsafe X509_STORE_free(store)
        unsafe certificates.forEach { unsafe X509_free($0) }
    }
}
