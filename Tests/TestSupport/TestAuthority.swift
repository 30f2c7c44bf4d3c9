internal import COpenSSL

/// A certificate with its key, both in PEM format.
public struct TestIdentity: Sendable {
    /// The certificate.
    public let certificate: String
    /// The private key.
    public let key: String

    /// A certificate with its key.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Shows it on a connection.
    func use(in ssl: OpaquePointer?) {
        let certificate = unsafe Self.read(self.certificate) { unsafe PEM_read_bio_X509($0, nil, nil, nil) }
        let key = unsafe Self.read(self.key) { unsafe PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        unsafe SSL_use_certificate(ssl, certificate)
        unsafe SSL_use_PrivateKey(ssl, key)
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// The library keeps no copy of the text: it must stay where it is while the library reads.
    private static func read(_ text: String, _ body: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
        unsafe Array(text.utf8).withUnsafeBytes { bytes in
            let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(memory) }
            return unsafe body(memory)
        }
    }
}

/// An authority that issues certificates for tests. Nothing else trusts it, and its key is never written to a file.
@safe public final class TestAuthority: @unchecked Sendable {
    /// The kinds of keys.
    public enum Key: Sendable {
        /// ECDSA with P-256.
        case ecdsa
        /// RSA, with that many bits.
        case rsa(Int)
    }

    /// When a certificate is valid, in seconds from now.
    public typealias Validity = ClosedRange<Int>

    /// A day before now to a day after it.
    public static let today: Validity = -86_400...86_400

    private let name: String
    private let key: OpaquePointer
    /// The authority's certificate in PEM format.
    public let certificate: String

    /// A new authority.
    public init(_ name: String = "Test Authority") {
        self.name = name
        unsafe key = unsafe Self.makeKey(.ecdsa)
        let extensions = [(NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign")]
        unsafe certificate = Self.certificate(
            subject: name,
            key: key,
            issuer: name,
            issuerKey: key,
            validity: Self.today,
            extensions
        )
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - subject: its common name.
    ///   - names: what it is for, as OpenSSL writes it.
    public func issue(
        _ subject: String = "localhost",
        names: String = "DNS:localhost,IP:127.0.0.1",
        validity: Validity = today,
        key: Key = .ecdsa
    ) -> TestIdentity {
        let own = unsafe Self.makeKey(key)
        defer { unsafe EVP_PKEY_free(own) }
        let certificate = unsafe Self.certificate(
            subject: subject,
            key: own,
            issuer: name,
            issuerKey: self.key,
            validity: validity,
            [(NID_subject_alt_name, names)]
        )
        let text = unsafe Self.text { unsafe PEM_write_bio_PrivateKey($0, own, nil, nil, 0, nil, nil) }
        return TestIdentity(certificate: certificate, key: text)
    }

    private static func makeKey(_ kind: Key) -> OpaquePointer {
        let name = if case .ecdsa = kind { "EC" } else { "RSA" }
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        unsafe EVP_PKEY_keygen_init(context)
        switch kind {
        case .ecdsa: unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
        case .rsa(let bits): unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
        }
        var key: OpaquePointer?
        unsafe EVP_PKEY_generate(context, &key)
        guard let key = unsafe key else { fatalError("OpenSSL makes no key") }
        return unsafe key
    }

    private static func certificate(
        subject: String,
        key: OpaquePointer,
        issuer: String,
        issuerKey: OpaquePointer,
        validity: Validity,
        _ extensions: [(Int32, String)]
    ) -> String {
        let certificate = unsafe X509_new()
        defer { unsafe X509_free(certificate) }
        unsafe X509_set_version(certificate, 2)
        unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...(.max / 2)))
        unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound)
        unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound)
        // MBSTRING_UTF8
        let kind = MBSTRING_FLAG
        unsafe X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", kind, subject, -1, -1, 0)
        unsafe X509_NAME_add_entry_by_txt(X509_get_issuer_name(certificate), "CN", kind, issuer, -1, -1, 0)
        unsafe X509_set_pubkey(certificate, key)
        for (kind, value) in extensions {
            let addition = unsafe X509V3_EXT_nconf_nid(nil, nil, kind, value)
            unsafe X509_add_ext(certificate, addition, -1)
            unsafe X509_EXTENSION_free(addition)
        }
        unsafe X509_sign(certificate, issuerKey, EVP_sha256())
        return unsafe text { unsafe PEM_write_bio_X509($0, certificate) }
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) -> String {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        guard unsafe write(memory) == 1 else { fatalError("OpenSSL writes no PEM block") }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BIO_ctrl_pending(memory)))
        unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes, as: UTF8.self)
    }
}
