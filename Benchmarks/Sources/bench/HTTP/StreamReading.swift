/// Reads a streamed answer as it comes, and finds its end, for one request on a connection.
///
/// A value without I/O. It counts bytes and keeps none: a client that is always faster than the server.
struct StreamReading {
    /// What the client speaks.
    enum Version: String, CaseIterable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    /// What ends the chunks of HTTP/1.1.
    private static let lastChunk = Array("\r\n0\r\n\r\n".utf8)
    private static let headLength = 9
    private static let mostWindow: UInt32 = 0x7FFF_FFFF

    let version: Version
    /// How many bytes have come, heads and frames included.
    private(set) var count = 0
    /// Whether the answer is whole.
    private(set) var isWhole = false
    /// The end of what has come, or the head of a frame that is not whole.
    private var pending: [UInt8] = []
    /// How many bytes of a frame's payload have yet to come, and whether it is the last.
    private var payload = 0
    private var isLast = false

    init(_ version: Version) {
        self.version = version
    }

    /// The bytes that ask for `path`; over HTTP/2 with windows that let everything through.
    static func request(_ path: String, _ version: Version) -> [UInt8] {
        guard version == .http2 else { return Array("GET \(path) HTTP/1.1\r\nHost: bench\r\n\r\n".utf8) }
        let fields = [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "bench")]
        // Literals without indexing (RFC 7541, section 6.2.2), all shorter than 127 bytes.
        var list: [UInt8] = []
        for (name, value) in fields {
            list += [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            + frame(type: 4, flags: 0, stream: 0, [0, 4] + bytes(mostWindow))
            + frame(type: 8, flags: 0, stream: 0, bytes(mostWindow - 65_535))
            + frame(type: 1, flags: 5, stream: 1, list)
    }

    private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    /// Takes what has come.
    /// - Throws: ``CheckFailure`` if the server resets the stream.
    mutating func add(_ bytes: ArraySlice<UInt8>) throws {
        count += bytes.count
        switch version {
        case .http1:
            pending = Array((pending + bytes.suffix(Self.lastChunk.count)).suffix(Self.lastChunk.count))
            isWhole = pending == Self.lastChunk
        case .http2: try addFrames(bytes)
        }
    }

    private mutating func addFrames(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty, !isWhole {
            if payload > 0 {
                let part = min(payload, rest.count)
                payload -= part
                rest = rest.dropFirst(part)
            } else {
                let part = rest.prefix(Self.headLength - pending.count)
                pending += part
                rest = rest.dropFirst(part.count)
                guard pending.count == Self.headLength else { return }
                guard pending[3] != 3, pending[3] != 7 else { throw CheckFailure("the server has reset a stream") }
                payload = Int(pending[0]) << 16 | Int(pending[1]) << 8 | Int(pending[2])
                isLast = pending[3] == 0 && pending[4] & 1 != 0
                pending = []
            }
            isWhole = isLast && payload == 0
        }
    }
}
