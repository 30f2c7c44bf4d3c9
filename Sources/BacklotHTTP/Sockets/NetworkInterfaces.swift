#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The machine's own addresses, for telling a person where a server can be reached.
public enum NetworkInterfaces {
    /// The IPv4 addresses under which other machines of the local network reach this one: of interfaces that are up,
    /// loopback left out, in the system's order.
    public static func localNetworkHosts() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var hosts: [String] = []
        var next = unsafe first
        while let interface = unsafe next?.pointee {
            unsafe next = interface.ifa_next
            let flags = unsafe Int32(truncatingIfNeeded: interface.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
                let address = unsafe interface.ifa_addr, unsafe Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            let v4 = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            hosts.append(SocketAddress(v4.sin_addr, port: 0).host)
        }
        return hosts
    }
}
