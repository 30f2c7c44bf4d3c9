/// The header of the PROXY protocol. With it, a load balancer names its client's address before anything else (HAProxy's
/// proxy-protocol.txt, versions 1 and 2). A value without I/O.
enum ProxyHeader {
    /// The facts about a connection that a header has stated, for each of its requests. The host of a handler states them too.
    enum Statement: RequestAttribute {
        /// - Parameters:
        ///   - proxy: the other end of the socket, if the header has named another address as the client's.
        ///   - isEncrypted: whether the client's connection to the proxy is.
        typealias Value = (proxy: SocketAddress?, isEncrypted: Bool)
    }

    /// The progress of reading the header.
    enum Progress: Equatable {
        /// All bytes belong to the header, and more are needed.
        case incomplete
        /// The header has this many bytes. It names the client's address, if it has one.
        case complete(length: Int, client: SocketAddress?, isEncrypted: Bool = false)
        case malformed(String)
    }

    /// The maximum number of bytes of a header, including those that version 2 allows after the addresses.
    static let longest = 4096
    /// The limit of version 1 (section 2.1).
    private static let longestLine = 107
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

    /// Reads the available part of the header.
    static func read(_ bytes: Span<UInt8>) -> Progress {
        if begins(bytes, signature) { return readBinary(bytes) }
        if begins(bytes, Array("PROXY ".utf8)) { return readLine(bytes) }
        return .malformed("it doesn't begin with a header of the PROXY protocol, which proxyProtocolSources requires")
    }

    /// Whether `bytes` begin with `start`, or are the beginning of it.
    private static func begins(_ bytes: Span<UInt8>, _ start: [UInt8]) -> Bool {
        for index in 0..<min(bytes.count, start.count) where bytes[index] != start[index] { return false }
        return true
    }

    // MARK: Version 1

    private static let noLine = Progress.malformed("the PROXY header is not a line of at most 107 bytes")

    private static func readLine(_ bytes: Span<UInt8>) -> Progress {
        for index in 0..<min(bytes.count, longestLine) where bytes[index] == ASCII.lineFeed {
            guard index > 0, bytes[index - 1] == ASCII.carriageReturn else { return noLine }
            return readWords(bytes.string(0..<(index - 1)), length: index + 1)
        }
        return bytes.count < longestLine ? .incomplete : noLine
    }

    private static func readWords(_ line: String, length: Int) -> Progress {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if words.count >= 2, words[1] == "UNKNOWN" { return .complete(length: length, client: nil) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6",
            let client = address(words[2], words[4], isV6: words[1] == "TCP6"),
            address(words[3], words[5], isV6: words[1] == "TCP6") != nil
        else { return .malformed("the PROXY header can't be read: '\(line)'") }
        return .complete(length: length, client: client)
    }

    private static func address(_ host: String, _ port: String, isV6: Bool) -> SocketAddress? {
        guard port.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(port), host != "localhost", !host.hasPrefix("["),
            let address = SocketAddress(host: host, port: port), (address.family == .ipv6) == isV6
        else { return nil }
        return address.unmapped
    }

    // MARK: Version 2

    private static func readBinary(_ bytes: Span<UInt8>) -> Progress {
        guard bytes.count >= 16 else { return .incomplete }
        let (version, command) = (bytes[12] >> 4, bytes[12] & 15)
        guard version == 2, command <= 1 else {
            return .malformed("the PROXY header has an unknown version or command (\(bytes[12]))")
        }
        let length = 16 + Int(bytes[14]) << 8 + Int(bytes[15])
        guard length <= longest else { return .malformed("the PROXY header has \(length) bytes, more than \(longest)") }
        guard bytes.count >= length else { return .incomplete }
        // LOCAL: the connection is the load balancer's own.
        guard command == 1 else { return .complete(length: length, client: nil) }
        // Local sockets, datagrams and unknown kinds don't name a client's address (section 2.2).
        guard let octets = [0x11: 4, 0x21: 16][bytes[13]] else { return .complete(length: length, client: nil) }
        guard length >= 20 + 2 * octets else {
            return .malformed("the PROXY header is too short for two \(octets == 4 ? "IPv4" : "IPv6") addresses")
        }
        return .complete(
            length: length,
            client: address(bytes, octets: octets),
            isEncrypted: isEncrypted(bytes.extracting((16 + 2 * octets + 4)..<length))
        )
    }

    /// Whether PP2_TYPE_SSL is among the values after the addresses, and says that the client speaks TLS (section 2.2.6).
    private static func isEncrypted(_ values: Span<UInt8>) -> Bool {
        var index = 0
        while index + 3 <= values.count {
            let end = index + 3 + Int(values[index + 1]) << 8 + Int(values[index + 2])
            if values[index] == 0x20, end <= values.count, end >= index + 8 { return values[index + 3] & 1 == 1 }
            index = end
        }
        return false
    }

    private static func address(_ bytes: Span<UInt8>, octets count: Int) -> SocketAddress? {
        let port = UInt16(bytes[16 + 2 * count]) << 8 | UInt16(bytes[17 + 2 * count])
        return SocketAddress(octets: Array(copying: bytes.extracting(16..<(16 + count))), port: port)
    }
}
