import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// What tests over TLS need: an authority, certificates of it, and how clients connect.
enum TestTLS {
    static let authority = TLSPair.authority

    /// Certificates for a server, from texts.
    static func certificates(_ identities: TestIdentity...) throws -> TLSCertificates {
        try TLSCertificates(
            identities.map { TLSCertificates.Pair(certificates: .text($0.certificate), key: .text($0.key)) }
        )
    }

    /// TLS with a certificate for localhost.
    static let configuration: TLSConfiguration? = try? TLSConfiguration(certificates: certificates(authority.issue()))

    /// How a client of HTTP/1 connects, and one of HTTP/2.
    static let http1 = ClientTLSSettings(serverName: "localhost")
    static let http2 = ClientTLSSettings(protocols: ["h2"], serverName: "localhost")
}

/// How clients of a test reach its server.
enum TestTransport: CaseIterable {
    case clearText, tls

    func configure(_ configuration: inout ServerConfiguration) {
        if self == .tls { configuration.tls = TestTLS.configuration }
    }

    var http1: ClientTLSSettings? { self == .tls ? TestTLS.http1 : nil }
    var http2: ClientTLSSettings? { self == .tls ? TestTLS.http2 : nil }
}

/// Collects the log of a server.
struct LogLines: LogHandler {
    let lines: Recorder<String>
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.record("\(event.level): \(event.message)")
    }
}
