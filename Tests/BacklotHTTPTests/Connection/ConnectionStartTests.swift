import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// The steps before the first request, without a loop: what they take of the client's bytes, and what follows them.
@Suite(.timeLimit(.minutes(5))) struct ConnectionStartTests {
    private static let server = ServerContext(
        handler: FunctionHandler { _ in .text("") },
        configuration: ServerConfiguration(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    private static let proxy = "PROXY TCP4 192.0.2.7 127.0.0.1 4711 80\r\n"
    private static let request = "GET / HTTP/1.1\r\n\r\n"

    private struct Row {
        let bytes: String
        var hasProxyHeader = true
        var hasTLS = false
        /// The results of `advance`, as `spelled` names them.
        let progress: [String]
        /// The bytes that are left for what follows.
        let rest: String
    }

    private static let rows = [
        Row(bytes: "", hasProxyHeader: false, progress: ["clear text"], rest: ""),
        Row(bytes: request, hasProxyHeader: false, progress: ["clear text"], rest: request),
        Row(bytes: "", hasProxyHeader: false, hasTLS: true, progress: ["waits"], rest: ""),
        Row(bytes: request, hasProxyHeader: false, hasTLS: true, progress: ["clear text"], rest: request),
        Row(bytes: "\u{16}\u{3}\u{1}", hasProxyHeader: false, hasTLS: true, progress: ["waits, handshake"], rest: ""),
        Row(bytes: "", progress: ["waits"], rest: ""),
        Row(bytes: "PROXY TCP4 192.0", progress: ["waits"], rest: ""),
        Row(bytes: proxy, progress: ["192.0.2.7:4711", "clear text"], rest: ""),
        Row(bytes: proxy + request, progress: ["192.0.2.7:4711", "clear text"], rest: request),
        Row(bytes: proxy, hasTLS: true, progress: ["192.0.2.7:4711", "waits"], rest: ""),
        Row(bytes: proxy + request, hasTLS: true, progress: ["192.0.2.7:4711", "clear text"], rest: request),
        Row(bytes: "PROXY UNKNOWN\r\n" + request, progress: ["clear text"], rest: request),
        Row(bytes: request, progress: ["refused"], rest: request),
    ]

    @Test(arguments: rows.indices, [false, true]) func `A connection starts in the same steps however its bytes come`(
        _ index: Int,
        _ isByteByByte: Bool
    ) throws {
        let row = Self.rows[index]
        let context = row.hasTLS ? try TLSPair.server() : nil
        let pair = SocketPair()
        let (socket, client) = (Socket(descriptor: pair.descriptors[0]), Socket(descriptor: pair.descriptors[1]))
        let start = ConnectionStart(hasProxyHeader: row.hasProxyHeader, Self.server)
        var (buffer, progress) = ([UInt8](repeating: 0, count: 8192), ["waits"])
        let bytes = Array(row.bytes.utf8)
        for piece in isByteByByte && !bytes.isEmpty ? bytes.map({ [$0] }) : [bytes] {
            _ = client.send(piece.span)
            guard progress.last?.hasPrefix("waits") ?? false else { continue }
            progress.removeLast()
            repeat {
                let next = start.advance(on: socket, context, using: &buffer)
                progress.append(Self.spelled(next) + (start.isHandshake ? ", handshake" : ""))
            } while progress.last?.contains(":") ?? false
        }
        #expect(progress == row.progress)
        let count = if case .bytes(let count) = socket.receive(into: &buffer) { count } else { 0 }
        #expect(String(decoding: buffer[..<count], as: UTF8.self) == row.rest)
    }

    private static func spelled(_ progress: ConnectionStart.Progress) -> String {
        switch progress {
        case .waits(let readiness): readiness == .readable ? "waits" : "waits to write"
        case .named(let client, let isEncrypted): "\(client)\(isEncrypted ? ", TLS" : "")"
        case .ended(let session): session == nil ? "clear text" : "TLS"
        case .handshakeFailed: "failed"
        case .refused: "refused"
        case .gone: "gone"
        }
    }

    @Test func `A handshake ends or fails`() throws {
        for (isRight, expected) in [(true, "TLS, handshake"), (false, "failed, handshake")] {
            let pair = SocketPair()
            let (socket, peer) = (Socket(descriptor: pair.descriptors[0]), Socket(descriptor: pair.descriptors[1]))
            let client = TLSSession.client(try TLSPair.client(), on: peer, host: "localhost")
            let start = ConnectionStart(hasProxyHeader: false, Self.server)
            let context = try TLSPair.server()
            var buffer = [UInt8](repeating: 0, count: 8192)
            var last = ""
            for _ in 0..<10 where !last.hasPrefix("TLS") && !last.hasPrefix("failed") {
                if isRight { _ = client.handshake() } else { _ = peer.send(Array("\u{16}no TLS at all".utf8).span) }
                last = Self.spelled(start.advance(on: socket, context, using: &buffer))
                if start.isHandshake { last += ", handshake" }
            }
            #expect(last == expected)
        }
    }

    @Test func `A peer that closes at the start is gone`() {
        for hasProxyHeader in [false, true] {
            let pair = SocketPair()
            Socket(descriptor: pair.descriptors[1]).shutdownSending()
            let start = ConnectionStart(hasProxyHeader: hasProxyHeader, Self.server)
            var buffer = [UInt8](repeating: 0, count: 8192)
            let progress = start.advance(
                on: Socket(descriptor: pair.descriptors[0]),
                try? TLSPair.server(),
                using: &buffer
            )
            #expect(Self.spelled(progress) == "gone")
        }
    }

    @Test func `An incomplete PROXY header counts as buffered until the start ends`() {
        let pair = SocketPair()
        let server = ServerContext(
            handler: Self.server.handler,
            configuration: ServerConfiguration(),
            logger: Self.server.logger
        )
        do {
            let start = ConnectionStart(hasProxyHeader: true, server)
            var buffer = [UInt8](repeating: 0, count: 8192)
            _ = Socket(descriptor: pair.descriptors[1]).send(Array("PROXY TCP4 ".utf8).span)
            _ = start.advance(on: Socket(descriptor: pair.descriptors[0]), nil, using: &buffer)
            #expect(server.buffers.use >= 11)
        }
        #expect(server.buffers.use == 0)
    }
}
