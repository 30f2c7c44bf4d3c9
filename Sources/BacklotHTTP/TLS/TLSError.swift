internal import COpenSSL

/// An error for certificates, keys or other TLS settings that can't be used.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file that caused the error, if any.
    public let file: String?
    /// A description of the error.
    public let reason: String
    /// A suggestion for a fix.
    public let fix: String

    package init(file: String? = nil, _ reason: String, fix: String) {
        self.file = file
        self.reason = reason
        self.fix = fix
    }

    /// The file, the error and the suggested fix, in one line.
    public var description: String {
        "TLS: \(file.map { "'\($0)' " } ?? "")\(reason): \(fix)"
    }
}

/// The reason why a connection over TLS failed, in words.
struct TLSConnectionError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// The library's reason code, or 0. An alert from the other side is 1000 plus the alert's number.
    let code: Int32
    /// The result of checking the other side's certificate; `X509_V_OK` when the certificate isn't the reason.
    let verdict: Int

    init(_ description: String, code: Int32 = 0, verdict: Int = Int(X509_V_OK)) {
        self.description = description
        self.code = code
        self.verdict = verdict
    }

    /// Whether the other side has stated a reason for closing the connection.
    var isAlert: Bool { code >= 1000 }

    /// Takes the reason from the library's error queue, and empties the queue.
    ///
    /// - Parameter verification: the library's verdict on the other side's certificate.
    static func take(verification: Int) -> TLSConnectionError {
        // After the verdict, the library may have added its cause, such as a wrong signature.
        let last = TLSErrors.last
        let first = TLSErrors.takeFirst()
        let isVerdict = last.map { $0 == (ERR_LIB_SSL, SSL_R_CERTIFICATE_VERIFY_FAILED) } ?? false
        guard let (library, reason) = isVerdict ? last : first else {
            return TLSConnectionError("the other side closed the connection")
        }
        guard library == ERR_LIB_SSL else { return TLSConnectionError(TLSErrors.text(library, reason)) }
        if reason == SSL_R_CERTIFICATE_VERIFY_FAILED {
            let verdict = unsafe String(cString: X509_verify_cert_error_string(verification))
            return TLSConnectionError(
                "the other side's certificate is not trusted: \(verdict)",
                code: reason,
                verdict: verification
            )
        }
        let text = words[reason] ?? "the TLS library says: \(TLSErrors.text(library, reason))"
        return TLSConnectionError(text, code: reason)
    }

    /// The library's reasons that users may see, and the other side's alerts: 1000 plus the alert's number (RFC 8446, section
    /// 6.2).
    private static let words: [Int32: String] = [
        SSL_R_UNSUPPORTED_PROTOCOL: "the other side speaks no version of TLS that is spoken here (1.2 and 1.3)",
        SSL_R_NO_SHARED_CIPHER:
            "the other side supports none of the ciphers used here (ECDHE with AES-GCM or ChaCha20)",
        SSL_R_NO_SUITABLE_KEY_SHARE:
            "the other side supports none of the key exchanges used here (X25519, P-256, P-384)",
        SSL_R_NO_APPLICATION_PROTOCOL: "the other side offers no protocol that is spoken here (ALPN)",
        SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: "the other side has sent no certificate, and one is required here",
        SSL_R_WRONG_VERSION_NUMBER: "the other side doesn't speak TLS",
        SSL_R_HTTP_REQUEST: "the other side speaks http, not https",
        SSL_R_UNEXPECTED_EOF_WHILE_READING: "the other side closed the connection without saying so",
        SSL_R_INAPPROPRIATE_FALLBACK: "the other side tried again with an older version of TLS (a downgrade)",
        SSL_R_NO_RENEGOTIATION: "the other side tried to negotiate again",
        1040: "the other side found nothing in common (alert handshake_failure)",
        1042: "the other side refuses the certificate (alert bad_certificate)",
        1043: "the other side can't use this kind of certificate (alert unsupported_certificate)",
        1044: "the other side takes the certificate for revoked (alert certificate_revoked)",
        1045: "the other side takes the certificate for expired (alert certificate_expired)",
        1046: "the other side refuses the certificate (alert certificate_unknown)",
        1048: "the other side doesn't trust the authority of the certificate (alert unknown_ca)",
        1070: "the other side refuses this version of TLS (alert protocol_version)",
        1112: "the other side knows no server of this name (alert unrecognized_name)",
        1116: "the other side requires a certificate (alert certificate_required)",
        1120: "the other side speaks none of the protocols offered (alert no_application_protocol)",
    ]
}

/// The library's error queue; each thread has a separate one.
enum TLSErrors {
    /// Removes and returns the oldest error, and empties the queue.
    static func takeFirst() -> (library: Int32, reason: Int32)? {
        let code = ERR_peek_error()
        ERR_clear_error()
        return code == 0 ? nil : (ERR_GET_LIB(code), ERR_GET_REASON(code))
    }

    /// The newest error; nil without one.
    static var last: (library: Int32, reason: Int32)? {
        let code = ERR_peek_last_error()
        return code == 0 ? nil : (ERR_GET_LIB(code), ERR_GET_REASON(code))
    }

    /// The library's text for an error.
    static func text(_ library: Int32, _ reason: Int32) -> String {
        let code = UInt(library) << 23 | UInt(reason)
        guard let words = unsafe ERR_reason_error_string(code) else { return "error \(reason)" }
        return unsafe String(cString: words)
    }

    /// Removes the oldest error, and returns the library's text for it.
    static func takeText() -> String {
        takeFirst().map { text($0.library, $0.reason) } ?? "no reason is known"
    }
}
