internal import HTTPTypes

/// The TLS settings of a server: versions 1.2 and 1.3, with forward secrecy and authenticated encryption only.
///
/// ```swift
/// let certificates = try TLSCertificates(certificateFile: "cert.pem", keyFile: "key.pem")
/// var configuration = ServerConfiguration()
/// configuration.tls = TLSConfiguration(certificates: certificates)
/// try await Server(router, port: 8443, configuration: configuration).run()
/// ```
public struct TLSConfiguration: Sendable {
    /// Whether clients must show a certificate.
    public enum ClientCertificates: Sendable {
        /// The server doesn't request one.
        case off
        /// Clients may send one. The handshake fails if it isn't trusted.
        case optional(TLSTrust)
        /// Clients must send a trusted one.
        case required(TLSTrust)
    }

    /// The server's certificates and keys.
    public var certificates: TLSCertificates
    /// Whether clients show certificates. Handlers find them in `Request.peerCertificate`.
    public var clientCertificates = ClientCertificates.off
    /// Whether clients get tickets for connecting again without a full handshake.
    public var issuesSessionTickets = true
    /// The time until a new key encrypts new tickets. The previous key still decrypts them: a ticket is valid for at least this
    /// time, and at most twice as long.
    public var ticketKeyLifetime = Duration.seconds(6 * 3600)
    /// The start of the paths that clients may GET or HEAD on the same port without TLS, such as `/__tls`. There, a device gets
    /// the certificate of an authority that it doesn't trust yet. Other requests without TLS get a 400 with an explanation.
    public var clearTextPath: String?

    /// TLS with these certificates.
    public init(certificates: TLSCertificates) {
        self.certificates = certificates
    }
}

/// PEM blocks (RFC 7468): certificates, or a key.
public enum PEMSource: Hashable, Sendable {
    /// A file that is read again with each reload.
    case file(String)
    /// The text of such a file.
    case text(String)

    /// The path; nil for a text.
    var path: String? {
        if case .file(let path) = self { path } else { nil }
    }

    /// The maximum number of bytes to read from a file: many times the largest bundle of authorities.
    private static let mostBytes = 4 * 1024 * 1024

    /// The bytes.
    ///
    /// - Throws: `TLSError` when the file can't be read.
    func read() throws(TLSError) -> [UInt8] {
        switch self {
        case .text(let text): return Array(text.utf8)
        case .file(let path):
            do {
                let file = try OpenFile(path)
                guard file.size <= Self.mostBytes else {
                    throw TLSError(
                        file: path,
                        "has \(file.size) bytes",
                        fix: "name a file of at most \(Self.mostBytes) bytes in PEM format"
                    )
                }
                return try file.bytes()
            } catch let error as TLSError {
                throw error
            } catch {
                let reason = (error as? FileError).map { SystemErrors.text($0.code) } ?? "\(error)"
                throw TLSError(
                    file: path,
                    "can't be read (\(reason))",
                    fix: "name a file that exists and that the server's user may read"
                )
            }
        }
    }
}

/// The TLS settings of a running server: it provides the context for new connections.
final class TLSAcceptor: Sendable {
    let configuration: TLSConfiguration
    private let protocols: [String]
    private let tickets: TLSTicketKeys?
    private let newest: Locked<(edition: Int, context: TLSContext)>

    /// - Throws: `TLSError` when the certificates can't be used.
    init(_ configuration: TLSConfiguration, http2: Bool) throws(TLSError) {
        self.configuration = configuration
        protocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"]
        tickets = configuration.issuesSessionTickets ? TLSTicketKeys(lifetime: configuration.ticketKeyLifetime) : nil
        let edition = configuration.certificates.current
        newest = Locked((edition.number, try Self.context(edition, configuration, protocols, tickets)))
    }

    /// The context with the current certificates.
    var context: TLSContext {
        let edition = configuration.certificates.current
        return newest.withLock { newest in
            // Reading the certificates has already tried them: an error can't come any more, and would leave the former ones in
            // use.
            if edition.number > newest.edition,
                let context = try? Self.context(edition, configuration, protocols, tickets)
            {
                newest = (edition.number, context)
            }
            return newest.context
        }
    }

    private static func context(
        _ edition: TLSCertificates.Edition,
        _ configuration: TLSConfiguration,
        _ protocols: [String],
        _ tickets: TLSTicketKeys?
    ) throws(TLSError) -> TLSContext {
        try .server(
            edition.identities,
            protocols: protocols,
            clients: configuration.clientCertificates,
            tickets: tickets
        )
    }
}

/// Requests in clear text on a TLS port.
extension TLSConfiguration {
    /// The response that redirects a request in clear text; nil if a handler may see the request.
    func redirection(of head: RequestHead) -> Response? {
        let path = head.string(head.line.path)
        if let prefix = clearTextPath, head.isMethod("GET") || head.isMethod("HEAD"),
            // The path must not lead out of the folder, no matter how a handler interprets it.
            !path.contains(".."), !path.contains("%"), path == prefix || path.hasPrefix(prefix + "/")
        {
            return nil
        }
        guard let host = RequestHeaders(head: head).first(where: { $0.name.lowercased() == "host" })?.value else {
            return .text("speak https here\n", status: .badRequest)
        }
        let trust = clearTextPath.map { "to trust this server first: http://\(host)\($0)\n" } ?? ""
        return .text("speak https here: https://\(host)\(path)\n\(trust)", status: .badRequest)
    }
}
