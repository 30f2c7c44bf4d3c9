internal import COpenSSL

/// A machine's own authority, which issues certificates for the machine's addresses. Name constraints limit it, so that devices
/// that trust it trust local addresses only (RFC 5280, section 4.2.1.10).
///
/// Points in time are in seconds since 1970.
@safe package final class CertificateAuthority: Sendable {
    /// A certificate with its key, both in PEM format.
    package struct Issue: Sendable {
        package let certificate: String
        package let key: String
    }

    private let identity: TLSIdentity
    /// The name shown by devices.
    package let name: String
    /// The time when it expires.
    package let end: Int
    /// The SHA-256 of the certificate, in the form shown by devices: `AB:CD:…`.
    package let fingerprint: String
    /// The certificate in DER format.
    package let der: [UInt8]

    /// The validity of a new authority: ten years, in seconds.
    package static let lifetime = 3652 * day
    /// The validity of a certificate: 397 days in seconds, the most that browsers and Apple's systems accept for public ones.
    package static let issueLifetime = 397 * day
    /// The clocks of devices may be slow.
    private static let earlier = 3600
    private static let day = 86_400

    /// Reads an authority.
    ///
    /// - Throws: `TLSError` when it can't be read or has expired.
    package init(certificate: PEMSource, key: PEMSource) throws(TLSError) {
        identity = try TLSIdentity(certificates: certificate, key: key)
        name = unsafe Self.commonName(of: identity.certificate)
        end = unsafe IssuedCertificate.end(of: identity.certificate)
        fingerprint = Self.inPairs(unsafe PeerCertificate(identity.certificate).fingerprint)
        der = unsafe Self.der(of: identity.certificate)
    }

    /// Creates an authority.
    ///
    /// - Parameters:
    ///   - hosts: the machine's own names and addresses. Names that could be a top-level domain are left out.
    ///   - name: the name shown by devices.
    package static func make(for hosts: [String], named name: String, at now: Int) throws(TLSError) -> Issue {
        let draft = CertificateDraft(
            subject: String(name.prefix(64)),
            validity: (now - earlier)...(now + lifetime),
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign"),
                (NID_subject_key_identifier, "hash"), (NID_name_constraints, NameLimits.value(with: hosts)),
            ]
        )
        return try unsafe issue { key throws(TLSError) in try unsafe draft.signed(for: key, by: nil, with: key) }
    }

    /// Issues a certificate for the hosts that the authority may issue it for: names and addresses.
    package func issue(for hosts: [String], at now: Int) throws(TLSError) -> Issue {
        try unsafe Self.issue { key throws(TLSError) in
            try unsafe sign(hosts.filter { permits($0, at: now) }, key, at: now)
        }
    }

    /// Creates a key, and lets `sign` issue its certificate.
    private static func issue(_ sign: (OpaquePointer) throws(TLSError) -> OpaquePointer) throws(TLSError) -> Issue {
        let key = try unsafe CertificateDraft.makeKey()
        defer { unsafe EVP_PKEY_free(key) }
        let certificate = try unsafe sign(key)
        defer { unsafe X509_free(certificate) }
        return Issue(
            certificate: try unsafe CertificateDraft.text(ofCertificate: certificate),
            key: try unsafe CertificateDraft.text(ofKey: key)
        )
    }

    /// Whether the authority may issue a certificate for a name or an address.
    package func permits(_ host: String, at now: Int) -> Bool {
        // Only the library knows exactly which names its constraints allow.
        guard NameLimits.isHost(host), let trial = try? unsafe sign([host], identity.key, at: now) else { return false }
        defer { unsafe X509_free(trial) }
        return unsafe isAllowed(trial)
    }

    private func sign(_ hosts: [String], _ key: OpaquePointer, at now: Int) throws(TLSError) -> OpaquePointer {
        let names = hosts.map { "\(NameLimits.isAddress($0) ? "IP" : "DNS"):\($0)" }.joined(separator: ",")
        let draft = CertificateDraft(
            // Not the name of a host, which would be limited too.
            subject: "Backlot server",
            validity: (now - Self.earlier)...min(now - Self.earlier + Self.issueLifetime, end),
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, names.isEmpty ? "DNS:localhost" : names),
                (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
            ]
        )
        return try unsafe draft.signed(for: key, by: identity.certificate, with: identity.key)
    }

    /// Whether clients that trust the authority trust a certificate, ignoring its dates.
    private func isAllowed(_ certificate: OpaquePointer) -> Bool {
        let store = unsafe X509_STORE_new()
        let context = unsafe X509_STORE_CTX_new()
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe X509_STORE_free(store)
            ERR_clear_error()
        }
        unsafe X509_STORE_add_cert(store, identity.certificate)
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_NO_CHECK_TIME))
        return unsafe X509_STORE_CTX_init(context, store, certificate, nil) == 1 && X509_verify_cert(context) == 1
    }

    /// Whether the authority has signed a certificate.
    func hasSigned(_ certificate: OpaquePointer) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_verify(certificate, identity.key) == 1
    }

    private static func der(of certificate: OpaquePointer) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &start)
        defer { unsafe CRYPTO_free(start, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: max(0, Int(count))))
    }

    private static func commonName(of certificate: OpaquePointer) -> String {
        var bytes = [CChar](repeating: 0, count: 257)
        unsafe X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, &bytes, 257)
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func inPairs(_ digits: String) -> String {
        digits.uppercased().enumerated()
            .map { $0.offset > 0 && $0.offset.isMultiple(of: 2) ? ":\($0.element)" : String($0.element) }.joined()
    }
}

/// The names and addresses that a machine's authority may certify: private ones, and the machine's own.
enum NameLimits {
    /// Private, link-local and loopback addresses (RFC 1918, 3927, 1122; RFC 4193, 4291), with their masks.
    private static let ranges = [
        ("10.0.0.0/8", "255.0.0.0"), ("172.16.0.0/12", "255.240.0.0"), ("192.168.0.0/16", "255.255.0.0"),
        ("169.254.0.0/16", "255.255.0.0"), ("127.0.0.0/8", "255.0.0.0"), ("fc00::/7", "fe00::"),
        ("fe80::/10", "ffc0::"),
        ("::1/128", wholeIPv6),
    ]
    private static let wholeIPv6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    /// Names of this machine, and those of multicast DNS (RFC 6762, section 3).
    private static let names = ["localhost", "local"]

    /// The name constraints in OpenSSL's syntax.
    ///
    /// - Parameter hosts: the machine's own names and addresses.
    static func value(with hosts: [String]) -> String {
        let own = hosts.filter { isHost($0) && !isAddress($0) && !couldBeTopLevel($0) && !$0.hasSuffix(".local") }
        let addresses = ranges.map { "\($0.prefix { $0 != "/" })/\($1)" } + hosts.filter(isAbroad).map(alone)
        let permitted = (names + own).map { "permitted;DNS:\($0)" } + addresses.map { "permitted;IP:\($0)" }
        return (["critical"] + permitted).joined(separator: ",")
    }

    /// Whether an address is outside all of the ranges.
    private static func isAbroad(_ host: String) -> Bool {
        guard isAddress(host), let address = SocketAddress(host: host, port: 0) else { return false }
        return !ranges.contains { range, _ in (try? AddressRange(range))?.contains(address) ?? false }
    }

    /// One address with its mask.
    private static func alone(_ address: String) -> String {
        "\(address)/\(address.contains(":") ? wholeIPv6 : "255.255.255.255")"
    }

    /// Whether a name without a dot could be a top-level domain, such as `dev`: a constraint also allows all names below it. Such
    /// domains consist of letters only, or begin with `xn--`.
    private static func couldBeTopLevel(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !name.contains("."), !names.contains(name) else { return false }
        return name.hasPrefix("xn--") || name.utf8.allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lowercased = ASCII.lowercased(byte)
        return lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z")
    }

    /// Whether a text is an IP address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        host != "localhost" && !host.hasPrefix("[") && SocketAddress(host: host, port: 0) != nil
    }

    /// Whether a text is an IP address or the name of a host (RFC 1123, section 2.1).
    static func isHost(_ text: String) -> Bool {
        guard !isAddress(text) else { return true }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ASCII.isDigit($0) || isLetter($0) }
            }
    }
}
