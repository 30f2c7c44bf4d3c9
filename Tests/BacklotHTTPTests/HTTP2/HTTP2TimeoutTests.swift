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
}
