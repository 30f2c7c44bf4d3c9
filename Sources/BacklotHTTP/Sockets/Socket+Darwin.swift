#if canImport(Darwin)
internal import Darwin

extension Socket {
    static func openNonBlocking(family: Int32) throws(SocketError) -> Int32 {
        let descriptor = socket(family, SOCK_STREAM, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        prepare(descriptor)
        return descriptor
    }

    /// The number of sent bytes that the peer hasn't acknowledged yet.
    var unacknowledged: Int {
        var count: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
        return Int(count)
    }

    /// Does nothing: Darwin has no such filter.
    func dropHandshakes() {}

    /// Sets both properties on each descriptor: Darwin has neither SOCK_NONBLOCK nor MSG_NOSIGNAL.
    fileprivate static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        Socket(descriptor: descriptor).set(SOL_SOCKET, SO_NOSIGPIPE, 1)
    }
}

/// Accepts a connection. Its socket never blocks.
func systemAccept(
    _ descriptor: Int32,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: inout socklen_t
) -> Int32 {
    let accepted = unsafe accept(descriptor, address, &length)
    guard accepted >= 0 else { return accepted }
    Socket.prepare(accepted)
    Socket(descriptor: accepted).set(IPPROTO_TCP, TCP_NODELAY, 1)
    Socket(descriptor: accepted).set(IPPROTO_TCP, TCP_NOTSENT_LOWAT, Socket.unsentBytes)
    return accepted
}

func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, more: Bool) -> Int {
    unsafe send(descriptor, bytes, count, 0)
}

/// Sends bytes of a file. Darwin returns the number of sent bytes even if the call fails because the buffer is full.
func systemSendFile(_ descriptor: Int32, _ file: Int32, _ offset: Int, _ count: Int) -> Int {
    var sent = off_t(count)
    let result = unsafe sendfile(file, descriptor, off_t(offset), &sent, nil, 0)
    return result == 0 || sent > 0 ? Int(sent) : -1
}
#endif
