public import BacklotHTTP
internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A TCP server that sends a test's bytes unchanged, for tests of clients with bytes that no server should send.
///
/// It speaks TCP, or TLS with a certificate. It takes connections one after the other, each on its thread, until it is stopped.
public final class RawServer: Sendable {
    /// One connection, as the server's script sees it. Its calls block.
    public struct Connection: Sendable {
        let descriptor: Int32
        let tls: ServerTLS?

        /// Receives up to the end of a request's head, and returns what has come; less where the client has gone.
        public func receiveHead() -> String {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = receive(upTo: 1).first {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Receives some bytes; none where the client has gone.
        public func receive(upTo count: Int) -> [UInt8] {
            if let tls { return tls.receive(upTo: count) }
            var buffer = [UInt8](repeating: 0, count: count)
            let received = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            return Array(buffer.prefix(max(0, received)))
        }

        /// Receives exactly so many bytes, or fewer where the client has gone.
        public func receive(exactly count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let piece = receive(upTo: count - bytes.count)
                if piece.isEmpty { break }
                bytes += piece
            }
            return bytes
        }

        /// Sends all bytes.
        ///
        /// - Returns: false where the client has gone.
        @discardableResult
        public func send(_ bytes: [UInt8]) -> Bool {
            if let tls { return tls.send(bytes) }
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes.withUnsafeBytes {
                    unsafe sendToClient(descriptor, $0.baseAddress.map { unsafe $0 + sent }, $0.count - sent)
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Sends a text in UTF-8.
        ///
        /// - Returns: false where the client has gone.
        @discardableResult
        public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Makes the end of the connection a reset.
        public func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// The address that it listens on.
    public let address: SocketAddress
    private let descriptor: Int32
    private let hasStopped = Locked(false)
    private let queue = DispatchQueue(label: "raw-server")

    /// Starts to listen on a free port of 127.0.0.1, and calls `script` with each connection. The connection closes after it.
    ///
    /// - Parameters:
    ///   - identity: the certificate to speak TLS with; nil for plain TCP. A client that refuses it never reaches `script`.
    ///   - saysGoodbye: whether TLS ends before the connection does, as it should.
    public init(
        tls identity: TestIdentity? = nil,
        saysGoodbye: Bool = true,
        _ script: @escaping @Sendable (Connection) -> Void
    ) throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw RawClientError.system("socket", errno) }
        var system = sockaddr_in()
        system.sin_family = sa_family_t(AF_INET)
        unsafe inet_pton(AF_INET, "127.0.0.1", &system.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutableBytes(of: &system) { bytes in
            let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard unsafe bind(listener, address, length) == 0, listen(listener, 16) == 0 else { return false }
            return unsafe getsockname(listener, address, &length) == 0
        }
        guard bound, let address = SocketAddress(host: "127.0.0.1", port: UInt16(bigEndian: system.sin_port)) else {
            let code = errno
            closeDescriptor(listener)
            throw RawClientError.system("bind", code)
        }
        self.address = address
        descriptor = listener
        queue.async {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                DispatchQueue(label: "raw-server.connection").async {
                    defer { closeDescriptor(connection) }
                    let tls = identity.flatMap { ServerTLS($0, on: connection) }
                    guard identity == nil || tls != nil else { return }
                    script(Connection(descriptor: connection, tls: tls))
                    if saysGoodbye { tls?.shutDown() }
                }
            }
            closeDescriptor(listener)
        }
    }

    deinit { stop() }

    /// Takes no more connections.
    public func stop() {
        let isFirst = hasStopped.withLock { hasStopped in
            defer { hasStopped = true }
            return !hasStopped
        }
        // Later the descriptor may be somebody else's.
        guard isFirst else { return }
        // Unlike close, it wakes the thread that waits in accept.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}

private func sendToClient(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    unsafe send(descriptor, bytes, count, 0)
    #else
    unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
