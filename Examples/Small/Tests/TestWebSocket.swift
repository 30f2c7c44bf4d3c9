import Foundation

/// The least of a WebSocket client that a test needs (RFC 6455): it sends short texts, and shows the bytes that come back.
struct TestWebSocket: ~Copyable {
    private let socket: Int32

    /// Connects and asks for the WebSocket. The response is in the first texts.
    init(port: UInt16, path: String) throws {
        #if canImport(Darwin)
        socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #else
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
        let fields =
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
        try write(Array("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\(fields)\r\n\r\n".utf8))
    }

    deinit { close(socket) }

    /// Sends a text of less than 126 bytes, masked with zeros.
    func send(_ text: String) throws { try write([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + text.utf8) }

    /// Everything that arrives until some text has come.
    func text(until end: String) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains(end) {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw POSIXError(.ETIMEDOUT) }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Foundation.send(socket, bytes, bytes.count, 0) == bytes.count else { throw POSIXError(.EPIPE) }
    }
}
