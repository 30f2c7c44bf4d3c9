internal import COpenSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A certificate, the chain that leads to its authority, and its private key, checked to belong together and to be valid now.
@safe final class TLSIdentity: @unchecked Sendable {
    let certificate: OpaquePointer
    let chain: [OpaquePointer]
    let key: OpaquePointer
    /// The names in the certificate, in its encoding: certificates for the same names have the same bytes.
    let names: [UInt8]

    /// Reads and checks all three.
    ///
    /// - Throws: `TLSError`, which names the file, the reason and the fix.
    init(certificates: PEMSource, key: PEMSource) throws(TLSError) {
        TLSLibrary.begin()
        let found = try unsafe TLSPEM.certificates(in: certificates)
        unsafe (certificate, chain) = unsafe (found[0], Array(found.dropFirst()))
        names = unsafe Self.names(in: found[0])
        do throws(TLSError) {
            unsafe self.key = try unsafe TLSPEM.key(in: key)
        } catch {
            unsafe found.forEach { unsafe X509_free($0) }
            throw error
        }
        try check(certificates: certificates, key: key)
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe chain.forEach { unsafe X509_free($0) }
        unsafe EVP_PKEY_free(key)
    }

    private func check(certificates: PEMSource, key: PEMSource) throws(TLSError) {
        let file = certificates.path
        guard unsafe X509_check_private_key(certificate, self.key) == 1 else {
            ERR_clear_error()
            let other = file.map { "'\($0)'" } ?? "the certificate"
            throw TLSError(
                file: key.path,
                "is not the key of \(other)",
                fix: "name the key that the certificate was made for; a chain begins with the server's own certificate"
            )
        }
        if let end = unsafe X509_get0_notAfter(certificate), unsafe X509_cmp_current_time(end) <= 0 {
            throw TLSError(
                file: file,
                "has expired, on \(unsafe TLSPEM.day(of: end))",
                fix: "renew the certificate"
            )
        }
        if let begin = unsafe X509_get0_notBefore(certificate), unsafe X509_cmp_current_time(begin) > 0 {
            throw TLSError(
                file: file,
                "is not valid before \(unsafe TLSPEM.day(of: begin))",
                fix: "set this machine's clock, or wait"
            )
        }
    }

    /// The time when the first certificate of the chain expires, in seconds since 1970-01-01 in UTC.
    var end: Int {
        unsafe ([certificate] + chain).compactMap { certificate in
            unsafe X509_get0_notAfter(certificate).flatMap { unsafe TLSPEM.seconds(of: $0) }
        }.min() ?? .max
    }

    /// Whether the certificate is for a host.
    ///
    /// - Parameter wildcards: whether names such as `*.example.com` count.
    func matches(_ host: String, wildcards: Bool) -> Bool {
        let flags = wildcards ? 0 : UInt32(X509_CHECK_FLAG_NO_WILDCARDS)
        return unsafe X509_check_host(certificate, host, host.utf8.count, flags, nil) == 1
    }

    private static func names(in certificate: OpaquePointer) -> [UInt8] {
        let index = unsafe X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1)
        guard index >= 0, let names = unsafe X509_get_ext(certificate, index),
            let data = unsafe X509_EXTENSION_get_data(names)
        else { return [] }
        return unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(data), count: Int(ASN1_STRING_length(data)))
        )
    }
}

/// Reads PEM blocks.
enum TLSPEM {
    /// Reads the certificates of a text, in its order: at least one. The caller frees them.
    static func certificates(in source: PEMSource) throws(TLSError) -> [OpaquePointer] {
        let bytes = try source.read()
        var found: [OpaquePointer] = unsafe []
        // The library leaves errors behind even if it succeeds in the end.
        ERR_clear_error()
        unsafe withMemory(bytes) { memory in
            while let certificate = unsafe PEM_read_bio_X509(memory, nil, { _, _, _, _ in -1 }, nil) {
                unsafe found.append(certificate)
            }
        }
        // The library always ends with an error: because the next block is missing, or because it can't read one.
        let isMalformed = TLSErrors.takeFirst().map { $0 != (ERR_LIB_PEM, PEM_R_NO_START_LINE) } ?? false
        if unsafe !found.isEmpty, !isMalformed { return unsafe found }
        unsafe found.forEach { unsafe X509_free($0) }
        let holdsKey = String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
        throw TLSError(
            file: source.path,
            isMalformed
                ? "holds a certificate that can't be read"
                : holdsKey ? "holds a key and no certificate" : "holds no certificate in PEM format",
            fix: holdsKey && !isMalformed
                ? "name the certificate's file here, and the key's as the key"
                : "name a file with '-----BEGIN CERTIFICATE-----', as an authority hands it out"
        )
    }

    /// Reads the private key of a text. The caller frees it.
    static func key(in source: PEMSource) throws(TLSError) -> OpaquePointer {
        let bytes = try source.read()
        let key = unsafe withMemory(bytes) { memory in
            // Without this callback, the library would ask for a passphrase at the terminal.
            unsafe PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
        }
        ERR_clear_error()
        if let key = unsafe key { return unsafe key }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("ENCRYPTED") {
            throw TLSError(
                file: source.path,
                "is encrypted with a passphrase",
                fix:
                    "decrypt it with 'openssl pkey -in KEY -out NEW', and keep the new file readable for the server alone"
            )
        }
        throw TLSError(
            file: source.path,
            text.contains("PRIVATE KEY-----")
                ? "holds a private key that can't be read" : "holds no private key in PEM format",
            fix: "name a file with '-----BEGIN PRIVATE KEY-----'"
        )
    }

    /// A point in time as a date, such as `2026-11-22`.
    static func day(of time: UnsafePointer<ASN1_TIME>) -> String {
        unsafe seconds(of: time).map { String(HTTPDate(secondsSince1970: $0).rfc3339.prefix(10)) } ?? "an unknown day"
    }

    /// A point in time in seconds since 1970; nil if it is malformed.
    static func seconds(of time: UnsafePointer<ASN1_TIME>) -> Int? {
        var parts = unsafe tm()
        return unsafe ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : nil
    }

    /// The library's output as text; nil on failure.
    static func text(_ write: (OpaquePointer?) -> Bool) -> String? {
        let memory = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(memory) }
        guard unsafe write(memory) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BIO_ctrl_pending(memory)))
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    private static func withMemory<Result>(_ bytes: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { bytes in
            let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(memory) }
            return unsafe body(memory)
        }
    }
}

/// The library as a whole.
enum TLSLibrary {
    private static let isReady: Bool = backlot_ssl_begin() == 1

    /// Prepares the library for this process. Must be called before anything else.
    static func begin() {
        precondition(isReady, "the TLS library can't start: its configuration (openssl.cnf) may be malformed")
    }
}
