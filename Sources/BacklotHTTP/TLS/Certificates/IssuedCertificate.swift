internal import COpenSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A certificate that an authority of this machine has issued, as it is found in a file.
@safe package final class IssuedCertificate: @unchecked Sendable {
    private let certificate: OpaquePointer
    /// When it ends, in seconds since 1970.
    package let end: Int

    /// The first certificate of a file.
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

    /// Whether it is for a name or an address.
    package func isFor(_ host: String) -> Bool {
        if NameLimits.isAddress(host) { return unsafe X509_check_ip_asc(certificate, host, 0) == 1 }
        return unsafe X509_check_host(certificate, host, host.utf8.count, 0, nil) == 1
    }

    /// Whether an authority has issued it.
    package func isIssued(by authority: CertificateAuthority) -> Bool { unsafe authority.hasSigned(certificate) }

    /// When a certificate ends.
    static func end(of certificate: OpaquePointer) -> Int {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) == 1 else { return 0 }
        return unsafe timegm(&parts)
    }
}
