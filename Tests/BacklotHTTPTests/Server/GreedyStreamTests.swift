import TestSupport
import Testing

@testable import BacklotHTTP

/// Streamed answers that always have more to write, to clients that take it all: everybody else is served meanwhile. One test
/// after the other: each takes all the time that it can get.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GreedyStreamTests {
    private static let handler = FunctionHandler { request in
        guard request.path == "/endless" else { return .text(request.path) }
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: request.rawQuery == "large" ? 100_000 : 12)
        return Response(body: .stream { writer in while true { try await writer.write(piece) } })
    }

    /// One loop, and more streams than it calls in one round.
    @Test(arguments: ["", "?large"], [false, true])
    func `Other clients are served beside endless streams`(_ query: String, _ isHTTP2: Bool) async throws {
        try await withTestServer(configure: { $0.eventLoops = 1 }, Self.handler) { server in
            let readers = try await withThrowingTaskGroup { group in
                for _ in 0...Fairness.atOnce {
                    group.addTask { try await Self.stream("/endless\(query)", isHTTP2, server.address) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let hasEnded = Locked(false)
            try await withThrowingTaskGroup { group in
                for reader in readers {
                    group.addTask {
                        while !hasEnded.withLock({ $0 }) {
                            // Each stream goes on: none is forgotten among the others.
                            let piece = try await reader.receivePiece(upTo: 1 << 20)
                            #expect(!piece.isEmpty)
                        }
                        await reader.close()
                    }
                }
                let client = try await RawClient.connect(to: server.address)
                for index in 0..<5 {
                    #expect(try await client.response(to: request("GET /\(index)")).text == "/\(index)")
                }
                await client.close()
                hasEnded.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    /// A client that has asked for a stream, with windows that let everything through.
    private static func stream(_ path: String, _ isHTTP2: Bool, _ address: SocketAddress) async throws -> RawClient {
        let client = try await RawClient.connect(to: address)
        guard isHTTP2 else {
            try await client.send(request("GET \(path)"))
            return client
        }
        let most: UInt32 = 0x7FFF_FFFF
        let frames = [Frame.settings([(4, most)]), .windowUpdate(0, most - 65_535), .headers(1, Frame.get(path))]
        try await client.send(Frame.preface + frames.flatMap { $0.bytes() })
        return client
    }

    // MARK: The decisions

    @Test func `A turn ends after its bytes or its time`() {
        var turn = Turn()
        var responses: [Bool] = []
        func look(_ round: Int, _ now: Int64) { responses.append(turn.hasRoom(in: round, at: now)) }
        look(1, 1000)
        turn.count(Turn.length - 1)
        look(1, 1000)
        turn.count(1)
        look(1, 1000)
        #expect(responses == [true, true, false])
        responses = []
        // Another round, another turn.
        look(2, 5000)
        look(2, 5000 + Turn.time - 1)
        look(2, 5000 + Turn.time)
        look(3, 5000 + Turn.time)
        #expect(responses == [true, true, false, true])
    }

    /// Each is called once before any is called again, a few at a time.
    @Test func `Each call gets its turn before any gets another`() {
        var queue = Fairness()
        var called: [Int] = []
        for number in 0..<100 { queue.append { called.append(number) } }
        while called.count < 300 {
            let next = queue.next()
            #expect(next.count == Fairness.atOnce)
            for call in next {
                call()
                queue.append(call)
            }
        }
        #expect(called == (0..<3).flatMap { _ in Array(0..<100) })
        while !queue.isEmpty { called += queue.next().map { _ in 0 } }
        #expect(called.count == 400)
        let none = queue.next()
        #expect(none.isEmpty)
    }
}
