import Backlot

extension SocketAddress {
    /// Whether only programs of this machine reach it.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Where a server that listens here is reached, by other devices where it can be: at least one host.
    var reachableHosts: [String] {
        guard isUnspecified else { return [host] }
        let hosts = NetworkInterfaces.localNetworkHosts()
        return hosts.isEmpty ? [ownHost] : hosts
    }

    /// Where programs of this machine reach a server that listens here.
    var ownHost: String { isUnspecified ? (host.contains(":") ? "::1" : "127.0.0.1") : host }

    /// A host, with the port, as URLs have them.
    func authority(_ host: String) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
