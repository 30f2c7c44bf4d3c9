internal import COpenSSL

/// A certificate of this machine's authority, read from a file.
@safe package final class IssuedCertificate: @unchecked Sendable {
    private let certificate: OpaquePointer
    /// The time when it expires, in seconds since 1970.
    package let end: Int

    /// Reads the first certificate of a file.
    ///
    /// - Throws: `TLSError` when it can't be read.
    package init(_ source: PEMSource) throws(TLSError) {
        TLSLibrary.begin()
        let found = try unsafe TLSPEM.certificates(in: source)
        unsafe found.dropFirst().forEach { unsafe X509_free($0) }
        unsafe certificate = found[0]
        end = unsafe Self.end(of: found[0])
    }

    deinit {
        unsafe X509_free(certificate)
    }

    /// Whether the certificate is for a name or an address.
    package func isFor(_ host: String) -> Bool {
        if NameLimits.isAddress(host) { return unsafe X509_check_ip_asc(certificate, host, 0) == 1 }
        return unsafe X509_check_host(certificate, host, host.utf8.count, 0, nil) == 1
    }

    /// The names and addresses that the certificate is for.
    package var hosts: [String] {
        guard let found = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(found)
        defer { unsafe GENERAL_NAMES_free(names) }
        return unsafe (0..<max(0, OPENSSL_sk_num(names))).compactMap { index in
            guard let name = unsafe OPENSSL_sk_value(names, index) else { return nil }
            return unsafe Self.host(name.assumingMemoryBound(to: GENERAL_NAME.self))
        }
    }

    /// A DNS name or an IP address; nil for other kinds of names.
    private static func host(_ name: UnsafePointer<GENERAL_NAME>) -> String? {
        var kind: Int32 = 0
        guard let value = unsafe GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS || kind == GEN_IPADD else {
            return nil
        }
        let text = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
        )
        guard kind == GEN_IPADD else { return String(decoding: bytes, as: UTF8.self) }
        return SocketAddress(octets: bytes, port: 0)?.host
    }

    /// Whether an authority has issued the certificate.
    package func isIssued(by authority: CertificateAuthority) -> Bool { unsafe authority.hasSigned(certificate) }

    /// The time when a certificate expires.
    static func end(of certificate: OpaquePointer) -> Int {
        unsafe X509_get0_notAfter(certificate).flatMap { unsafe TLSPEM.seconds(of: $0) } ?? 0
    }
}

/// The contents of a certificate that isn't signed yet (RFC 5280, section 4.1).
struct CertificateDraft {
    /// The subject's common name: at most 64 characters.
    let subject: String
    /// The start and the end of its validity, in seconds since 1970.
    let validity: ClosedRange<Int>
    /// The kinds of extensions with their values, in the syntax of OpenSSL's configuration.
    let extensions: [(kind: Int32, value: String)]

    /// Creates a private key, ECDSA with P-256. The caller frees it.
    static func makeKey() throws(TLSError) -> OpaquePointer {
        TLSLibrary.begin()
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let isMade =
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
            && EVP_PKEY_generate(context, &key) == 1
        guard isMade, let key = unsafe key else { throw failure("make a key") }
        return unsafe key
    }

    /// Creates the certificate for a key. The caller frees it.
    ///
    /// - Parameters:
    ///   - key: the key of the subject.
    ///   - issuer: the authority's certificate; nil for a self-signed one.
    ///   - issuerKey: the authority's key.
    func signed(
        for key: OpaquePointer,
        by issuer: OpaquePointer?,
        with issuerKey: OpaquePointer
    ) throws(TLSError)
        -> OpaquePointer
    {
        guard let certificate = unsafe X509_new() else { throw Self.failure("make a certificate") }
        let name = unsafe X509_get_subject_name(certificate)
        let isMade =
            unsafe X509_set_version(certificate, 2) == 1 && Self.setSerialNumber(of: certificate)
            && ASN1_TIME_set(X509_getm_notBefore(certificate), validity.lowerBound) != nil
            && ASN1_TIME_set(X509_getm_notAfter(certificate), validity.upperBound) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_FLAG, subject, -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, issuer.map { unsafe X509_get_subject_name($0) } ?? name) == 1
            && X509_set_pubkey(certificate, key) == 1
            && extensions.allSatisfy { unsafe Self.add($0.kind, $0.value, to: certificate, of: issuer ?? certificate) }
            && X509_sign(certificate, issuerKey, EVP_sha256()) > 0
        if isMade { return unsafe certificate }
        unsafe X509_free(certificate)
        throw Self.failure("make a certificate")
    }

    /// Sets 127 random bits, so that the number is unique (RFC 5280, section 4.1.2.2).
    private static func setSerialNumber(of certificate: OpaquePointer) -> Bool {
        let number = unsafe BN_new()
        defer { unsafe BN_free(number) }
        return unsafe BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private static func add(
        _ kind: Int32,
        _ value: String,
        to certificate: OpaquePointer,
        of issuer: OpaquePointer
    ) -> Bool {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        guard let addition = unsafe X509V3_EXT_nconf_nid(nil, &context, kind, value) else { return false }
        defer { unsafe X509_EXTENSION_free(addition) }
        return unsafe X509_add_ext(certificate, addition, -1) == 1
    }

    private static func failure(_ task: String) -> TLSError {
        TLSError("OpenSSL can't \(task) (\(TLSErrors.takeText()))", fix: "look into its configuration, openssl.cnf")
    }

    // MARK: PEM

    /// A certificate in PEM format.
    static func text(ofCertificate certificate: OpaquePointer) throws(TLSError) -> String {
        try unsafe text { unsafe PEM_write_bio_X509($0, certificate) }
    }

    /// A private key in PEM format, without a passphrase.
    static func text(ofKey key: OpaquePointer) throws(TLSError) -> String {
        try unsafe text { unsafe PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) throws(TLSError) -> String {
        guard let text = unsafe TLSPEM.text({ unsafe write($0) == 1 }) else { throw failure("write PEM blocks") }
        return text
    }
}
