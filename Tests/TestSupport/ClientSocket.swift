internal import BacklotHTTP
internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A blocking TCP socket of a client, and the system calls on it. Every call gives up after `timeout`.
struct ClientSocket: Sendable {
    enum Received: Equatable, Sendable {
        case bytes([UInt8])
        case end(ConnectionEnd)
    }

    let descriptor: Int32
    private(set) var tls: ClientTLS?
    // Separate queues: a client that waits must never keep another, or its own sending, from running.
    private let sending = DispatchQueue(label: "client.sending")
    private let receiving = DispatchQueue(label: "client.receiving")

    init(
        connectedTo address: SocketAddress,
        timeout: Duration,
        receiveBuffer: Int32?,
        tls settings: ClientTLSSettings? = nil
    ) throws(RawClientError) {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(address.family == .ipv4 ? AF_INET : AF_INET6, stream, 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        set(CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        if let receiveBuffer { set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
        #if canImport(Darwin)
        set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        setTimeout(timeout)
        guard Self.connect(descriptor, address) == 0 else {
            let code = errno
            close()
            throw .system("connect", code)
        }
        guard let settings else { return }
        do throws(RawClientError) {
            if !settings.before.isEmpty { try sendPastTLS(settings.before) }
            tls = try ClientTLS(settings, on: descriptor, timeout: timeout)
        } catch {
            close()
            throw error
        }
    }

    private static func connect(_ descriptor: Int32, _ address: SocketAddress) -> Int32 {
        switch address.family {
        case .ipv4:
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = address.port.bigEndian
            unsafe inet_pton(AF_INET, address.host, &system.sin_addr)
            return unsafe withUnsafeBytes(of: &system) {
                unsafe connectSocket(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, $0.count)
            }
        case .ipv6:
            var system = sockaddr_in6()
            system.sin6_family = sa_family_t(AF_INET6)
            system.sin6_port = address.port.bigEndian
            unsafe inet_pton(AF_INET6, address.host, &system.sin6_addr)
            return unsafe withUnsafeBytes(of: &system) {
                unsafe connectSocket(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, $0.count)
            }
        }
    }

    func setTimeout(_ timeout: Duration) {
        let (seconds, attoseconds) = timeout.components
        var time = timeval()
        time.tv_sec = Int(seconds)
        time.tv_usec = numericCast(attoseconds / 1_000_000_000_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    func send(_ bytes: [UInt8]) throws(RawClientError) {
        if let tls { return try tls.send(bytes) }
        try sendPastTLS(bytes)
    }

    func sendPastTLS(_ bytes: [UInt8]) throws(RawClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe sendToSocket(descriptor, $0.baseAddress.map { unsafe $0 + sent }, $0.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("send", errno) }
            sent += count
        }
    }

    func receive(upTo count: Int) throws(RawClientError) -> Received {
        if let tls { return try tls.receive(upTo: count) }
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end(.closed) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .end(.stillOpen)
            case ECONNRESET, EPIPE: return .end(.reset)
            default: throw .system("recv", errno)
            }
        }
    }

    #if os(Linux)
    /// In how many segments bytes have come so far: `tcpi_data_segs_in` of <linux/tcp.h>, which the C library's own structure lacks.
    var segmentsReceived: Int {
        var information = [UInt32](repeating: 0, count: 64)
        var length = socklen_t(information.count * MemoryLayout<UInt32>.size)
        unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &information, &length)
        return Int(information[152 / MemoryLayout<UInt32>.size])
    }
    #endif

    /// Runs a call that sends where it may block.
    func whileSending<Result: Sendable>(
        _ call: @escaping @Sendable (ClientSocket) throws -> Result
    ) async throws -> Result {
        try await run(call, on: sending)
    }

    /// Runs a call that receives where it may block.
    func whileReceiving<Result: Sendable>(
        _ call: @escaping @Sendable (ClientSocket) throws -> Result
    ) async throws -> Result {
        try await run(call, on: receiving)
    }

    private func run<Result: Sendable>(
        _ call: @escaping @Sendable (ClientSocket) throws -> Result,
        on queue: DispatchQueue
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try call(self) }) }
        }
    }

    func shutdownSending() {
        tls?.shutdownSending()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func close() {
        closeSocket(descriptor)
    }

    private func set(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: Int) -> Int32 {
    unsafe connect(descriptor, address, socklen_t(length))
}

private func sendToSocket(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    unsafe send(descriptor, bytes, count, 0)
    #else
    unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}

private func closeSocket(_ descriptor: Int32) {
    close(descriptor)
}
