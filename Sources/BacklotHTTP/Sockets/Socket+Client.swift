#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a client's socket does before it can be read and written.
extension Socket {
    /// A socket that connects to `address`. It is writable when that has come to an end; `connectionError` says to which.
    ///
    /// - Throws: `SocketError` when it can't even begin.
    static func connecting(to address: SocketAddress) throws(SocketError) -> Socket {
        let family = address.family == .ipv4 ? AF_INET : AF_INET6
        let socket = try Socket(descriptor: openNonBlocking(family: family))
        socket.set(CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        let result = unsafe address.withSystemAddress { unsafe connect(socket.descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            let code = errno
            socket.close()
            throw SocketError(call: "connect", code: code, address: address.description)
        }
        return socket
    }

    /// Why the socket couldn't connect; nil when it is connected.
    func connectionError(to address: SocketAddress) -> SocketError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result != 0 { code = errno }
        return code == 0 ? nil : SocketError(call: "connect", code: code, address: address.description)
    }
}
