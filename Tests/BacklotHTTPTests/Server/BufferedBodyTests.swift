import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Bodies that are collected, against the budget for all of them.
@Suite(.timeLimit(.minutes(5))) struct BufferedBodyTests {
    private let handler = FunctionHandler { .text("\(try await $0.body.collect().count)") }

    private func withhold(_ server: RunningServer, of count: Int, http2: Bool) async throws -> any Sendable {
        let part = [UInt8](repeating: 0x61, count: count - 1)
        guard http2 else {
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("POST /", "Content-Length: \(count)"))
            try await client.send(part)
            return client
        }
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.send(.headers(1, Frame.post(), endStream: false))
        var rest = part[...]
        while !rest.isEmpty {
            try await client.send(.data(1, Array(rest.prefix(16_384)), endStream: false))
            rest = rest.dropFirst(16_384)
            // The window: it opens as the server collects.
            try await client.roundTrip()
        }
        return client
    }

    @Test(arguments: [false, true]) func theStalestBodiesMakeRoomForOthers(_ http2: Bool) async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.eventLoops = 1
            $0.limits.bufferedBytes = 2_000_000
        }
        try await withTestServer(configure: configure, handler) { server in
            var greedy: [any Sendable] = []
            for _ in 0..<12 { greedy.append(try await withhold(server, of: 200_000, http2: http2)) }
            #expect(try await eventually { server.context.buffers.use <= 2_000_000 })
            let other = try await RawClient.connect(to: server.address)
            try await other.send(request("POST /", "Content-Length: 100000"))
            #expect(try await other.response(to: [UInt8](repeating: 0x61, count: 100_000)).text == "100000")
            await other.close()
            // Whoever was cut over HTTP/1 is told why.
            if let first = greedy.first as? RawClient { #expect(try await first.receive().status == 503) }
            for client in greedy { if let client = client as? RawClient { await client.close() } }
            for client in greedy { if let client = client as? HTTP2Client { await client.close() } }
        }
        // Not before the server is gone: a handler may still have its body.
    }

    @Test func whatABodyHeldIsGivenBackAtItsEnd() async throws {
        try await withTestClient(handler) { client, server in
            for _ in 0..<3 {
                try await client.send(request("POST /", "Content-Length: 300000"))
                #expect(try await client.response(to: [UInt8](repeating: 0x61, count: 300_000)).text == "300000")
            }
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    @Test func aRequestThatWaitsForItsBodyIsNotInFlight() async throws {
        try await withTestClient(configure: { $0.limits.requestsInFlight = 1 }, handler) { slow, server in
            try await slow.send(request("POST /", "Content-Length: 4", body: "som"))
            let other = try await RawClient.connect(to: server.address)
            #expect(try await other.response(to: request("POST /", "Content-Length: 3", body: "all")).text == "3")
            #expect(try await slow.response(to: "e").text == "4")
            await slow.close()
            await other.close()
        }
    }

    @Test func aStreamedResponseThatWaitsForItsClientIsNotInFlight() async throws {
        let handler = FunctionHandler { request in
            guard request.path == "/stream" else { return .text("fine") }
            return Response(
                body: .stream { writer in
                    for _ in 0..<1000 { try await writer.write([UInt8](repeating: 0, count: 65_536)) }
                }
            )
        }
        try await withTestClient(receiveBuffer: 4096, configure: { $0.limits.requestsInFlight = 1 }, handler) {
            slow,
            server in
            try await slow.send(request("GET /stream"))
            try await expectEventually { server.context.buffers.use > 0 }
            let other = try await RawClient.connect(to: server.address)
            let isServed = try await eventually {
                try? await other.send(request("GET /page"))
                return (try? await other.receive().text) == "fine"
            }
            #expect(isServed)
            await slow.close()
            await other.close()
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    @Test(arguments: [(10, "10"), (11, nil)]) func theLimitOfABody(_ count: Int, _ expected: String?) async throws {
        try await withTestServer(configure: { $0.limits.body = 10 }, handler) { server in
            for chunked in [false, true] {
                let client = try await RawClient.connect(to: server.address)
                if chunked {
                    try await client.send(request("POST /", "Transfer-Encoding: chunked"))
                    for _ in 0..<count { try await client.send("1\r\na\r\n") }
                    try await client.send("0\r\n\r\n")
                } else {
                    try await client.send(request("POST /", "Content-Length: \(count)"))
                    try await client.send(String(repeating: "a", count: count))
                }
                let response = try await client.receive()
                #expect(expected.map { response.text == $0 } ?? (response.status == 413))
                await client.close()
            }
        }
    }
}
