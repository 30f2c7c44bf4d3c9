import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// One after the other, because they start servers by themselves, beyond those that `ServerSlots` counts.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShutdownTests {
    /// Responds to `/slow` after `goOn` fires, and to other paths at once.
    private struct Gate: Sendable {
        let begun = Signal()
        let goOn = Signal()

        var handler: FunctionHandler {
            FunctionHandler { request in
                guard request.path == "/slow" else { return .text(request.path) }
                begun.fire()
                await goOn.wait()
                return .text("slow")
            }
        }
    }

    /// The server stops while it prepares a response. Idle connections of every loop close after their time, and new ones are refused.
    /// Earlier requests get their responses, even pipelined ones.
    @Test func `A server that stops delivers the responses it has begun`() async throws {
        let gate = Gate()
        let server = try startServer(configure: { $0.eventLoops = 4 }, gate.handler)
        let slow = try await RawClient.connect(to: server.address)
        try await slow.send(request("GET /slow") + request("GET /next"))
        await gate.begun.wait()
        var idle: [RawClient] = []
        for _ in 0..<8 {
            let client = try await RawClient.connect(to: server.address)
            #expect(try await client.response(to: request("GET /a")).text == "/a")
            idle.append(client)
        }
        let stopping = Task { await server.shutdown() }
        for client in idle { #expect(try await client.receiveToEnd() == ([], .closed)) }
        await #expect(throws: RawClientError.self) { try await RawClient.connect(to: server.address) }
        gate.goOn.fire()
        let responses = try await slow.receive(2)
        #expect(responses.map(\.text) == ["slow", "/next"])
        #expect(responses.map { $0["Connection"] } == [nil, "close"])
        #expect(try await slow.receiveToEnd() == ([], .closed))
        for client in idle + [slow] { await client.close() }
        await stopping.value
        #expect(server.connectionCount == 0)
    }

    /// A client may just send a request on a kept connection. The response says that it is the last one.
    @Test func `An idle connection gets one more response`() async throws {
        let server = try startServer(configure: { $0.timeouts.drainIdle = .seconds(30) }, Gate().handler)
        let client = try await RawClient.connect(to: server.address)
        let unused = try await RawClient.connect(to: server.address)
        #expect(try await client.response(to: request("GET /a"))["Connection"] == nil)
        let stopping = Task { await server.shutdown() }
        try await expectEventually { await server.isDraining }
        for client in [client, unused] {
            let response = try await client.response(to: request("GET /b"))
            #expect(response.text == "/b")
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd() == ([], .closed))
            await client.close()
        }
        await stopping.value
    }

    /// The server responds to all requests that a client has sent ahead. The last response says that it is the last.
    @Test func `All pipelined requests get responses`() async throws {
        let gate = Gate()
        let server = try startServer(gate.handler)
        let client = try await RawClient.connect(to: server.address)
        try await client.send(request("GET /slow"))
        await gate.begun.wait()
        let stopping = Task { await server.shutdown() }
        try await expectEventually { await server.isDraining }
        try await client.send((0..<100).map { request("GET /\($0)") }.joined())
        gate.goOn.fire()
        let responses = try await client.receive(101)
        #expect(responses.map(\.text) == ["slow"] + (0..<100).map { "/\($0)" })
        #expect(responses.map { $0["Connection"] } == Array(repeating: nil, count: 100) + ["close"])
        #expect(try await client.receiveToEnd() == ([], .closed))
        await client.close()
        await stopping.value
    }

    /// During the delay, the server works as before. It has already announced its stop.
    @Test func `During the delay, new connections are served`() async throws {
        let stops = Signal()
        var configuration = ServerConfiguration()
        configuration.timeouts.drainDelay = .seconds(60)
        configuration.timeouts.drainIdle = .zero
        var plan = Server(Gate().handler, port: 0, configuration: configuration)
        plan.logger.logLevel = .critical
        plan.onStopping = { stops.fire() }
        let server = try plan.start()
        let stopping = Task { await server.shutdown() }
        await stops.wait()
        let client = try await RawClient.connect(to: server.address)
        let response = try await client.response(to: request("GET /late"))
        #expect(response.text == "/late")
        #expect(response["Connection"] == nil)
        await client.close()
        // Ends the delay, and nothing else.
        stopping.cancel()
        await stopping.value
    }

    @Test func `The delay passes before the server stops`() async throws {
        let server = try startServer(configure: { $0.timeouts.drainDelay = .milliseconds(300) }, Gate().handler)
        let duration = await ContinuousClock().measure { await server.shutdown() }
        #expect(duration >= .milliseconds(300))
    }

    @Test func `A stream that has begun is delivered`() async throws {
        let begun = Signal()
        let goOn = Signal()
        let handler = streaming { writer in
            try await writer.write("a")
            begun.fire()
            await goOn.wait()
            try await writer.write("b")
        }
        let server = try startServer(handler)
        let client = try await RawClient.connect(to: server.address)
        try await client.send(request())
        await begun.wait()
        let stopping = Task { await server.shutdown() }
        try await expectEventually { await server.isDraining }
        goOn.fire()
        #expect(try await client.receive().text == "ab")
        #expect(try await client.receiveToEnd() == ([], .closed))
        await client.close()
        await stopping.value
    }

    @Test func `A request that has begun gets its response`() async throws {
        let server = try startServer(Gate().handler)
        let client = try await RawClient.connect(to: server.address)
        #expect(try await client.response(to: request("GET /a") + "GET /b HTT").text == "/a")
        let stopping = Task { await server.shutdown() }
        try await expectEventually { await server.isDraining }
        let response = try await client.response(to: "P/1.1\r\nHost: h\r\n\r\n")
        #expect(response.text == "/b")
        #expect(response["Connection"] == "close")
        await client.close()
        await stopping.value
    }

    @Test func `Empty lines don't keep a server from stopping`() async throws {
        let server = try startServer(configure: { $0.timeouts.head = .seconds(60) }, Gate().handler)
        let client = try await RawClient.connect(to: server.address)
        #expect(try await client.response(to: request("GET /a") + "\r\n").text == "/a")
        let duration = await ContinuousClock().measure { await server.shutdown() }
        // The server would cut it after 30 s.
        #expect(duration < .seconds(25))
        #expect(try await client.receiveToEnd() == ([], .closed))
    }

    @Test func `Connections that were accepted last are closed too`() async throws {
        let server = try startServer(Gate().handler)
        var clients: [RawClient] = []
        for _ in 0..<20 { clients.append(try await RawClient.connect(to: server.address)) }
        let stopping = Task { await server.shutdown() }
        for client in clients {
            #expect(try await client.receiveToEnd() == ([], .closed))
            await client.close()
        }
        await stopping.value
        #expect(server.connectionCount == 0)
    }

    @Test func `A response that isn't finished in time is cut`() async throws {
        let cancelled = Signal()
        let begun = Signal()
        let handler = FunctionHandler { _ in
            begun.fire()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.fire()
            }
            return Response()
        }
        let server = try startServer(configure: { $0.timeouts.drain = .milliseconds(100) }, handler)
        let client = try await RawClient.connect(to: server.address)
        try await client.send(request())
        await begun.wait()
        let duration = await ContinuousClock().measure { await server.shutdown() }
        #expect(duration >= .milliseconds(100))
        // The default limit is 30 s.
        #expect(duration < .seconds(25))
        await cancelled.wait()
        #expect(try await client.receiveToEnd().bytes == [])
    }

    /// A cancelled handler still runs to its end. Otherwise, its resources would never be freed.
    @Test(arguments: [false, true])
    func `A handler that is cut off runs to its end`(_ offloads: Bool) async throws {
        let begun = Signal()
        let ended = Signal()
        let goOn = Signal()
        let handler = FunctionHandler { _ in
            begun.fire()
            defer { ended.fire() }
            await goOn.wait()
            if offloads { try await Blocking.run {} }
            return Response()
        }
        let server = try startServer(configure: { $0.timeouts.drain = .milliseconds(50) }, handler)
        let client = try await RawClient.connect(to: server.address)
        try await client.send(request())
        await begun.wait()
        await server.shutdown()
        goOn.fire()
        try await expectEventually(within: .seconds(30)) { ended.hasFired }
        await client.close()
    }

    @Test func `An idle server stops at once`() async throws {
        let server = try startServer(Gate().handler)
        await server.shutdown()
        await server.shutdown()
        await #expect(throws: RawClientError.self) { try await RawClient.connect(to: server.address) }
    }

    @Test func `The same port can be used again`() async throws {
        let first = try startServer(Gate().handler)
        let client = try await RawClient.connect(to: first.address)
        #expect(try await client.response(to: request("GET /a")).text == "/a")
        let stopping = Task { await first.shutdown() }
        _ = try await client.receiveToEnd()
        await client.close()
        await stopping.value
        let second = try startServer(port: Int(first.address.port), Gate().handler)
        let other = try await RawClient.connect(to: second.address)
        #expect(try await other.response(to: request("GET /b")).text == "/b")
        await other.close()
        await second.shutdown()
    }
}

extension RunningServer {
    /// Whether the connections know that the server stops.
    fileprivate var isDraining: Bool {
        get async {
            let draining = Recorder<Bool>()
            await forEachConnection { draining.record($0.machine.isDraining) }
            return !draining.events.contains(false)
        }
    }
}
