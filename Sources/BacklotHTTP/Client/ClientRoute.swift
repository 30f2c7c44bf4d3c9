/// Which server a client's connection leads to, and what it speaks.
struct ClientDestination: Sendable, Equatable {
    /// The host's name or address, which the server must have a certificate for.
    let host: String
    let port: UInt16
    /// What connections over TLS share; nil for clear text.
    let context: TLSContext?
    let versions: HTTPVersions

    static func == (left: ClientDestination, right: ClientDestination) -> Bool {
        left.port == right.port && left.versions == right.versions && left.context === right.context
            && left.host == right.host
    }

    /// The host's addresses, in the order in which they are tried.
    func addresses() async throws(ClientFault) -> [SocketAddress] {
        // An IP address needs no name server, and so no thread that may block.
        if let address = SocketAddress(host: host, port: port) { return [address] }
        do {
            return try await Blocking.run { [host, port] in try HostLookup.addresses(of: host, port: port) }
        } catch let fault as ClientFault {
            throw fault
        } catch {
            throw .unknownHost(host, reason: "\(error)")
        }
    }
}

/// Where a client's connection leads.
struct ClientRoute: Sendable {
    let address: SocketAddress
    let destination: ClientDestination
}
