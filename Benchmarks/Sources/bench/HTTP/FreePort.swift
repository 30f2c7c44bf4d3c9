import Glibc

/// Finds a port for a server that can't pick one itself.
enum FreePort {
    /// A port of 127.0.0.1 that nobody listens on at this moment.
    /// - Throws: ``ConnectionFailure``
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw ConnectionFailure(step: "socket", number: errno) }
        defer { close(descriptor) }
        // As servers do: a port counts as free although connections that were closed a minute ago still wait on it.
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard result else { throw ConnectionFailure(step: "bind", number: errno) }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}
