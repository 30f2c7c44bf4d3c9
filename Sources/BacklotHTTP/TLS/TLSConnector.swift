internal import COpenSSL

/// The servers that a client trusts over TLS.
public enum ServerTrust: Sendable {
    /// Servers with a certificate for the requested host, from an authority that the system trusts.
    case system
    /// Servers with a certificate for the requested host, from one of these authorities.
    case only(TLSTrust)
    /// All servers, even those with another host's certificate: for tests against your own server.
    case anyone
}

/// The versions of HTTP that a client speaks.
public enum HTTPVersions: Sendable {
    /// HTTP/2 over TLS if the server supports it, otherwise HTTP/1.1.
    case any
    /// Only HTTP/1.1.
    case http1
    /// Only HTTP/2; in clear text by prior knowledge (RFC 9113, section 3.3).
    case http2

    /// The protocols offered over TLS (RFC 7301).
    fileprivate var protocols: [String] {
        switch self {
        case .any: ["h2", "http/1.1"]
        case .http1: ["http/1.1"]
        case .http2: ["h2"]
        }
    }
}

/// The TLS settings of a client: the certificates that it accepts, and the protocols that it offers.
package final class TLSConnector: Sendable {
    private static let system = TLSConnector(.system)

    private let trust: ServerTrust
    /// Created for the first connection: clients that never use TLS needn't read the system's authorities.
    private let made = Locked<[HTTPVersions?: TLSContext]>([:])

    private init(_ trust: ServerTrust) {
        self.trust = trust
    }

    /// The settings for a kind of trust. All clients share one reading of the system's authorities.
    package static func trusting(_ trust: ServerTrust) -> TLSConnector {
        if case .system = trust { system } else { TLSConnector(trust) }
    }

    /// The context of all connections that offer the same versions of HTTP.
    ///
    /// - Parameter versions: nil for a protocol other than HTTP, which isn't offered by name.
    /// - Throws: `ClientConnectionError.notSecured`.
    func context(offering versions: HTTPVersions?) throws(ClientConnectionError) -> TLSContext {
        let result = made.withLock { made -> Result<TLSContext, ClientConnectionError> in
            if let context = made[versions] { return .success(context) }
            let trusted: TLSTrust? =
                switch trust {
                case .system: .system
                case .only(let trust): trust
                case .anyone: nil
                }
            do throws(TLSError) {
                let context = try TLSContext.client(trust: trusted, protocols: versions?.protocols ?? [])
                made[versions] = context
                return .success(context)
            } catch {
                return .failure(.notSecured(error.reason))
            }
        }
        return try result.get()
    }
}

extension ClientConnectionError {
    /// The reason why a connection over TLS failed, from the view of an HTTP client.
    init(_ failure: TLSConnectionError) {
        let isNoTLS = failure.reasonForClients == TLSConnectionError.noTLS
        self = .notSecured(failure.reasonForClients + (isNoTLS ? "; its URL may begin with http://" : ""))
    }
}

extension TLSConnectionError {
    fileprivate static let noTLS = "the server there doesn't speak TLS"

    /// The reason why a client has no connection.
    var reasonForClients: String {
        switch (code, Int32(verdict)) {
        case (SSL_R_WRONG_VERSION_NUMBER, _), (SSL_R_HTTP_REQUEST, _), (SSL_R_PACKET_LENGTH_TOO_LONG, _): Self.noTLS
        case (_, X509_V_ERR_CERT_HAS_EXPIRED): "the server's certificate has expired"
        case (_, X509_V_ERR_CERT_NOT_YET_VALID):
            "the server's certificate is not valid yet, or this machine's clock is slow"
        case (_, X509_V_ERR_HOSTNAME_MISMATCH), (_, X509_V_ERR_IP_ADDRESS_MISMATCH):
            "the server's certificate is for another host"
        case (_, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT):
            "the server has signed its certificate itself, and it isn't trusted"
        case (_, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN), (_, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT),
            (_, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY), (_, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE),
            (_, X509_V_ERR_CERT_SIGNATURE_FAILURE):
            "no trusted authority has issued the server's certificate"
        default: description.replacing("the other side", with: "the server")
        }
    }
}
