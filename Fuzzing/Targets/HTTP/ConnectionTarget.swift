import Logging
import TestSupport

@testable import BacklotHTTP

extension FuzzTarget {
    /// A whole server, on a socket: every connection ends in order once the client has sent its last byte, whatever came
    /// before that, HTTP/2 included; and over HTTP/1 no cut changes the answers.
    static let connection = FuzzTarget(name: "connection") { input async throws(Violation) in
        let server: RunningServer
        do { server = try FuzzedServer.shared.get() } catch { throw Violation(description: "no server: \(error)") }
        let whole = try await FuzzedServer.exchange(input, cut: input.count, with: server.address)
        let speaksHTTP2 = input.contains("PRI * HTTP/2.0\r\n".utf8)
        guard !speaksHTTP2, !FuzzedServer.streams(input), !whole.isEmpty else { return !whole.isEmpty }
        try require(whole.hasPrefix("HTTP/1.1 "), "no answer: \(whole.prefix(100).debugDescription)")
        let place = Cuts.some(of: input)[1][0]
        let inPieces = try await FuzzedServer.exchange(input, cut: place, with: server.address)
        try require(inPieces == whole, "cut at \(place): \(inPieces.debugDescription), not \(whole.debugDescription)")
        return true
    }
}

private enum FuzzedServer {
    static let shared = Result {
        var configuration = ServerConfiguration()
        configuration.eventLoops = 1
        let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        let handler = FunctionHandler { request in
            let body = request.body
            guard request.path == "/stream" else { return Response(body: .bytes(try await body.collect())) }
            return Response(
                body: .stream { writer in for try await piece in body { try await writer.write(piece) } }
            )
        }
        return try Server(handler, port: 0, configuration: configuration, logger: logger).start()
    }

    /// Whether there are answers whose pieces depend on those of the request.
    static func streams(_ input: [UInt8]) -> Bool { input.contains("/stream".utf8) }

    /// What comes back, but for what depends on the time.
    static func exchange(
        _ input: [UInt8],
        cut: Int,
        with address: SocketAddress
    ) async throws(Violation) -> String {
        let received: (bytes: [UInt8], end: ConnectionEnd)
        do {
            let client = try await RawClient.connect(to: address)
            // The server may refuse the first part, and be gone.
            try? await client.send(Array(input[..<cut]))
            try? await client.send(Array(input[cut...]))
            await client.shutdownSending()
            received = try await client.receiveToEnd()
            await client.close()
        } catch {
            throw Violation(description: "no exchange: \(error)")
        }
        // A streamed answer that can't be finished is cut.
        try require(
            received.end == .closed || streams(input) && received.end == .reset,
            "the connection is \(received.end)"
        )
        let lines = spelled(received.bytes).replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "").utf8
        return lines.split(separator: 10).filter { !$0.starts(with: "Date: ".utf8) }.map { "\(Substring($0))\n" }
            .joined()
    }
}
