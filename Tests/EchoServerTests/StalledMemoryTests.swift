#if os(Linux)
import BacklotHTTP
import Foundation
import TestSupport
import Testing

/// The memory that HTTP/2 clients make a server keep with few bytes (CVE-2026-49975): 8,200 requests of 100 fields. Most fields are
/// one byte that refers to about 300, and the server can't send a response. The measurement needs a separate process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StalledMemoryTests {
    private static let connections = 82
    private static let streams: UInt32 = 100

    /// - Parameters:
    ///   - name: the field that is repeated: any, or a part of the cookie.
    ///   - method: GET, where responses wait for windows; or POST, where handlers wait for bodies.
    ///   - path: whether handlers wait for something else.
    @Test(
        .enabled(if: Patience.factor == 1, "the memory would be that of a sanitizer"),
        arguments: [
            ("a", "GET", "/"), ("cookie", "GET", "/"), ("a", "POST", "/"), ("cookie", "GET", "/slow?ms=60000"),
        ]
    )
    func `Repeated fields of stalled requests take little memory`(
        _ name: String,
        _ method: String,
        _ path: String
    ) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--log-level", "critical"])
        let address = try #require(server.address())
        let before = try memory(server.identifier)
        var clients: [RawClient] = []
        for _ in 0..<Self.connections {
            let client = try await RawClient.connect(to: address)
            try await client.send(Self.wire(name, method, path))
            try await Self.waitForPing(client)
            clients.append(client)
        }
        let stalled = try memory(server.identifier) - before
        // One byte of each response, and then no more.
        let opening = (0..<Self.streams).flatMap { Self.frame(8, 0, 2 * $0 + 1, [0, 0, 0, 1]) }
        for client in clients { try await client.send(opening + Self.ping) }
        for client in clients { try await Self.waitForPing(client) }
        let dripping = try memory(server.identifier) - before
        #expect(max(stalled, dripping) < 64 * 1024 * 1024, "\(stalled) and \(dripping) bytes")
        for client in clients { await client.reset() }
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }

    private func memory(_ process: Int32) throws -> Int {
        // The second number is in pages.
        let text = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            * sysconf(Int32(_SC_PAGESIZE))
    }

    private static let ping = frame(6, 0, 0, Array("12345678".utf8))

    private static func wire(_ name: String, _ method: String, _ path: String) -> [UInt8] {
        let pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "h")]
        let head = pseudo.reduce(into: [UInt8]()) { $0 += [0x00] + string($1.0) + string($1.1) }
        let value = String(repeating: "b", count: 285 - name.utf8.count)
        var wire = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        // Windows of nothing.
        wire += frame(4, 0, 0, [0, 4, 0, 0, 0, 0]) + frame(4, 1, 0, [])
        for index in 0..<streams {
            // The first is remembered, and the newest of the table is number 62.
            let first = index == 0 ? [0x40] + string(name) + string(value) : [0xBE]
            let fields = first + [UInt8](repeating: 0xBE, count: 95)
            wire += frame(1, method == "GET" ? 5 : 4, 2 * index + 1, head + fields)
        }
        return wire + ping
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }
        return bytes(UInt32(payload.count))[1...] + [type, flags] + bytes(stream) + payload
    }

    /// A text without Huffman's code (RFC 7541, sections 5.1 and 5.2).
    private static func string(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        guard count >= 127 else { return [UInt8(count)] + text.utf8 }
        let rest = count - 127
        return (rest < 128 ? [127, UInt8(rest)] : [127, UInt8(rest % 128) | 0x80, UInt8(rest / 128)]) + text.utf8
    }

    /// Reads until the server acknowledges a PING: it has read everything before it by then.
    private static func waitForPing(_ client: RawClient) async throws {
        var bytes: [UInt8] = []
        while true {
            bytes += try await client.receivePiece()
            while bytes.count >= 9 {
                let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
                guard bytes.count >= 9 + length else { break }
                if bytes[3] == 6, bytes[4] == 1 { return }
                try #require(bytes[3] != 7, "the server ended the connection")
                bytes.removeFirst(9 + length)
            }
        }
    }
}
#endif
