public import BacklotHTTP

extension TestAuthority {
    /// One for all tests of a process.
    public static let shared = TestAuthority()

    /// Trust in this authority alone.
    public var trust: ServerTrust {
        get throws { .only(try TLSTrust(.text(certificate))) }
    }

    /// The configuration of a server with a certificate for localhost and 127.0.0.1.
    public var serverConfiguration: ServerConfiguration {
        get throws {
            let identity = issue()
            let pair = TLSCertificates.Pair(certificates: .text(identity.certificate), key: .text(identity.key))
            var configuration = ServerConfiguration()
            configuration.tls = TLSConfiguration(certificates: try TLSCertificates([pair]))
            return configuration
        }
    }
}
