#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
#if os(Linux)
// The compiler finds a type from <sys/socket.h> in CLinux or in Glibc, depending on the files that it compiles together.
internal import CLinux
#endif

/// The machine's own addresses, for telling a person where to reach a server.
public enum NetworkInterfaces {
    /// The IPv4 addresses at which other machines of the local network reach this one, in the system's order. Only active
    /// interfaces count, without loopback.
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

/// Asks the system for the addresses of a host.
enum HostLookup {
    /// The addresses of a host, in the order recommended by the system. Blocks its thread while the system asks a name server. An
    /// IP address such as `127.0.0.1` needs no lookup.
    ///
    /// - Throws: `ClientConnectionError.unknownHost`.
    static func addresses(of host: String, port: UInt16) throws(ClientConnectionError) -> [SocketAddress] {
        if let address = SocketAddress(host: host, port: port) { return [address] }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = SOCK_STREAM
        var first: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else {
            let reason = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            throw .unknownHost(host, reason: reason)
        }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ai_next
            guard let bytes = unsafe entry.ai_addr else { continue }
            var storage = sockaddr_storage()
            let count = unsafe min(Int(entry.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { storage in
                unsafe storage.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
            }
            guard var address = SocketAddress(storage), !addresses.contains(address) else { continue }
            address.port = port
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw .unknownHost(host, reason: "it has no address") }
        return addresses
    }
}
