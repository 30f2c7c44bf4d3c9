public import BacklotHTTP

/// A request over HTTP/2, for tests that need only the status of the response because both versions of HTTP behave the same.
///
/// It writes its frames itself, and reads only the beginning of the response's header list.
public struct HTTP2Request: Sendable {
    /// The bytes have no response that this type can read.
    public struct Unreadable: Error {
        /// The bytes from the server.
        public let bytes: [UInt8]
    }

    /// The request as it goes over the wire, after the preface of the connection.
    public let wire: [UInt8]

    /// - Parameters:
    ///   - fields: further header fields, in lower case; of less than 127 bytes each.
    ///   - isWhole: whether the request ends with its head; otherwise its body never comes.
    public init(
        method: String = "GET",
        _ path: String,
        _ fields: [(String, String)] = [],
        isWhole: Bool = true
    ) {
        let pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost")]
        var list: [UInt8] = []
        for (name, value) in pseudo + fields {
            // A literal that is not indexed (RFC 7541, section 6.2.2).
            list.append(0)
            for text in [name, value] {
                list.append(UInt8(text.utf8.count))
                list += text.utf8
            }
        }
        var wire = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        wire += [0, 0, 0, 4, 0, 0, 0, 0, 0]
        wire += [0, UInt8(list.count >> 8), UInt8(list.count & 255), 1, isWhole ? 0x05 : 0x04, 0, 0, 0, 1]
        self.wire = wire + list
    }

    /// Sends it over a new connection, and returns the status of the response.
    public func status(at address: SocketAddress) async throws -> Int {
        let client = try await RawClient.connect(to: address)
        try await client.send(wire)
        var bytes: [UInt8] = []
        while true {
            let piece = try await client.receivePiece()
            bytes += piece
            if let status = try Self.status(in: bytes) {
                await client.close()
                return status
            }
            if piece.isEmpty { throw Unreadable(bytes: bytes) }
        }
    }

    /// The status in the first HEADERS frame; nil while that isn't there.
    private static func status(in bytes: [UInt8]) throws -> Int? {
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let payload = rest.dropFirst(9).prefix(length)
            guard payload.count == length else { return nil }
            if head[3] == 1 { return try status(inList: Array(payload)) }
            rest = rest.dropFirst(9 + length)
        }
        return nil
    }

    /// RFC 7541, appendix A: 8 to 14 are the statuses of the static table.
    private static func status(inList list: [UInt8]) throws -> Int {
        let known = [0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500]
        if let first = list.first, let status = known[Int(first)] { return status }
        // A literal with the name of the static table, and three digits that Huffman's code makes no shorter.
        guard list.count >= 5, [0x48, 0x08].contains(list[0]), list[1] == 3,
            let status = Int(String(decoding: list[2..<5], as: UTF8.self))
        else { throw Unreadable(bytes: list) }
        return status
    }
}
