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

    @Test(arguments: [false, true]) func `The stalest bodies make room for others`(_ http2: Bool) async throws {
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

    @Test func `A body's memory is given back at its end`() async throws {
        try await withTestClient(handler) { client, server in
            for _ in 0..<3 {
                try await client.send(request("POST /", "Content-Length: 300000"))
                #expect(try await client.response(to: [UInt8](repeating: 0x61, count: 300_000)).text == "300000")
            }
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    /// What is read piece by piece and gathered counts as what is collected at once.
    @Test func `A body counts while it is gathered, whoever gathers it`() async throws {
        let handler = FunctionHandler { request in
            let body = request.path == "/all" ? request.body : request.body.checkingFirst(1) { _ in }
            return .text("\(try await body.collect().count)")
        }
        try await withTestServer(handler) { server in
            for path in ["/all", "/checked"] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("POST \(path)", "Content-Length: 300000"))
                try await client.send([UInt8](repeating: 0x61, count: 299_999))
                #expect(try await eventually { server.context.buffers.use >= 299_999 }, "\(path)")
                #expect(try await client.response(to: "a").text == "300000")
                await client.close()
                #expect(try await eventually { server.context.buffers.use == 0 }, "\(path)")
            }
        }
    }

    /// The bound is what the process takes: more clients than there is room for stall in their bodies.
    @Test func `Clients that stall in their bodies take no more memory than is counted`() async throws {
        let bound = 48 << 20
        let configure: (inout ServerConfiguration) -> Void = {
            ($0.limits.bufferedBytes, $0.limits.body) = (bound, 2 << 20)
        }
        try await withTestServer(configure: configure, handler) { server in
            let part = [UInt8](repeating: 0x61, count: (1 << 20) - 1)
            SystemAllocator.giveBack()
            let before = ProcessUsage.memory
            var clients: [RawClient] = []
            for _ in 0..<100 {
                let client = try await RawClient.connect(to: server.address)
                clients.append(client)
                try await client.send(request("POST /", "Content-Length: \(1 << 20)"))
                try? await client.send(part)
            }
            // Between a quarter of the bound and a fifth more than it, once those that were cut are gone: this process is the clients', too.
            let range = bound / 4...bound / 10 * 12
            let settled = try await eventually {
                SystemAllocator.giveBack()
                return range.contains(ProcessUsage.memory - before)
            }
            #expect(settled, "\(ProcessUsage.memory - before) bytes of \(bound)")
            for client in clients { await client.close() }
        }
    }

    /// The capacities of an array to which pieces of 64 KiB are added.
    @Test(
        arguments: [
            (3, nil, [3]), (100, 5000, [5000]), (100, 70_000, [1 << 18]), (65_536, 1 << 20, [1 << 20]),
            (65_536, nil, [1 << 20]),
            (65_536, 4 << 20, [1 << 20, 4 << 20]),
        ] as [(Int, Int?, [Int])]
    )
    func `Room for a body is made seldom`(first: Int, length: Int?, capacities: [Int]) {
        var bytes: [UInt8] = []
        var seen: [Int] = []
        for count in [first] + Array(repeating: 65_536, count: max(0, ((length ?? first) - first) / 65_536)) {
            bytes.reserve(more: count, of: length)
            bytes += [UInt8](repeating: 0, count: count)
            if bytes.capacity != seen.last { seen.append(bytes.capacity) }
        }
        // The allocator's blocks have some bytes more.
        #expect(
            seen.count == capacities.count && zip(seen, capacities).allSatisfy { ($1...$1 + 4096).contains($0) },
            "\(seen)"
        )
    }

    @Test func `A request that waits for its body isn't in flight`() async throws {
        try await withTestClient(configure: { $0.limits.requestsInFlight = 1 }, handler) { slow, server in
            try await slow.send(request("POST /", "Content-Length: 4", body: "som"))
            let other = try await RawClient.connect(to: server.address)
            #expect(try await other.response(to: request("POST /", "Content-Length: 3", body: "all")).text == "3")
            #expect(try await slow.response(to: "e").text == "4")
            await slow.close()
            await other.close()
        }
    }

    @Test func `A streamed response that waits for its client isn't in flight`() async throws {
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

    @Test(arguments: [(10, "10"), (11, nil)]) func `A body above the limit is refused`(
        _ count: Int,
        _ expected: String?
    ) async throws {
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
