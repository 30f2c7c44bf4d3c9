internal import Foundation

/// Ports for servers that restart at the same address, or can't choose a port themselves.
public enum FreePort {
    /// The system doesn't give these to other sockets: its own range begins at 32768.
    private static let ports: ClosedRange<UInt16> = 20_000...31_999

    /// A free port of 127.0.0.1.
    public static func find() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: ports)
            if isFree(port) { return port }
        }
        throw RawClientError.system("bind", EADDRINUSE)
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, streamType, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutableBytes(of: &address) { bytes -> Bool in
            guard let pointer = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return unsafe bind(descriptor, pointer, length) == 0
        }
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    #endif
}
