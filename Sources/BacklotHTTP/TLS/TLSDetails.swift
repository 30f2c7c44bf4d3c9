internal import COpenSSL

/// The properties that both sides of a TLS connection have agreed on.
public final class TLSDetails: Sendable {
    /// The version, such as `TLSv1.3`.
    public let version: String
    /// The cipher suite's name in OpenSSL, such as `TLS_AES_128_GCM_SHA256`.
    public let cipher: String
    /// The host that the client requested (RFC 6066, section 3); nil without one.
    public let serverName: String?
    /// Whether the connection resumes the session of an earlier one, without a full handshake.
    public let isResumed: Bool
    /// The other side's certificate, issued by a trusted authority; nil if it didn't send one.
    public let peerCertificate: PeerCertificate?

    init(_ ssl: OpaquePointer) {
        unsafe version = String(cString: SSL_get_version(ssl))
        unsafe cipher = String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)))
        serverName = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
        isResumed = unsafe SSL_session_reused(ssl) == 1
        let certificate = unsafe SSL_get1_peer_certificate(ssl)
        peerCertificate = unsafe certificate.map { unsafe PeerCertificate($0) }
        unsafe X509_free(certificate)
    }
}

/// The certificate of the other side.
public struct PeerCertificate: Hashable, Sendable {
    /// The subject in the form of RFC 2253, such as `CN=till 7,O=Bakery`.
    public let subject: String
    /// The authority that issued the certificate, in the same form.
    public let issuer: String
    /// The number that the authority has given the certificate, in lower-case hexadecimal.
    public let serialNumber: String
    /// The SHA-256 hash of the whole certificate, in lower-case hexadecimal. It identifies the certificate.
    public let fingerprint: String

    init(_ certificate: OpaquePointer) {
        unsafe subject = Self.text(of: X509_get_subject_name(certificate))
        unsafe issuer = Self.text(of: X509_get_issuer_name(certificate))
        unsafe serialNumber = Self.serialNumber(of: certificate)
        unsafe fingerprint = Self.fingerprint(of: certificate)
    }

    private static func text(of name: OpaquePointer?) -> String {
        // Letters outside ASCII appear unescaped, in UTF-8.
        unsafe TLSPEM.text { unsafe backlot_x509_print($0, name) >= 0 } ?? ""
    }

    private static func serialNumber(of certificate: OpaquePointer) -> String {
        let number = unsafe ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil)
        defer { unsafe BN_free(number) }
        guard let text = unsafe BN_bn2hex(number) else { return "" }
        defer { unsafe CRYPTO_free(text, nil, 0) }
        return unsafe String(cString: text).lowercased()
    }

    private static func fingerprint(of certificate: OpaquePointer) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        unsafe X509_digest(certificate, EVP_sha256(), &digest, &count)
        return digest.prefix(Int(count)).hexadecimalText
    }
}
