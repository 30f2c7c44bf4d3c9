#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

#if os(Linux)
// The module of a type from <sys/socket.h> depends on the files that are compiled together with this one.
internal import CLinux
#endif

/// A TCP socket: the system's descriptor, and the calls that the server makes on it.
///
/// Every socket is non-blocking. Its owner closes it; a copy is the same socket.
struct Socket: Hashable, Sendable {
    let descriptor: Int32

    /// The outcome of receiving or sending.
    enum Outcome: Equatable {
        /// The number of bytes at the start of the buffer, or of bytes accepted, which may be fewer than offered.
        case bytes(Int)
        /// The peer has sent its last byte.
        case end
        /// There is nothing to read now, or the system's buffer is full.
        case wouldBlock
        /// The connection is broken.
        case failed
    }

    /// The number of unsent bytes that the system buffers for a client, besides those already in transit.
    static let unsentBytes: Int32 = 256 * 1024

    /// Creates a socket that listens on `address`.
    ///
    /// - Throws: `SocketError` when the address is in use, is not this machine's, or needs a privilege.
    static func listening(on address: SocketAddress, backlog: Int32) throws(SocketError) -> Socket {
        let family = address.family == .ipv4 ? AF_INET : AF_INET6
        let socket = try Socket(descriptor: openNonBlocking(family: family))
        do {
            socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
            // Linux applies both to each accepted connection, which saves system calls.
            socket.set(CInt(IPPROTO_TCP), TCP_NODELAY, 1)
            // Otherwise the system would buffer megabytes for a client that reads slowly.
            socket.set(CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytes)
            // "::" also serves IPv4, regardless of the system's default for new sockets.
            if address.family == .ipv6 { socket.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            try check("bind", address) { unsafe address.withSystemAddress { unsafe bind(socket.descriptor, $0, $1) } }
            try check("listen", address) { listen(socket.descriptor, backlog) }
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    /// The address that the socket is bound to, with the port that the system chose.
    func localAddress() throws(SocketError) -> SocketAddress {
        let (result, address) = unsafe SocketAddress.filled { unsafe getsockname(descriptor, $0, &$1) }
        guard result == 0, let address else { throw SocketError(call: "getsockname", code: errno) }
        return address
    }

    /// The next waiting connection, with its peer's address; nil when no connection waits.
    func accept() throws(SocketError) -> (Socket, SocketAddress)? {
        while true {
            let (accepted, address) = unsafe SocketAddress.filled { unsafe systemAccept(descriptor, $0, &$1) }
            if accepted >= 0 {
                let socket = Socket(descriptor: accepted)
                if let address { return (socket, address) }
                socket.close()
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw SocketError(call: "accept", code: errno)
            }
        }
    }

    /// Repeats a system call until no signal interrupts it.
    ///
    /// - Parameters:
    ///   - zero: the outcome if the call moves no bytes.
    ///   - call: returns the number of bytes, or a negative number and sets `errno`.
    @inline(__always)
    private func outcome(zero: Outcome, _ call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return zero }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed
            }
        }
    }

    /// Reads as many bytes as are available and fit into the start of `buffer`.
    func receive(into buffer: inout [UInt8]) -> Outcome { receive(into: &buffer, upTo: .max, flags: 0) }

    /// Reads at most `count` bytes into the start of `buffer`, and leaves them to be received again.
    func peek(into buffer: inout [UInt8], upTo count: Int) -> Outcome {
        receive(into: &buffer, upTo: count, flags: Int32(MSG_PEEK))
    }

    /// Removes bytes that were peeked at.
    func skip(_ count: Int, using buffer: inout [UInt8]) { _ = receive(into: &buffer, upTo: count, flags: 0) }

    @inline(__always)
    private func receive(into buffer: inout [UInt8], upTo most: Int, flags: Int32) -> Outcome {
        outcome(zero: .end) {
            unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, min(most, $0.count), flags) }
        }
    }

    /// Whether unread bytes have arrived.
    var hasInput: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0
    }

    /// Sends as many of `bytes` as the system's buffer accepts.
    ///
    /// - Parameter more: whether more bytes follow at once, so that the system may send both together.
    func send(_ bytes: Span<UInt8>, more: Bool = false) -> Outcome {
        outcome(zero: .bytes(0)) {
            unsafe bytes.withUnsafeBytes { unsafe systemSend(descriptor, $0.baseAddress, $0.count, more: more) }
        }
    }

    /// Sends as many bytes of an open file as the system's buffer accepts; 0 bytes at the file's end.
    func send(_ file: Int32, from offset: Int, count: Int) -> Outcome {
        outcome(zero: .bytes(0)) { systemSendFile(descriptor, file, offset, count) }
    }

    /// Closes the sending side. The peer's bytes can still be read.
    func shutdownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Gives the descriptor back to the system.
    func close() {
        systemClose(descriptor)
    }

    /// Makes the following `close` send a reset and drop unsent bytes.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func set(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func check(
        _ call: String,
        _ address: SocketAddress,
        _ body: () -> Int32
    ) throws(SocketError) {
        guard body() == 0 else { throw SocketError(call: call, code: errno, address: address.description) }
    }
}

/// Calls `close`, which `Socket.close` hides.
private func systemClose(_ descriptor: Int32) {
    close(descriptor)
}

/// Connecting as a client.
extension Socket {
    /// Creates a socket that connects to `address`. It becomes writable when it has connected or failed; `connectionError` tells
    /// which.
    ///
    /// - Throws: `SocketError` if the attempt fails at once.
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

    /// The reason why the socket couldn't connect; nil when it is connected.
    func connectionError(to address: SocketAddress) -> SocketError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result != 0 { code = errno }
        return code == 0 ? nil : SocketError(call: "connect", code: code, address: address.description)
    }
}
