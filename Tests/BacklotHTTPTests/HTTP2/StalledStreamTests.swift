import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients of HTTP/2 that ask for much and take nothing.
@Suite(.timeLimit(.minutes(5))) struct StalledStreamTests {
    private static let megabyte = 1024 * 1024

    /// A connection that has opened `count` streams and lets nothing through.
    private func stall(
        _ server: RunningServer,
        _ count: UInt32,
        path: String = "/file"
    ) async throws -> HTTP2Client {
        let client = try await HTTP2Client.connect(to: server.address, settings: [(4, 0)])
        for stream in 0..<count { try await client.send(.headers(2 * stream + 1, Frame.get(path))) }
        try await client.roundTrip()
        return client
    }

    private func withFile(_ body: (OpenFile) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = try folder.write([UInt8](repeating: 0x61, count: Self.megabyte), to: "file")
            try await body(try OpenFile(path))
        }
    }

    @Test func `A stream without a window reads no bytes of its file and isn't in flight`() async throws {
        try await withFile { file in
            try await withTestServer(configure: { $0.limits.requestsInFlight = 1 }) { _ in
                Response(body: .file(FileSlice(file)))
            } _: { server in
                let stalled = try await stall(server, 50)
                // Nothing beside the streams: no bytes of the file.
                #expect(try await eventually { server.context.buffers.use == 50 * HTTP2Stream.cost })
                #expect(server.context.requestsInFlight.load(ordering: .relaxed) == 0)
                // Once the window opens, the file comes.
                try await stalled.send(.windowUpdate(0, 10_000_000), .windowUpdate(1, 10_000_000))
                #expect(try await stalled.response(on: 1).body.count == Self.megabyte)
                await stalled.close()
            }
        }
    }

    /// The one that holds most loses its oldest; the other's only stream stays.
    @Test func `Under pressure, the largest holder loses its stalest streams`() async throws {
        try await withFile { file in
            let configure: (inout ServerConfiguration) -> Void = {
                $0.eventLoops = 1
                $0.limits.bufferedBytes = 40 * HTTP2Stream.cost
            }
            try await withTestServer(configure: configure) { request in
                request.path == "/file" ? Response(body: .file(FileSlice(file))) : .text("fine")
            } _: { server in
                let small = try await stall(server, 1)
                let large = try await stall(server, 25)
                try await Task.sleep(for: .milliseconds(1100))
                let other = try await stall(server, 6)
                let reset = try await large.first(.reset)
                #expect(reset?.stream == 1)
                #expect(reset?.errorCode == ErrorCode.enhanceYourCalm.rawValue)
                try await small.roundTrip()
                #expect(await !small.hasPending(.reset))
                let third = try await HTTP2Client.connect(to: server.address)
                #expect(try await third.exchange(1, Frame.get("/page")).text == "fine")
                for client in [small, large, other, third] { await client.close() }
            }
        }
    }

    /// Nobody begins any number of streams while memory is short; others begin theirs.
    @Test func `Under pressure, streams beyond a few are refused`() async throws {
        try await withFile { file in
            let configure: (inout ServerConfiguration) -> Void = {
                $0.eventLoops = 1
                $0.limits.bufferedBytes = 40 * HTTP2Stream.cost
            }
            try await withTestServer(configure: configure) { request in
                request.path == "/file" ? Response(body: .file(FileSlice(file))) : .text("fine")
            } _: { server in
                let greedy = try await stall(server, 60)
                #expect(try await eventually { server.context.buffers.use <= 40 * HTTP2Stream.cost })
                // If several streams come at once, the server ends the first stalled one before it refuses another.
                let refused = try #require(try await greedy.first(.reset)?.errorCode)
                #expect([ErrorCode.refusedStream, .enhanceYourCalm].contains { $0.rawValue == refused })
                let other = try await HTTP2Client.connect(to: server.address)
                #expect(try await other.exchange(1, Frame.get("/page")).text == "fine")
                await greedy.close()
                await other.close()
            }
        }
    }

    /// A request that a handler works on doesn't make its connection look stalled.
    @Test func `A handler at work doesn't make its client look stalled`() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let handler = FunctionHandler { _ in
            begun.fire()
            await goOn.wait()
            return .text("fine")
        }
        try await withHTTP2Client(configure: { $0.eventLoops = 1 }, handler) { client, server in
            try await client.send(.headers(1, Frame.get("/slow")))
            await begun.wait()
            let isCurrent = Recorder<Bool>()
            await server.forEachConnection { isCurrent.record($0.loop.clock.now - $0.lastAdvance < 10_000) }
            #expect(isCurrent.events == [true])
            goOn.fire()
            #expect(try await client.response().text == "fine")
        }
    }

    @Test func `A file of exactly the window ends with its last bytes`() async throws {
        try await withTemporaryFolder { folder in
            let file = try OpenFile(try folder.write([UInt8](repeating: 0x61, count: 65_535), to: "file"))
            try await withTestServer { _ in
                Response(body: .file(FileSlice(file)))
            } _: { server in
                let client = try await HTTP2Client.connect(to: server.address)
                #expect(try await client.exchange().body.count == 65_535)
            }
        }
    }

    @Test func `A file that became shorter resets only its stream`() async throws {
        try await withTemporaryFolder { folder in
            let file = try OpenFile(try folder.write([UInt8](repeating: 0x61, count: 100_000), to: "file"))
            try folder.truncate("file", to: 1)
            try await withTestServer { request in
                request.path == "/file" ? Response(body: .file(FileSlice(file))) : .text("fine")
            } _: { server in
                let client = try await HTTP2Client.connect(to: server.address)
                try await client.send(.headers(1, Frame.get("/file")))
                #expect(try await client.first(.reset)?.errorCode == ErrorCode.internalError.rawValue)
                #expect(try await client.exchange(3, Frame.get("/page")).text == "fine")
            }
        }
    }
}
