import Dispatch
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that take more time, or more of it, than is theirs.
@Suite(.timeLimit(.minutes(5))) struct GreedyClientTests {
    /// Each byte comes in good time, but all in all it is too slow.
    @Test(arguments: ["Content-Length: 100000", "Transfer-Encoding: chunked"])
    func `A body below the least rate is a 408`(_ framing: String) async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.rateGrace = .milliseconds(200)
            $0.limits.leastRate = 10_000
        }
        try await withTestServer(configure: configure) {
            Response(body: .bytes(try await $0.body.collect()))
        } _: {
            let client = try await RawClient.connect(to: $0.address)
            try await client.send(request("POST /", framing))
            let dripping = Task {
                while !Task.isCancelled {
                    try await client.send("1\r\nb\r\n")
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            #expect(try await client.receive().status == 408)
            dripping.cancel()
            _ = await dripping.result
            await client.close()
        }
    }

    /// It takes some bytes all the time, and still holds an answer for longer than it may.
    @Test func `A response below the least rate is cut`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.rateGrace = .milliseconds(200)
            $0.limits.leastRate = 1_000_000_000
        }
        let handler = FunctionHandler { _ in
            Response(
                body: .stream { writer in while true { try await writer.write([UInt8](repeating: 0, count: 65_536)) } }
            )
        }
        try await withTestClient(receiveBuffer: 4096, configure: configure, handler) { client, server in
            try await client.send(request())
            let reading = Task {
                while true {
                    guard try await !client.receivePiece(upTo: 1024).isEmpty else { return }
                    try await Task.sleep(for: .milliseconds(2))
                }
            }
            try await expectEventually { server.connectionCount == 0 }
            await client.close()
            _ = await reading.result
        }
    }

    /// One loop, one client with hundreds of requests at once: another client's request gets its turn among them.
    @Test func `A pipeline can't starve other clients`() async throws {
        let order = Recorder<String>()
        let (begun, goOn) = (Signal(), DispatchSemaphore(value: 0))
        let handler = SynchronousHandler { request in
            order.record(request.path)
            if order.events.count == 1 {
                begun.fire()
                // The loop stands still until both clients' requests have come.
                goOn.wait()
            }
            return .text("")
        }
        try await withTestServer(configure: { $0.eventLoops = 1 }, handler) { server in
            let (greedy, other) = (
                try await RawClient.connect(to: server.address), try await RawClient.connect(to: server.address)
            )
            try await greedy.send(String(repeating: request("GET /greedy"), count: 1000))
            await begun.wait()
            try await other.send(request("GET /other"))
            goOn.signal()
            #expect(try await other.receive().status == 200)
            #expect(try await greedy.receive(1000).count == 1000)
            let position = try #require(order.events.firstIndex(of: "/other"))
            #expect(position <= 2 * Int(HTTP1Machine.requestsPerTurn))
            await greedy.close()
            await other.close()
        }
    }

    @Test func `The number of connections from one address is limited`() async throws {
        try await withTestServer(configure: { $0.limits.connectionsPerAddress = 2 }) { _ in
            .text("fine")
        } _: { server in
            var clients: [RawClient] = []
            for _ in 0..<2 {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.response(to: request()).text == "fine")
                clients.append(client)
            }
            let third = try await RawClient.connect(to: server.address)
            let refusal = try await third.receive()
            #expect(refusal.status == 503)
            #expect(refusal["Retry-After"] == "1")
            #expect(refusal["Connection"] == "close")
            #expect(refusal.text == "there are too many connections from your address\n")
            #expect(try await third.receiveToEnd() == ([], .closed))
            await clients.removeLast().close()
            try await expectEventually { server.connectionCount == 1 }
            let fourth = try await RawClient.connect(to: server.address)
            #expect(try await fourth.response(to: request()).text == "fine")
            await fourth.close()
            await clients[0].close()
        }
    }

    /// A proxy's connections are many clients': what counts is how many requests of each client are in flight.
    @Test func `Behind a proxy, requests count for each client`() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let configure: (inout ServerConfiguration) -> Void = {
            $0.limits.connectionsPerAddress = 1
            $0.trustedProxies = AddressRange.loopback
        }
        let handler = FunctionHandler { request in
            if request.path == "/slow" {
                begun.fire()
                await goOn.wait()
            }
            return .text(request.path)
        }
        try await withTestClient(configure: configure, handler) { slow, server in
            try await slow.send(request("GET /slow", "X-Forwarded-For: 192.0.2.7"))
            await begun.wait()
            let proxy = try await RawClient.connect(to: server.address)
            let refusal = try await proxy.response(to: request("GET /a", "X-Forwarded-For: 192.0.2.7"))
            #expect(refusal.status == 503)
            #expect(refusal["Connection"] == nil)
            #expect(try await proxy.response(to: request("GET /b", "X-Forwarded-For: 192.0.2.8")).text == "/b")
            goOn.fire()
            #expect(try await slow.receive().text == "/slow")
            let isFree = try await eventually {
                try? await proxy.send(request("GET /c", "X-Forwarded-For: 192.0.2.7"))
                return (try? await proxy.receive().text) == "/c"
            }
            #expect(isFree)
            await proxy.close()
        }
    }

    /// The handler has returned, but its response continues, like a stream of events.
    @Test func `Behind a proxy, a streamed response counts until it is sent`() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let configure: (inout ServerConfiguration) -> Void = {
            $0.limits.connectionsPerAddress = 1
            $0.trustedProxies = AddressRange.loopback
        }
        let handler = SynchronousHandler { request in
            guard request.path == "/stream" else { return .text(request.path) }
            return Response(
                body: .stream { writer in
                    begun.fire()
                    await goOn.wait()
                    try await writer.write("sent")
                }
            )
        }
        try await withTestClient(configure: configure, handler) { slow, server in
            try await slow.send(request("GET /stream", "X-Forwarded-For: 192.0.2.7"))
            await begun.wait()
            let proxy = try await RawClient.connect(to: server.address)
            let refusal = try await proxy.response(to: request("GET /a", "X-Forwarded-For: 192.0.2.7"))
            #expect(refusal.status == 503)
            goOn.fire()
            #expect(try await slow.receive().text == "sent")
            let isFree = try await eventually {
                try? await proxy.send(request("GET /b", "X-Forwarded-For: 192.0.2.7"))
                return (try? await proxy.receive().text) == "/b"
            }
            #expect(isFree)
            await proxy.close()
        }
    }
}

/// Answers without suspending, as pages do.
private struct SynchronousHandler: Handler {
    let response: @Sendable (Request) -> Response

    func respond(to request: Request) throws -> HandlerResult { .ready(response(request)) }
}
