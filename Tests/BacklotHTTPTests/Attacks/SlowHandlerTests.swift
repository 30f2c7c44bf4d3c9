import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that keep handlers at work: room is left for others, and handlers of clients that have gone end.
@Suite(.timeLimit(.minutes(5))) struct SlowHandlerTests {
    /// Waits at `/slow`; says there that it was cancelled.
    private struct Slow {
        let begun = Recorder<String>()
        let cancelled = Recorder<String>()
        let goOn = Signal()

        var handler: FunctionHandler {
            FunctionHandler { [begun, cancelled, goOn] request in
                guard request.path == "/slow" else { return .text("quick") }
                begun.record(request.path)
                let waiting = Task { await goOn.wait() }
                await withTaskCancellationHandler {
                    await waiting.value
                } onCancel: {
                    cancelled.record(request.path)
                    goOn.fire()
                }
                return .text("slow")
            }
        }
    }

    private static func configure(_ configuration: inout ServerConfiguration) {
        configuration.limits.requestsInFlight = 16
        configuration.trustedProxies = AddressRange.loopback
    }

    private func status(_ server: RunningServer, _ path: String, from client: String) async throws -> Int {
        let other = try await RawClient.connect(to: server.address)
        let status = try await other.response(to: request("GET \(path)", "X-Forwarded-For: \(client)")).status
        await other.close()
        return status
    }

    @Test func `The last eighth of the requests is kept for other clients`() async throws {
        let slow = Slow()
        try await withTestServer(configure: Self.configure, slow.handler) { server in
            var clients: [RawClient] = []
            for _ in 0..<14 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /slow", "X-Forwarded-For: 192.0.2.7"))
                clients.append(client)
            }
            // A request is counted after its handler has begun.
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 14 })
            #expect(try await status(server, "/page", from: "192.0.2.7") == 503)
            #expect(try await status(server, "/page", from: "192.0.2.8") == 200)
            // Another takes one of the two that are left, and no more than that.
            for _ in 0..<2 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /slow", "X-Forwarded-For: 192.0.2.9"))
                clients.append(client)
            }
            #expect(try await eventually { server.context.requestsInFlight.load(ordering: .relaxed) == 16 })
            #expect(try await status(server, "/page", from: "192.0.2.8") == 503)
            #expect(try await status(server, "/healthz", from: "192.0.2.7") == 200)
            slow.goOn.fire()
            for client in clients {
                #expect(try await client.receive().text == "slow")
                await client.close()
            }
            #expect(try await status(server, "/page", from: "192.0.2.7") == 200)
        }
    }

    @Test func `The last eighth is kept for other clients over HTTP/2`() async throws {
        let slow = Slow()
        try await withHTTP2Client(configure: Self.configure, slow.handler) { client, server in
            let fields = Frame.get("/slow") + [("x-forwarded-for", "192.0.2.7")]
            for stream in 0..<14 { try await client.send(.headers(UInt32(2 * stream + 1), fields)) }
            #expect(try await eventually { slow.begun.events.count == 14 })
            let second = try await HTTP2Client.connect(to: server.address)
            for stream in 0..<3 { try await second.send(.headers(UInt32(2 * stream + 1), fields)) }
            for stream in 0..<3 { #expect(try await second.response(on: UInt32(2 * stream + 1)).status == 503) }
            #expect(try await status(server, "/page", from: "192.0.2.8") == 200)
            #expect(try await status(server, "/healthz", from: "192.0.2.7") == 200)
            slow.goOn.fire()
            await client.close()
            await second.close()
        }
    }

    /// A process with few descriptors runs out of connections first.
    @Test func `The last eighth of the connections is kept for other clients`() async throws {
        let slow = Slow()
        let configure: (inout ServerConfiguration) -> Void = {
            $0.limits.connections = 1024
            $0.trustedProxies = AddressRange.loopback
        }
        try await withTestServer(configure: configure, slow.handler) { server in
            try #require(server.context.mostConnections == 1024, "the process may open too few files")
            let fields = Frame.get("/slow") + [("x-forwarded-for", "192.0.2.7")]
            var clients: [HTTP2Client] = []
            for _ in 0..<9 {
                let client = try await HTTP2Client.connect(to: server.address)
                for stream in UInt32(0)..<100 { try await client.send(.headers(2 * stream + 1, fields)) }
                try await client.roundTrip()
                clients.append(client)
            }
            #expect(try await eventually { slow.begun.events.count == 896 })
            for _ in 0..<3 {
                #expect(try await status(server, "/slow", from: "192.0.2.7") == 503)
                #expect(try await status(server, "/page", from: "192.0.2.8") == 200)
                #expect(try await status(server, "/healthz", from: "192.0.2.7") == 200)
            }
            slow.goOn.fire()
            for client in clients { await client.close() }
        }
    }

    /// Their bodies come together: before that, no request was in flight.
    @Test func `Requests whose bodies come together count for their client`() async throws {
        let (begun, goOn) = (Recorder<Int>(), Signal())
        let handler = FunctionHandler { request in
            guard request.path == "/collect" else { return .text("quick") }
            begun.record(try await request.body.collect().count)
            await goOn.wait()
            return .text("collected")
        }
        try await withTestServer(configure: Self.configure, handler) { server in
            var clients: [RawClient] = []
            for index in 0..<20 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("POST /collect", "Content-Length: 1", "X-Forwarded-For: 192.0.2.7"))
                if index < 14 {
                    #expect(try await eventually { server.context.heldRequests.load(ordering: .relaxed) == index + 1 })
                    clients.append(client)
                } else {
                    #expect(try await client.receive().status == 503)
                    await client.close()
                }
            }
            for client in clients { try await client.send("x") }
            #expect(try await eventually { begun.events.count == 14 })
            #expect(try await status(server, "/page", from: "192.0.2.8") == 200)
            #expect(try await status(server, "/healthz", from: "192.0.2.7") == 200)
            goOn.fire()
            for client in clients {
                #expect(try await client.receive().text == "collected")
                await client.close()
            }
        }
    }

    @Test func `A proxy that isn't trusted is logged once`() async throws {
        let log = Recorder<String>()
        try await withTestServer(log: log, FunctionHandler { _ in .text("fine") }) { server in
            for _ in 0..<3 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /", "X-Forwarded-For: 192.0.2.7"))
                _ = try await client.receive()
            }
        }
        let warnings = log.events.filter { $0.contains("--trusted-proxies") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("warning: 127.0.0.1 names the clients of its requests") ?? false)
    }

    // MARK: Clients that have gone

    @Test(arguments: TestTransport.allCases)
    func `A handler ends when its client has closed`(_ transport: TestTransport) async throws {
        let slow = Slow()
        try await withTestClient(
            over: transport,
            slow.handler
        ) { client, server in
            try await client.send(request("GET /slow"))
            #expect(try await eventually { slow.begun.events.count == 1 })
            await client.close()
            #expect(try await eventually { slow.cancelled.events.count == 1 })
            #expect(try await eventually { await server.statistics().requestsInFlight == 0 })
        }
    }

    /// A client could otherwise gather any number of handlers that don't look at their cancellation.
    @Test func `A handler counts until it returns, even if its client has gone`() async throws {
        let (begun, goOn) = (Recorder<String>(), Signal())
        let handler = FunctionHandler { request in
            guard request.path == "/slow" else { return .text("quick") }
            begun.record(request.path)
            await goOn.wait()
            return .text("slow")
        }
        try await withTestServer(configure: Self.configure, handler) { server in
            defer { goOn.fire() }
            for count in 1...14 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /slow", "X-Forwarded-For: 192.0.2.7"))
                try await expectEventually { begun.events.count == count }
                await client.reset()
            }
            try await expectEventually { server.connectionCount == 0 }
            #expect(await server.statistics().requestsInFlight == 14)
            #expect(try await status(server, "/page", from: "192.0.2.7") == 503)
            #expect(try await status(server, "/page", from: "192.0.2.8") == 200)
            goOn.fire()
            try await expectEventually { await server.statistics().requestsInFlight == 0 }
            #expect(server.context.heldRequests.load(ordering: .relaxed) == 0)
            #expect(try await status(server, "/page", from: "192.0.2.7") == 200)
        }
    }

    /// The client speaks HTTP/1.1 or 1.0, and sends no, one or many requests behind the slow one.
    @Test(
        arguments: ["HTTP/1.1", "HTTP/1.0"],
        ["", request("GET /quick"), String(repeating: request("GET /quick"), count: 400)]
    )
    func `A handler ends when its client has closed behind other requests`(
        _ version: String,
        _ others: String
    ) async throws {
        let slow = Slow()
        try await withTestClient(slow.handler) { client, _ in
            try await client.send(request("GET /slow", "Connection: keep-alive", version: version))
            #expect(try await eventually { slow.begun.events.count == 1 })
            try await client.send(others)
            await client.close()
            #expect(try await eventually { slow.cancelled.events.count == 1 })
        }
    }

    /// The handler doesn't read the body, and the client hasn't sent all of it.
    @Test func `A handler ends when its client has closed within a body`() async throws {
        let slow = Slow()
        try await withTestClient(slow.handler) { client, _ in
            try await client.send(request("POST /slow", "Content-Length: 5", body: "x"))
            #expect(try await eventually { slow.begun.events.count == 1 })
            await client.close()
            #expect(try await eventually { slow.cancelled.events.count == 1 })
        }
    }

    /// More requests than one turn of the loop handles wait behind a slow one.
    @Test func `All requests sent before the end are served`() async throws {
        let slow = Slow()
        try await withTestClient(slow.handler) { client, _ in
            let count = Int(HTTP1Machine.requestsPerTurn) + 40
            try await client.send(request("GET /slow") + String(repeating: request("GET /quick"), count: count))
            await client.shutdownSending()
            #expect(try await eventually { slow.begun.events.count == 1 })
            try await Task.sleep(for: .milliseconds(100))
            slow.goOn.fire()
            let responses = try await client.receive(1 + count)
            #expect(responses.map(\.text) == ["slow"] + [String](repeating: "quick", count: count))
        }
    }

    @Test func `A handler ends when its HTTP/2 client has closed`() async throws {
        let slow = Slow()
        try await withHTTP2Client(slow.handler) { client, _ in
            try await client.send(.headers(1, Frame.get("/slow")))
            #expect(try await eventually { slow.begun.events.count == 1 })
            await client.close()
            #expect(try await eventually { slow.cancelled.events.count == 1 })
        }
    }

    /// A client that only sends no more still gets its response, after an interim one.
    @Test func `A client that only ends its side is served`() async throws {
        let slow = Slow()
        try await withTestClient(slow.handler) { client, _ in
            try await client.send(request("GET /slow"))
            await client.shutdownSending()
            let interim = try await client.receivePiece()
            #expect(String(decoding: interim, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(slow.cancelled.events.isEmpty)
            slow.goOn.fire()
            #expect(try await client.receive().text == "slow")
        }
    }

    /// HTTP/1.0 knows no interim responses.
    @Test func `A client of HTTP/1.0 gets no interim response`() async throws {
        let slow = Slow()
        try await withTestClient(slow.handler) { client, _ in
            try await client.send(request("GET /slow", version: "HTTP/1.0"))
            await client.shutdownSending()
            try await Task.sleep(for: .milliseconds(1300))
            slow.goOn.fire()
            let (bytes, _) = try await client.receiveToEnd()
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }
}
