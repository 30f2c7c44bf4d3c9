internal import Backlot

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The names and addresses for reaching a server on this machine.
struct ServerHosts: Equatable {
    /// The machine's name.
    let name: String
    /// The machine's names: the one above, and its name in multicast DNS.
    let names: [String]
    /// The machine's addresses.
    let addresses: [String]

    /// Creates the hosts of a machine.
    ///
    /// - Parameters:
    ///   - name: the machine's name.
    ///   - addresses: the addresses of its network interfaces.
    init(name: String, addresses: [String]) {
        let short = name.prefix { $0 != "." }
        self.name = short.isEmpty ? "this machine" : String(short)
        let isLocalhost = short.isEmpty || short == "localhost"
        var names = isLocalhost ? [] : ["\(short).local"]
        if !isLocalhost, !names.contains(name) { names.insert(name, at: 0) }
        self.names = names
        self.addresses = addresses
    }

    /// The current hosts of this machine.
    ///
    /// - Parameter bound: the address that the server listens on.
    static func current(listeningOn bound: String) -> ServerHosts {
        var name = [CChar](repeating: 0, count: 256)
        // If the machine has no name, the addresses suffice.
        _ = unsafe gethostname(&name, name.count - 1)
        var addresses = NetworkInterfaces.localNetworkHosts()
        if let address = SocketAddress(host: bound, port: 0), !address.isUnspecified { addresses.append(address.host) }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return ServerHosts(name: String(decoding: bytes, as: UTF8.self), addresses: addresses)
    }

    /// All names and addresses, with the loopback ones that every machine has.
    var all: [String] {
        (["localhost", "127.0.0.1", "::1"] + names + addresses).reduce(into: []) { hosts, host in
            if !hosts.contains(host) { hosts.append(host) }
        }
    }
}
