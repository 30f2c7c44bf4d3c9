/// The certificates and keys of a server, which can be replaced while it runs. Open connections keep theirs.
///
/// ```swift
/// let certificates = try TLSCertificates(certificateFile: "cert.pem", keyFile: "key.pem")
/// try certificates.reload()  // when the files have changed; `watch` does it by itself
/// ```
public final class TLSCertificates: Sendable {
    /// A certificate with its key.
    public struct Pair: Hashable, Sendable {
        /// The server's own certificate, followed by the chain that leads to the authority.
        public var certificates: PEMSource
        /// The private key of the server's certificate.
        public var key: PEMSource

        /// Combines a certificate with its key.
        public init(certificates: PEMSource, key: PEMSource) {
            self.certificates = certificates
            self.key = key
        }
    }

    /// The certificates and keys in use, and a number that grows with each replacement.
    struct Edition: Sendable {
        var number = 0
        let pairs: [Pair]
        let identities: [TLSIdentity]
        /// The states of the files before they were read.
        let states: [FileIdentity?]
    }

    private let edition: Locked<Edition>

    /// Reads certificates and keys. The first pair is for clients that don't name a host, or name one without a certificate. Two
    /// pairs for the same names, one with an ECDSA key and one with an RSA key, serve all clients.
    ///
    /// - Throws: `TLSError` for a certificate that can't be read, has expired, or doesn't belong to its key.
    public init(_ pairs: [Pair]) throws(TLSError) {
        edition = Locked(try Self.read(pairs))
    }

    /// Reads a certificate, with its chain, and its key from files.
    ///
    /// - Throws: `TLSError`, as for several pairs.
    public convenience init(certificateFile: String, keyFile: String) throws(TLSError) {
        try self.init([Pair(certificates: .file(certificateFile), key: .file(keyFile))])
    }

    /// The files that contain the certificates and keys.
    public var files: [String] {
        Self.files(of: edition.withLock { $0.pairs })
    }

    /// Reads all files again. New connections use the new contents.
    ///
    /// - Throws: `TLSError`. The former certificates then stay in use.
    public func reload() throws(TLSError) {
        try replace(with: edition.withLock { $0.pairs })
    }

    /// Uses other certificates for new connections.
    ///
    /// - Throws: `TLSError`. The former certificates then stay in use.
    public func replace(with pairs: [Pair]) throws(TLSError) {
        let read = try Self.read(pairs)
        edition.withLock { edition in
            let number = edition.number + 1
            edition = read
            edition.number = number
        }
    }

    /// The time when the first certificate in use expires, in seconds since 1970-01-01 in UTC.
    package var end: Int { current.identities.map(\.end).min() ?? .max }

    /// A warning for a certificate that expires within 14 days; nil otherwise.
    ///
    /// - Parameter now: seconds since 1970-01-01 in UTC.
    package func expiryWarning(at now: Int) -> String? {
        let (days, end) = ((end - now) / 86_400, end)
        guard end - now < 14 * 86_400 else { return nil }
        let left =
            end <= now
            ? "has expired" : days == 0 ? "expires today" : "expires in \(days) \(days == 1 ? "day" : "days")"
        return
            "a certificate of the server \(left): renew it\(files.isEmpty ? "" : ", in \(files.joined(separator: ", "))")"
    }

    /// The certificates and keys that are in use now.
    var current: Edition { edition.withLock { $0 } }

    private static func files(of pairs: [Pair]) -> [String] {
        pairs.flatMap { [$0.certificates.path, $0.key.path] }.compactMap(\.self)
            .reduce(into: []) { files, file in if !files.contains(file) { files.append(file) } }
    }

    private static func read(_ pairs: [Pair]) throws(TLSError) -> Edition {
        guard !pairs.isEmpty else {
            throw TLSError("no certificate is given", fix: "name at least one, with its key")
        }
        let states = states(of: files(of: pairs))
        var identities: [TLSIdentity] = []
        for pair in pairs {
            let identity = try TLSIdentity(certificates: pair.certificates, key: pair.key)
            // Violations of the library's rules, such as a short key, fail here rather than at the first client.
            _ = try TLSContext.server(
                [identity],
                protocols: [],
                clients: .off,
                tickets: nil,
                file: pair.certificates.path
            )
            identities.append(identity)
        }
        return Edition(pairs: pairs, identities: identities, states: states)
    }
}
