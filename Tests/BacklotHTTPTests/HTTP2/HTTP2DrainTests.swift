import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// The server stops while HTTP/2 is spoken (RFC 9113, section 6.8). One after the other, as `ShutdownTests`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTP2DrainTests {
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

    /// The server responds to all requests that the client sent before it saw the notice, and to no later ones.
    @Test func `A server that stops finishes open streams and refuses later ones`() async throws {
        let gate = Gate()
        // Long enough for any machine: the client acknowledges the PING, and closes.
        let server = try startServer(configure: { $0.timeouts.linger = .seconds(30) }, gate.handler)
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.send(.headers(1, Frame.get("/slow")))
        await gate.begun.wait()
        let stopping = Task { await server.shutdown() }
        let notice = try #require(try await client.first(.goAway))
        #expect(notice.lastStream == 0x7FFF_FFFF && notice.errorCode == 0)
        let ping = try #require(try await client.first { $0.kind == .ping && $0.flags == 0 })
        // As far as the server knows, the client hasn't seen the notice yet.
        try await client.send(.headers(3, Frame.get("/late")))
        let late = try await client.response(on: 3)
        #expect(late.text == "/late")
        try await client.send(
            .headers(5, Frame.get("/later")),
            Frame(.ping, flags: Frame.acknowledgement, ping.payload)
        )
        let goAway = try #require(try await client.first(.goAway))
        #expect(goAway.lastStream == 5 && goAway.errorCode == 0)
        let later = try await client.response(on: 5)
        #expect(later.text == "/later")
        try await client.send(.headers(7, Frame.get("/too-late")))
        gate.goOn.fire()
        let slow = try await client.response(on: 1)
        #expect(slow.text == "slow")
        let rest = try await client.receiveToEnd()
        #expect(!rest.contains { $0.stream == 7 })
        let end = await client.end
        #expect(end == .closed)
        await client.close()
        await stopping.value
        #expect(server.connectionCount == 0)
    }

    /// The client could repeat a request behind the number in the last GOAWAY, although its handler has run (RFC 9113, section 6.8).
    @Test func `A request right behind the acknowledgement gets its response`() async throws {
        let gate = Gate()
        let server = try startServer(configure: { $0.timeouts.linger = .seconds(30) }, gate.handler)
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.send(.headers(1, Frame.get("/slow")))
        await gate.begun.wait()
        let stopping = Task { await server.shutdown() }
        let ping = try #require(try await client.first { $0.kind == .ping && $0.flags == 0 })
        // One piece of bytes, which the server reads at once.
        try await client.send(
            Frame(.ping, flags: Frame.acknowledgement, ping.payload),
            .headers(3, Frame.get("/behind"))
        )
        let goAway = try await client.first { $0.kind == .goAway && $0.lastStream != 0x7FFF_FFFF }
        #expect(goAway?.lastStream == 3 && goAway?.errorCode == 0)
        gate.goOn.fire()
        #expect(try await client.response(on: 3).text == "/behind")
        #expect(try await client.response(on: 1).text == "slow")
        _ = try await client.receiveToEnd()
        await client.close()
        await stopping.value
    }

    @Test func `A client that doesn't acknowledge the PING can't keep a server from stopping`() async throws {
        let server = try startServer(configure: { $0.timeouts.linger = .milliseconds(200) }, Gate().handler)
        let client = try await HTTP2Client.connect(to: server.address)
        #expect(try await client.exchange().status == 200)
        let stopping = Task { await server.shutdown() }
        let frames = try await client.receiveToEnd().filter { $0.kind == .goAway }
        #expect(frames.map(\.lastStream) == [0x7FFF_FFFF, 1])
        await client.close()
        await stopping.value
    }

    @Test func `A streamed response is finished`() async throws {
        let begun = Signal()
        let goOn = Signal()
        let handler = streaming { writer in
            try await writer.write("a")
            begun.fire()
            await goOn.wait()
            try await writer.write("b")
        }
        let server = try startServer(handler)
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.send(.headers(1))
        await begun.wait()
        let stopping = Task { await server.shutdown() }
        let ping = try #require(try await client.first { $0.kind == .ping })
        try await client.send(Frame(.ping, flags: Frame.acknowledgement, ping.payload))
        _ = try await client.first { $0.kind == .goAway && $0.lastStream == 1 }
        goOn.fire()
        #expect(try await client.response().text == "ab")
        _ = try await client.receiveToEnd()
        await client.close()
        await stopping.value
    }

    @Test func `A stream that isn't finished in time is cut`() async throws {
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
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.send(.headers(1))
        await begun.wait()
        await server.shutdown()
        await cancelled.wait()
        let frames = try await client.receiveToEnd()
        #expect(!frames.contains { $0.kind == .headers })
    }

    /// The shutdown begins within the preface: the client gets its response, and a GOAWAY.
    @Test func `A connection that starts late is served and then closed`() async throws {
        let gate = Gate()
        let server = try startServer(gate.handler)
        let client = try await HTTP2Client.connect(to: server.address, settings: nil)
        try await client.raw.send(Array(Frame.preface[..<5]))
        try await expectEventually { await server.hasPartialHead }
        let stopping = Task { await server.shutdown() }
        try await expectEventually { await server.isStopping }
        try await client.raw.send(Frame.preface[5...] + Frame.settings().bytes() + Frame.headers(1).bytes())
        #expect(try await client.response().text == "/")
        #expect(try await client.first(.goAway)?.errorCode == 0)
        await client.close()
        await stopping.value
    }

    @Test func `A client that sends GOAWAY gets its responses before the end`() async throws {
        let gate = Gate()
        try await withHTTP2Client(gate.handler) { client, _ in
            try await client.send(.headers(1, Frame.get("/slow")), .goAway())
            await gate.begun.wait()
            gate.goOn.fire()
            #expect(try await client.response().text == "slow")
            _ = try await client.receiveToEnd()
            let end = await client.end
            #expect(end == .closed)
        }
    }
}

extension RunningServer {
    fileprivate var isStopping: Bool {
        get async {
            let draining = Recorder<Bool>()
            await forEachConnection { draining.record($0.machine.isDraining) }
            return draining.events == [true]
        }
    }

    fileprivate var hasPartialHead: Bool {
        get async {
            let found = Recorder<Bool>()
            await forEachConnection { found.record($0.machine.isInHead) }
            return found.events == [true]
        }
    }
}
