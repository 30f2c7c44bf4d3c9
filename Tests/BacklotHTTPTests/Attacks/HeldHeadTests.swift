import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that make the server keep heads: of requests that handlers work on, that wait behind such a request, and that
/// never end.
@Suite(.timeLimit(.minutes(5))) struct HeldHeadTests {
    /// A head of some 30 KB, as one field, or without the empty line at its end.
    private static func head(isWhole: Bool = true) -> String {
        // Swift counts CR LF as one character.
        String(request("GET /slow", "A: " + String(repeating: "b", count: 30_000)).dropLast(isWhole ? 0 : 1))
    }

    private static let list = Frame.get("/slow") + ["b", "c"].map { ($0, String(repeating: $0, count: 7_500)) }

    private static func slow(_ goOn: Signal) -> FunctionHandler {
        FunctionHandler { request in
            if request.path == "/slow" { await goOn.wait() }
            return .text("fine")
        }
    }

    /// 30 KB count as 8 requests.
    @Test(arguments: TestTransport.allCases)
    func `In HTTP/1, a large head in flight counts as several requests`(_ transport: TestTransport) async throws {
        let goOn = Signal()
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.requestsInFlight = 16 }
        try await withTestServer(over: transport, configure: configure, Self.slow(goOn)) { server in
            var slow: [RawClient] = []
            for count in 1...2 {
                let client = try await RawClient.connect(to: server.address, tls: transport.http1)
                try await client.send(Self.head())
                slow.append(client)
                #expect(
                    try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 8 * count }
                )
            }
            let other = try await RawClient.connect(to: server.address, tls: transport.http1)
            #expect(try await other.response(to: request()).status == 503)
            goOn.fire()
            for client in slow {
                #expect(try await client.receive().text == "fine")
                await client.close()
            }
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 0 })
            #expect(try await other.response(to: request()).text == "fine")
        }
    }

    /// 15 KB count as 4 requests.
    @Test(arguments: TestTransport.allCases)
    func `In HTTP/2, a large head in flight counts as several requests`(_ transport: TestTransport) async throws {
        let goOn = Signal()
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.requestsInFlight = 16 }
        try await withHTTP2Client(over: transport, configure: configure, Self.slow(goOn)) { client, server in
            let streams: [UInt32] = [1, 3, 5, 7]
            try await client.send(streams.map { .headers($0, Self.list) })
            try await client.roundTrip()
            #expect(server.context.requestsInFlight.load(ordering: .relaxed) == 16)
            let other = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
            #expect(try await other.exchange().status == 503)
            goOn.fire()
            for stream in streams { #expect(try await client.response(on: stream).text == "fine") }
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 0 })
            #expect(try await other.exchange(3).text == "fine")
            await client.close()
            await other.close()
        }
    }

    private static func tight(_ transport: TestTransport) -> (inout ServerConfiguration) -> Void {
        {
            $0.eventLoops = 1
            $0.limits.bufferedBytes = 300_000
            transport.configure(&$0)
        }
    }

    @Test(arguments: TestTransport.allCases, [false, true])
    func `Heads that don't end stay within the budget`(_ transport: TestTransport, isBusy: Bool) async throws {
        try await withTestServer(configure: Self.tight(transport), FunctionHandler { _ in .text("fine") }) { server in
            var clients: [RawClient] = []
            for _ in 0..<20 { clients.append(try await .connect(to: server.address, tls: transport.http1)) }
            #expect(try await eventually { server.context.connections.load(ordering: .relaxed) == 20 })
            // Whether the loop sees the heads one after the other, or all in one turn.
            let goOn = DispatchSemaphore(value: 0)
            if isBusy { server.context.loops[0].execute { goOn.wait() } }
            for client in clients { try await client.send(Self.head(isWhole: false)) }
            goOn.signal()
            #expect(try await eventually { (1...300_000).contains(server.context.buffers.use) })
            // Each client gets a 503, or the response to its whole head.
            var refused = 0
            for client in clients {
                try? await client.send("\r\n")
                let response = try await client.receive()
                #expect(response.text == "fine" || response["Retry-After"] == "1" && response["Connection"] == "close")
                if response.status == 503 { refused += 1 }
                await client.close()
            }
            #expect((10...19).contains(refused))
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    /// Each response is whole. If it ends the connection, the client must send the request behind it again.
    @Test(arguments: TestTransport.allCases)
    func `Bytes that wait behind a request stay within the budget`(_ transport: TestTransport) async throws {
        let goOn = Signal()
        try await withTestServer(configure: Self.tight(transport), Self.slow(goOn)) { server in
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = try await RawClient.connect(to: server.address, tls: transport.http1)
                // TLS gives no more than 16 KB at a time.
                let next = request("GET /next", "A: " + String(repeating: "b", count: 15_000))
                try await client.send(request("GET /slow") + next)
                clients.append(client)
            }
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 20 })
            #expect(try await eventually { (1...300_000).contains(server.context.buffers.use) })
            goOn.fire()
            var closed = 0
            for client in clients {
                let response = try await client.receive()
                #expect(response.text == "fine")
                if response["Connection"] == "close" {
                    closed += 1
                    #expect(try await client.receiveToEnd() == ([], .closed))
                } else {
                    #expect(try await client.receive().text == "fine")
                }
                await client.close()
            }
            #expect((3...17).contains(closed))
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `Header lists that don't end stay within the budget`(_ transport: TestTransport) async throws {
        try await withTestServer(configure: Self.tight(transport), FunctionHandler { _ in .text("fine") }) { server in
            var clients: [HTTP2Client] = []
            for _ in 0..<30 {
                let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
                try await client.send(.headers(1, Self.list, endHeaders: false))
                clients.append(client)
            }
            #expect(try await eventually { (1...300_000).contains(server.context.buffers.use) })
            var refused = 0
            for client in clients {
                try? await client.send(.continuation(1, []))
                do {
                    #expect(try await client.response().text == "fine")
                } catch HTTP2Client.Failure.noResponse(let frame) {
                    #expect(frame?.errorCode == ErrorCode.enhanceYourCalm.rawValue)
                    refused += 1
                }
                await client.close()
            }
            #expect((10...29).contains(refused))
            #expect(try await eventually { server.context.buffers.use == 0 })
        }
    }

    @Test func `A head weighs one request for every 4 KB begun`() {
        let sizes = [0, 1, 4096, 4097, 8192, 8193, 65_535]
        #expect(sizes.map { ServerContext.weight(headSize: $0) } == [1, 1, 1, 2, 2, 3, 16])
    }
}
