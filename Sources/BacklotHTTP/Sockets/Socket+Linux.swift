#if os(Linux)
internal import CLinux
internal import Glibc

let SOCK_STREAM = Int32(Glibc.SOCK_STREAM.rawValue)

extension Socket {
    static func openNonBlocking(family: Int32) throws(SocketError) -> Int32 {
        let flags = SOCK_STREAM | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        return descriptor
    }

    /// Makes a listening socket ignore new handshakes; established connections can still be accepted.
    ///
    /// A client that tries to connect now tries again after a second, and is refused once the socket is closed. Without the
    /// filter, a connection established between the last `accept` and the `close` would be reset.
    func dropHandshakes() {
        // One step: return (BPF_RET | BPF_K) zero bytes of the packet.
        let dropAll = socket_filter_step(code: 0x06, jump_true: 0, jump_false: 0, value: 0)
        unsafe withUnsafePointer(to: dropAll) {
            var filter = unsafe socket_filter(length: 1, steps: $0)
            let size = unsafe socklen_t(MemoryLayout<socket_filter>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, size)
        }
    }

    /// The number of sent bytes that the peer hasn't acknowledged yet.
    var unacknowledged: Int {
        var count: Int32 = 0
        _ = unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count)
        return Int(count)
    }
}

/// Accepts a connection. Its socket never blocks.
func systemAccept(
    _ descriptor: Int32,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: inout socklen_t
) -> Int32 {
    unsafe accept4(descriptor, address, &length, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
}

func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, more: Bool) -> Int {
    unsafe send(descriptor, bytes, count, Int32(more ? MSG_NOSIGNAL | MSG_MORE : MSG_NOSIGNAL))
}

/// Sends bytes of a file. Raises SIGPIPE when the peer has gone, but loops ignore the signal (`BrokenPipes`).
func systemSendFile(_ descriptor: Int32, _ file: Int32, _ offset: Int, _ count: Int) -> Int {
    var offset = off_t(offset)
    return unsafe sendfile(descriptor, file, &offset, count)
}
#endif
