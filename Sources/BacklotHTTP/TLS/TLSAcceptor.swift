/// TLS as a server has it: which context new connections get.
final class TLSAcceptor: Sendable {
    let configuration: TLSConfiguration
    private let protocols: [String]
    private let tickets: TLSTicketKeys?
    private let newest: Locked<(edition: Int, context: TLSContext)>

    /// - Throws: `TLSError` when the certificates can't be used.
    init(_ configuration: TLSConfiguration, http2: Bool) throws(TLSError) {
        self.configuration = configuration
        protocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"]
        tickets = configuration.sessionTickets ? TLSTicketKeys(lifetime: configuration.ticketKeyLifetime) : nil
        let edition = configuration.certificates.current
        newest = Locked((edition.number, try Self.context(edition, configuration, protocols, tickets)))
    }

    /// The context with the certificates that are in use now.
    var context: TLSContext {
        let edition = configuration.certificates.current
        return newest.withLock { newest in
            // They were tried when they were read: an error can't come any more, and would leave the former ones in
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
