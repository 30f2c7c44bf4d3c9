import Backlot

extension SocketAddress {
    /// Whether only programs on this machine can reach it.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// The hosts for reaching a server that listens here, from other devices if possible: at least one.
    var reachableHosts: [String] {
        guard isUnspecified else { return [host] }
        let hosts = NetworkInterfaces.localNetworkHosts()
        return hosts.isEmpty ? [ownHost] : hosts
    }

    /// The host for reaching a server that listens here from this machine.
    var ownHost: String { isUnspecified ? (host.contains(":") ? "::1" : "127.0.0.1") : host }

    /// A host with the port, in the notation of URLs.
    func authority(_ host: String) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
