internal import COpenSSL

/// The authorities whose certificates are trusted.
public struct TLSTrust: Sendable {
    let store: TLSTrustStore

    private init(_ store: TLSTrustStore) {
        self.store = store
    }

    /// The system's authorities, or those that the environment variables SSL_CERT_FILE and SSL_CERT_DIR name. They are
    /// read once, when they are first used, which takes some milliseconds.
    public static let system = TLSTrust(TLSTrustStore.system)

    /// The authorities of a PEM file or text, and no others.
    ///
    /// - Throws: `TLSError` when there is no certificate, or one that can't be read.
    public init(_ source: PEMSource) throws(TLSError) {
        self.init(try TLSTrustStore(source))
    }
}

/// The library's store of trusted certificates, which many threads may use at a time.
@safe final class TLSTrustStore: @unchecked Sendable {
    let store: OpaquePointer?
    /// The certificates that it was made of: none for the system's.
    let certificates: [OpaquePointer]

    static let system: TLSTrustStore = {
        TLSLibrary.begin()
        let store = unsafe X509_STORE_new()
        // Without authorities, nothing is trusted; verification says so.
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
        // Also one that isn't an authority's: the file may name the very certificate of a server.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        // An error here is about a certificate that was added before, which does no harm.
        ERR_clear_error()
        unsafe (self.certificates, self.store) = unsafe (certificates, store)
    }

    deinit {
        unsafe X509_STORE_free(store)
        unsafe certificates.forEach { unsafe X509_free($0) }
    }
}
