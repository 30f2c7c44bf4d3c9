internal import COpenSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A certificate of this machine's authority, read from a file.
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

    /// The names and addresses that it is for.
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
        return address(bytes).flatMap { SocketAddress(host: $0, port: 0)?.host }
    }

    /// The text of an IPv4 or IPv6 address.
    private static func address(_ bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: bytes.map(String.init).joined(separator: ".")
        case 16:
            stride(from: 0, to: 16, by: 2)
                .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
        default: nil
        }
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
