import Backlot

extension SocketAddress {
    /// Whether only programs on this machine can reach the address.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// The hosts at which clients reach a server that listens on this address; at least one. For an unspecified address such as
    /// `0.0.0.0`, these are the machine's hosts in the local network, or the loopback address without a network.
    var reachableHosts: [String] {
        guard isUnspecified else { return [host] }
        let hosts = NetworkInterfaces.localNetworkHosts()
        return hosts.isEmpty ? [ownHost] : hosts
    }

    /// The host at which clients on this machine reach a server that listens on this address.
    var ownHost: String { isUnspecified ? (host.contains(":") ? "::1" : "127.0.0.1") : host }

    /// A host with this address's port, as URLs write it.
    func authority(_ host: String) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
