internal import Backlot

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The names and addresses under which a server of this machine is reached.
struct ServerHosts: Equatable {
    /// What this machine is called.
    let name: String
    /// Its names: the one above, and the one of multicast DNS.
    let names: [String]
    /// Its addresses.
    let addresses: [String]

    /// Those of a machine.
    ///
    /// - Parameters:
    ///   - name: what the machine is called.
    ///   - addresses: those of its network interfaces.
    init(name: String, addresses: [String]) {
        let short = name.prefix { $0 != "." }
        self.name = short.isEmpty ? "this machine" : String(short)
        let isLocalhost = short.isEmpty || short == "localhost"
        var names = isLocalhost ? [] : ["\(short).local"]
        if !isLocalhost, !names.contains(name) { names.insert(name, at: 0) }
        self.names = names
        self.addresses = addresses
    }

    /// Those of this machine now.
    ///
    /// - Parameter bound: what the server listens on.
    static func current(listeningOn bound: String) -> ServerHosts {
        var name = [CChar](repeating: 0, count: 256)
        // Without a name, the addresses do.
        _ = unsafe gethostname(&name, name.count - 1)
        var addresses = NetworkInterfaces.localNetworkHosts()
        if let address = SocketAddress(host: bound, port: 0), !address.isUnspecified { addresses.append(address.host) }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return ServerHosts(name: String(decoding: bytes, as: UTF8.self), addresses: addresses)
    }

    /// All of them, and those of every machine for itself.
    var all: [String] {
        (["localhost", "127.0.0.1", "::1"] + names + addresses).reduce(into: []) { hosts, host in
            if !hosts.contains(host) { hosts.append(host) }
        }
    }
}
