import TestSupport
import Testing

@testable import BacklotHTTP

/// Header lists of a few bytes that stand for very many.
@Suite(.timeLimit(.minutes(5))) struct HeaderBombTests {
    private static let handler = FunctionHandler { request in
        Response(body: .bytes(try await request.body.collect()))
    }

    /// The client sends a field of 4,000 bytes once, and then names it many times with one byte each. h2o took 130 MB for it.
    @Test(arguments: TestTransport.allCases)
    func `A compressed header bomb is refused`(_ transport: TestTransport) async throws {
        try await withHTTP2Client(over: transport, Self.handler) { client, _ in
            let remember =
                HPACKLiterals.encode(Frame.get()) + HPACKLiterals.remember("a", String(repeating: "b", count: 4000))
            // Just beyond the limit: each request gets a response.
            for stream in [UInt32(1), 3, 5] {
                let block = remember + [UInt8](repeating: 0xBE, count: 10)
                try await client.send(Frame(.headers, flags: 5, stream: stream, block))
                #expect(try await client.response(on: stream).status == 431)
            }
            // Far beyond: 40 MB in 10 KB.
            let block = remember + [UInt8](repeating: 0xBE, count: 10_000)
            try await client.send(Frame(.headers, flags: 5, stream: 7, block))
            #expect(try await client.first(.goAway)?.errorCode == ErrorCode.enhanceYourCalm.rawValue)
            _ = try await client.receiveToEnd()
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `A bomb in trailers ends the connection`(_ transport: TestTransport) async throws {
        try await withHTTP2Client(over: transport, Self.handler) { client, _ in
            let bomb =
                HPACKLiterals.remember("a", String(repeating: "b", count: 4000))
                + [UInt8](repeating: 0xBE, count: 10_000)
            try await client.send(
                .headers(1, Frame.post(), endStream: false),
                Frame(.headers, flags: 5, stream: 1, bomb)
            )
            #expect(try await client.first(.goAway)?.errorCode == ErrorCode.enhanceYourCalm.rawValue)
            _ = try await client.receiveToEnd()
        }
    }

    /// The server forgets a request once it responds: a response that waits for a window doesn't keep it (CVE-2026-49975).
    @Test(arguments: TestTransport.allCases)
    func `A stalled response doesn't keep its request`(_ transport: TestTransport) async throws {
        try await withTestServer(configure: transport.configure) { _ in
            .text("fine")
        } _: { server in
            let client = try await HTTP2Client.connect(to: server.address, settings: [(4, 0)], tls: transport.http2)
            let fields =
                HPACKLiterals.encode(Frame.get()) + HPACKLiterals.remember("a", String(repeating: "b", count: 280))
            try await client.send(Frame(.headers, flags: 5, stream: 1, fields + [UInt8](repeating: 0xBE, count: 90)))
            #expect(try await client.first(.headers) != nil)
            let kept = Recorder<Int>()
            await server.forEachConnection { connection in
                if let http2 = connection.http2, !http2.streams.isEmpty { kept.record(http2.state.begun.count) }
            }
            #expect(kept.events == [0])
            try await client.send(.windowUpdate(1, 10))
            #expect(try await client.first(.data)?.payload == Array("fine".utf8))
        }
    }
}
