import TestSupport
import Testing

@testable import BacklotHTTP

/// An error that ends the connection, and more frames behind it in the same segment. The server ignores them, even malformed ones
/// (CVE-2026-27135).
@Suite(.timeLimit(.minutes(5))) struct ErrorThenFrameTests {
    private static let errors: [(name: String, bytes: [UInt8], code: ErrorCode)] = [
        ("a window that opens by nothing", Frame.windowUpdate(0, 0).bytes(), .protocolError),
        ("a window beyond its bounds", Frame.windowUpdate(0, 0x7FFF_FFFF).bytes(), .flowControl),
        ("HEADERS on stream 0", Frame.headers(0).bytes(), .protocolError),
        ("HEADERS that can't be read", Frame(.headers, flags: 5, stream: 1, [0x40, 0x0A]).bytes(), .compression),
        ("DATA on an idle stream", Frame.data(1).bytes(), .protocolError),
        ("a request on an even stream", Frame.headers(2).bytes(), .protocolError),
        ("CONTINUATION of nothing", Frame.continuation(1, []).bytes(), .protocolError),
        ("SETTINGS of 3 bytes", Frame(.settings, [0, 3, 0]).bytes(), .frameSize),
        ("PING on a stream", Frame(.ping, stream: 1, Array("12345678".utf8)).bytes(), .protocolError),
        ("too many SETTINGS", (0..<60).flatMap { _ in Frame.settings().bytes() }, .enhanceYourCalm),
        (
            "a request, which nobody can answer any more, and too many SETTINGS",
            Frame.headers(1, Frame.get("/before")).bytes() + (0..<60).flatMap { _ in Frame.settings().bytes() },
            .enhanceYourCalm
        ),
        (
            "HEADERS on a stream that is over",
            Frame.headers(1, Frame.post(), endStream: true).bytes() + Frame.headers(1).bytes(), .streamClosed
        ),
    ]

    private static let followers: [(name: String, bytes: [UInt8])] =
        (0..<10).map { ("type \($0) of 3 bytes", Frame(type: $0, stream: 1, [0, 0, 1]).bytes()) }
        + [
            ("ALTSVC", Frame(type: 0xA, [0, 9, 1]).bytes()), ("ORIGIN", Frame(type: 0xC, [0, 9]).bytes()),
            ("PRIORITY_UPDATE", Frame(type: 0x10, [0, 0, 0]).bytes()),
            ("an unknown type", Frame(type: 0xFF, stream: 5, [1]).bytes()),
            ("a frame of 16 MB", Frame(type: 0, stream: 1).bytes(length: 0xFF_FFFF)),
            ("half a frame", Array(Frame.headers(3).bytes().dropLast(4))),
            ("bytes of 255", [UInt8](repeating: 0xFF, count: 60)),
            ("zeros", [UInt8](repeating: 0, count: 60)),
            ("another error", Frame.windowUpdate(0, 0).bytes()),
            ("a request", Frame.headers(9, Frame.get("/after")).bytes()),
            (
                "half a header list",
                Frame.headers(9, Frame.get("/after"), endHeaders: false).bytes() + Frame.ping().bytes()
            ),
        ]

    @Test(arguments: TestTransport.allCases)
    func `Frames behind an error are ignored`(_ transport: TestTransport) async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.path)
            return Response()
        }
        try await withTestServer(over: transport, handler) { server in
            for error in Self.errors {
                // A handshake for each takes its time.
                for follower in transport == .tls ? Array(Self.followers.suffix(6)) : Self.followers {
                    let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
                    try await client.raw.send(error.bytes + follower.bytes + follower.bytes)
                    let verdict = try await HTTP2Case.verdict(client)
                    #expect(verdict == .connection(error.code), "\(error.name), then \(follower.name)")
                    await client.close()
                }
            }
            #expect(!seen.events.contains("/after") && !seen.events.contains("/before"))
            let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
            #expect(try await client.exchange().status == 200)
        }
    }

    /// The same after an error that ends one stream: the bad frame still ends the connection.
    @Test func `A bad frame behind a reset ends the connection`() async throws {
        try await withHTTP2Client(FunctionHandler { _ in Response() }) { client, _ in
            try await client.send(.headers(1, [("A", "b")]), Frame(.settings, [0, 3, 0]), .headers(3))
            let frames = try await client.receiveToEnd()
            #expect(frames.last?.kind == .goAway && frames.last?.errorCode == ErrorCode.frameSize.rawValue)
        }
    }

    /// The server has ended the connection itself, and its client reads nothing: the end waits, and frames come.
    @Test func `Frames are ignored after the server has ended the connection`() async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.path)
            return Response()
        }
        try await withTestServer(handler) { server in
            for follower in Self.followers {
                let read = try await self.read([], then: follower.bytes, server)
                #expect(read.code == ErrorCode.none, "\(follower.name)")
                #expect(read.isNothing, "\(follower.name)")
            }
            #expect(seen.events == [])
        }
    }

    /// The server has read an error, and reads a bad frame before it has sent GOAWAY.
    @Test func `Frames in the read after an error are ignored`() async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            seen.record(request.path)
            return Response()
        }
        try await withTestServer(handler) { server in
            for error in Self.errors {
                for follower in Self.followers {
                    let read = try await self.read(error.bytes, then: follower.bytes, server)
                    #expect(read.code == error.code, "\(error.name), then \(follower.name)")
                    // After an error that it has found itself, the library reads nothing.
                    let isOurs = error.code == .enhanceYourCalm
                    #expect(read.isNothing || !isOurs, "\(error.name), then \(follower.name)")
                }
            }
            #expect(!seen.events.contains("/after") && !seen.events.contains("/before"))
        }
    }

    /// Makes a connection read an error, or end without one, and then read `follower`, before the server can send its output.
    ///
    /// - Returns: the code that the client gets, and whether the second read changed nothing.
    private func read(
        _ error: [UInt8],
        then follower: [UInt8],
        _ server: RunningServer
    ) async throws -> (code: ErrorCode?, isNothing: Bool) {
        let client = try await HTTP2Client.connect(to: server.address)
        try await client.roundTrip()
        let isNothing = Recorder<Bool>()
        await server.forEachConnection { connection in
            guard let http2 = connection.http2, http2.state.ending.stage == .none else { return }
            _ = connection.machine.beginRound()
            if error.isEmpty { http2.terminate(.noError) } else { http2.receive(error.span) }
            let (streams, input) = (http2.streams.count, http2.state.input)
            http2.receive(follower.span)
            // The library ignores some frames by itself, but not before it has counted them.
            let after = http2.state.input
            isNothing.record(
                (streams, input.numbers, input.budget) == (http2.streams.count, after.numbers, after.budget)
            )
            connection.endRound()
        }
        let code = try await client.receiveToEnd().last?.errorCode
        await client.close()
        return (code.flatMap(ErrorCode.init), isNothing.events == [true])
    }
}
