import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that let the server wait.
@Suite(.timeLimit(.minutes(5))) struct HTTP2TimeoutTests {
    private static let handler = FunctionHandler { request in
        guard request.path == "/large" else { return Response(body: .bytes(try await request.body.collect())) }
        return Response(body: .bytes([UInt8](repeating: 1, count: 200_000)))
    }

    /// CVE-2019-9514 and similar attacks: a connection without a request.
    @Test(arguments: ["preface", "settings", "pings", "half a header list", "half a frame"])
    func `A connection without a request is closed in time`(_ what: String) async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.head = .milliseconds(500)
            $0.timeouts.idle = .seconds(60)
        }
        try await withTestServer(configure: configure, Self.handler) { server in
            var bytes = Frame.preface
            if what != "preface" { bytes += Frame.settings().bytes() }
            if what == "half a header list" { bytes += Frame.headers(1, endHeaders: false).bytes() }
            if what == "half a frame" { bytes += Frame.headers(1).bytes().dropLast(5) }
            let client = try await server.whileNothingIsAccepted {
                let client = try await HTTP2Client.connect(to: server.address, settings: nil)
                try await client.raw.send(bytes)
                return client
            }
            let pinging = Task {
                while what == "pings", !Task.isCancelled {
                    try await client.send(.ping())
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let frames = try await client.receiveToEnd()
            pinging.cancel()
            _ = await pinging.result
            #expect(frames.last { $0.kind == .goAway }?.errorCode == 0)
            let end = await client.end
            #expect(end != .stillOpen)
        }
    }

    @Test func `An idle connection is closed without an error`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.idle = .milliseconds(300)
            $0.timeouts.head = .seconds(60)
        }
        try await withHTTP2Client(configure: configure, Self.handler) { client, _ in
            #expect(try await client.exchange().status == 200)
            let frames = try await client.receiveToEnd()
            #expect(frames.last?.kind == .goAway && frames.last?.errorCode == 0)
            let end = await client.end
            #expect(end == .closed)
        }
    }

    /// A header list that never ends begins while the server still prepares a response.
    @Test func `A header list that doesn't end ends the connection`() async throws {
        let handler = FunctionHandler { _ in
            try await Task.sleep(for: .seconds(60))
            return Response()
        }
        try await withTestServer(configure: { $0.timeouts.head = .milliseconds(300) }, handler) { server in
            let client = try await server.whileNothingIsAccepted {
                let client = try await HTTP2Client.connect(to: server.address)
                try await client.send(.headers(1), .headers(3, endHeaders: false))
                return client
            }
            #expect(try await client.first(.goAway) != nil)
        }
    }

    /// The handler gets the error and responds with 408. Other streams continue.
    @Test func `A body that doesn't come is a 408, and other streams continue`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.body = .milliseconds(300)
            $0.timeouts.idle = .seconds(60)
        }
        try await withHTTP2Client(configure: configure, Self.handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false), .data(1, [1], endStream: false))
            #expect(try await client.response().status == 408)
            #expect(try await client.exchange(3).status == 200)
        }
    }

    /// Slow bytes don't count as progress: the client must keep the least rate.
    @Test func `A body that drips in is a 408`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.body = .seconds(60)
            $0.timeouts.rateGrace = .milliseconds(300)
            $0.limits.leastRate = 1_000_000
        }
        try await withHTTP2Client(configure: configure, Self.handler) { client, _ in
            try await client.send(.headers(1, Frame.post(), endStream: false))
            let dripping = Task {
                while !Task.isCancelled {
                    try await client.send(.data(1, [1], endStream: false))
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(try await client.response().status == 408)
            dripping.cancel()
            _ = await dripping.result
        }
    }

    /// A window that never opens: CVE-2019-9511 and 9517.
    @Test func `A stream whose window doesn't open is reset`() async throws {
        try await withHTTP2Client(configure: { $0.timeouts.write = .milliseconds(300) }, Self.handler) { client, _ in
            try await client.send(.headers(1, Frame.get("/large")))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, ErrorCode.cancel.rawValue))
            #expect(try await client.exchange(3, Frame.get("/", method: "HEAD")).status == 200)
        }
    }

    @Test func `A stream whose window opens byte by byte is reset`() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.write = .seconds(60)
            $0.timeouts.rateGrace = .milliseconds(300)
            $0.limits.leastRate = 1_000_000
        }
        try await withHTTP2Client(settings: [(4, 1)], configure: configure, Self.handler) { client, _ in
            try await client.send(.headers(1, Frame.get("/large")))
            let dripping = Task {
                while !Task.isCancelled {
                    try await client.send(.windowUpdate(1, 1))
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let reset = try await client.first(.reset)
            #expect(reset == .reset(1, ErrorCode.cancel.rawValue))
            dripping.cancel()
            _ = await dripping.result
        }
    }

    /// A client that doesn't read, after the system's buffers are full.
    @Test func `A client that doesn't read is cut`() async throws {
        let handler = FunctionHandler { _ in Response(body: .bytes([UInt8](repeating: 1, count: 50_000_000))) }
        try await withTestServer(configure: { $0.timeouts.write = .milliseconds(300) }, handler) { server in
            let client = try await HTTP2Client.connect(
                to: server.address,
                receiveBuffer: 4096,
                settings: [(4, 0x7FFF_FFFF)]
            )
            try await client.send(.windowUpdate(0, 0x7000_0000), .headers(1))
            try await expectEventually(within: .seconds(10)) { server.connectionCount == 0 }
            await client.close()
        }
    }

    // MARK: Output that waits

    /// Calls `body` while output waits for a client that reads nothing: too little to keep the server from reading.
    ///
    /// - Parameter body: gets the number of the next stream, and the errors of bodies.
    private func withWaitingOutput(
        _ body: (HTTP2Client, UInt32, RunningServer, Recorder<RequestError>) async throws -> Void
    ) async throws {
        let (handled, errors) = (Recorder<String>(), Recorder<RequestError>())
        let handler = FunctionHandler { request in
            handled.record(request.path)
            guard request.path == "/body" else { return Response(body: .bytes([UInt8](repeating: 1, count: 16_000))) }
            do { return Response(body: .bytes(try await request.body.collect())) } catch let error as RequestError {
                errors.record(error)
                throw error
            }
        }
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.head = .milliseconds(300)
            $0.timeouts.body = .milliseconds(300)
            // Longer than the test waits.
            $0.timeouts.write = .seconds(60)
            $0.timeouts.rateGrace = .seconds(60)
        }
        try await withTestServer(configure: configure, handler) { server in
            let client = try await server.whileNothingIsAccepted {
                let client = try await HTTP2Client.connect(
                    to: server.address,
                    receiveBuffer: 4096,
                    settings: [(4, 1_000_000)]
                )
                try await client.send(.windowUpdate(0, 1_000_000_000), .headers(1))
                return client
            }
            // More responses than needed: the system may accept a few later.
            var waiting = 0
            for number in 2...1000 where waiting < 3 {
                try await client.send(.headers(UInt32(2 * number - 1)))
                try await expectEventually { handled.events.count == number }
                let hasOutput = Recorder<Bool>()
                await server.forEachConnection { hasOutput.record($0.output != nil) }
                if hasOutput.events == [true] { waiting += 1 }
            }
            try #require(waiting == 3)
            try await body(client, UInt32(2 * handled.events.count + 1), server, errors)
            await client.close()
        }
    }

    @Test func `A body that doesn't come is given up while output waits`() async throws {
        try await withWaitingOutput { client, stream, _, errors in
            try await client.send(.headers(stream, Frame.post("/body"), endStream: false))
            try await expectEventually { errors.events == [.timedOut("the body of the request")] }
        }
    }

    @Test func `A header list that doesn't end ends the connection while output waits`() async throws {
        try await withWaitingOutput { client, stream, server, _ in
            try await client.send(.headers(stream, endHeaders: false))
            try await expectEventually {
                let ended = Recorder<Bool>()
                await server.forEachConnection { ended.record($0.http2?.state.ending.isTerminated ?? false) }
                return ended.events == [true]
            }
        }
    }

    /// Its window opens behind half a minute or more of output at the least rate.
    @Test func `A body has more time while its window opens behind output`() async throws {
        try await withWaitingOutput { client, stream, server, _ in
            let frames: [Frame] = [
                .headers(stream, Frame.post("/body"), endStream: false), .data(stream, [1], endStream: false),
            ]
            try await client.send(frames)
            try await expectEventually {
                let hasTime = Recorder<Bool>()
                await server.forEachConnection {
                    hasTime.record($0.http2.map { $0.windowsKnown > $0.now + 20_000 } ?? false)
                }
                return hasTime.events == [true]
            }
        }
    }
}
