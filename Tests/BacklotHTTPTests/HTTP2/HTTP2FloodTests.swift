import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients that make the server work for nothing.
@Suite(.timeLimit(.minutes(5))) struct HTTP2FloodTests {
    private static let floods: [Flood] = [
        // CVE-2019-9515
        Flood("SETTINGS") { _ in [.settings()] },
        // CVE-2019-9512
        Flood("PING") { _ in [.ping()] },
        Flood("answers to PING") { _ in [.ping(acknowledges: true)] },
        // CVE-2019-9513
        Flood("PRIORITY") { [.priority(2 * $0 + 1)] },
        Flood("GOAWAY", before: .headers(1, Frame.get("/long"))) { _ in [.goAway()] },
        Flood("WINDOW_UPDATE", rounds: 6000) { _ in [.windowUpdate(0, 1)] },
        // CVE-2019-9518
        Flood("empty DATA", before: .headers(1, Frame.post(), endStream: false), rounds: 500) { _ in
            [.data(1, endStream: false)]
        },
        Flood("DATA of nothing but padding", before: .headers(1, Frame.post(), endStream: false), rounds: 500) { _ in
            [Frame(.data, flags: 0x8, stream: 1, [1, 0])]
        },
        // CVE-2023-44487, "rapid reset"
        Flood("opening and resetting") { [.headers(2 * $0 + 1), .reset(2 * $0 + 1)] },
        Flood("opening and resetting what takes long") {
            [.headers(2 * $0 + 1, Frame.get("/long")), .reset(2 * $0 + 1)]
        },
        // CVE-2025-8671, "MadeYouReset"
        .resets(by: "an overflowing window") { [.windowUpdate($0, 0x7FFF_FFFF)] },
        .resets(by: "a window that opens by nothing") { [.windowUpdate($0, 0)] },
        .resets(by: "DATA after the end") { [.data($0, [1])] },
        .resets(by: "HEADERS after the end") { [.headers($0, [("a", "b")])] },
        .resets(by: "PRIORITY of a wrong length") { [Frame(.priority, stream: $0, [0, 0, 0, 0])] },
        .resets(by: "PRIORITY that depends on itself") { [.priority($0, dependsOn: $0)] },
        Flood("resets by malformed requests") { [.headers(2 * $0 + 1, [("A", "b")])] },
        .resets(by: "more streams than are allowed") { _ in [] },
        // CVE-2024-28182
        Flood("CONTINUATION", before: .headers(1, endHeaders: false), rounds: 50) { _ in
            [.continuation(1, [], endHeaders: false)]
        },
        Flood("CONTINUATION with fields", before: .headers(1, endHeaders: false), rounds: 50) { _ in
            [.continuation(1, HPACKLiterals.encode("a", "b"), endHeaders: false)]
        },
    ]

    private static let handler = FunctionHandler { request in
        if request.path == "/long" { try await Task.sleep(for: .seconds(60)) }
        return Response(body: .bytes(try await request.body.collect()))
    }

    @Test(arguments: floods, TestTransport.allCases)
    func `A flood ends its connection with ENHANCE_YOUR_CALM, and no other`(
        _ flood: Flood,
        _ transport: TestTransport
    ) async throws {
        try await withHTTP2Client(
            over: transport,
            Self.handler
        ) { client, server in
            let other = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
            let sending = Task {
                try await client.send(flood.before)
                for start in stride(from: 0, to: flood.rounds, by: 50) {
                    try await client.send((start..<(start + 50)).flatMap { flood.frames(UInt32($0)) })
                }
            }
            let goAway = try await client.first(.goAway)
            let codes = [ErrorCode.enhanceYourCalm.rawValue] + (flood.isAProtocolError ? [1, 5, 6] : [])
            #expect(goAway?.errorCode.map(codes.contains) == true, "\(String(describing: goAway))")
            _ = try await client.receiveToEnd()
            let end = await client.end
            #expect(end != .stillOpen)
            _ = await sending.result
            #expect(try await other.exchange().status == 200)
            await client.close()
            await other.close()
        }
    }

    /// Few handlers begin, and no more run at once than streams are allowed, even if something resets the streams.
    @Test(arguments: floods.filter { $0.testDescription.contains("reset") }, TestTransport.allCases)
    func `A flood of resets gathers no handlers`(_ flood: Flood, _ transport: TestTransport) async throws {
        let begun = Atomic(0)
        let running = Atomic(0)
        let most = Atomic(0)
        let goOn = Signal()
        let handler = FunctionHandler { _ in
            begun.add(1, ordering: .relaxed)
            most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            await goOn.wait()
            running.subtract(1, ordering: .relaxed)
            return Response()
        }
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.streams = 10 }
        try await withHTTP2Client(over: transport, configure: configure, handler) { client, _ in
            let sending = Task {
                for start in stride(from: 0, to: flood.rounds, by: 50) {
                    try await client.send((start..<(start + 50)).flatMap { flood.frames(UInt32($0)) })
                }
            }
            _ = try await client.receiveToEnd()
            _ = await sending.result
            #expect(most.load(ordering: .relaxed) <= 10)
            #expect(begun.load(ordering: .relaxed) <= 10)
            goOn.fire()
            #expect(try await eventually { running.load(ordering: .relaxed) == 0 })
        }
    }

    /// The clients of a proxy leave event streams for as long as it runs. 30 a second used to end its connection after 24 seconds.
    @Test
    func `Streams of events that are left don't end the connection, and too many others do, with a line in the log`()
        async throws
    {
        let log = Recorder<String>()
        let events = FunctionHandler { _ in
            Response(
                body: .stream { writer in
                    try await writer.write("data: hello\n\n")
                    try await Task.sleep(for: .seconds(60))
                }
            )
        }
        try await withHTTP2Client(log: log, events) { client, _ in
            for stream in stride(from: UInt32(1), to: 1200, by: 2) {
                try await client.send(.headers(stream, Frame.get()))
                _ = try #require(try await client.first { $0.stream == stream && $0.kind == .data })
                try await client.send(.reset(stream))
            }
            try await client.roundTrip()
            #expect(await !client.hasPending(.goAway))
            for stream in stride(from: UInt32(1201), to: 2400, by: 2) {
                try? await client.send(.headers(stream, Frame.get()), .reset(stream))
            }
            #expect(try await client.first(.goAway)?.errorCode == ErrorCode.enhanceYourCalm.rawValue)
        }
        let line = log.events.first { $0.contains("ended the HTTP/2 connection of 127.0.0.1") } ?? ""
        #expect(line.contains("too many frames of the kind 'reset' (error code 11 of RFC 9113)"), "\(log.events)")
    }

    /// Handlers of requests that were reset run on until they notice: a client can't gather more of them than it may have
    /// streams.
    @Test func `Handlers of reset streams count towards the limit of streams`() async throws {
        let running = Atomic(0)
        let most = Atomic(0)
        let goOn = Signal()
        let handler = FunctionHandler { request in
            guard request.path == "/long" else { return Response() }
            let count = running.add(1, ordering: .relaxed).newValue
            most.max(count, ordering: .relaxed)
            await goOn.wait()
            running.subtract(1, ordering: .relaxed)
            return Response()
        }
        try await withHTTP2Client(configure: { $0.limits.streams = 10 }, handler) { client, server in
            // The server learns from this that its settings are known.
            try await client.send(.settingsAcknowledgement)
            for index in 0..<50 {
                let stream = UInt32(2 * index + 1)
                try await client.send(.headers(stream, Frame.get("/long")))
                try await client.roundTrip()
                try await client.send(.reset(stream))
            }
            try await client.roundTrip()
            #expect(most.load(ordering: .relaxed) == 10)
            #expect(server.context.requestsInFlight.load(ordering: .relaxed) == 10)
            // Refused so that it may be sent again.
            try await client.send(.headers(201))
            let refusal = try await client.first { $0.kind == .reset && $0.stream == 201 }
            #expect(refusal == .reset(201, ErrorCode.refusedStream.rawValue))
            goOn.fire()
            try await expectEventually { server.context.requestsInFlight.load(ordering: .relaxed) == 0 }
            #expect(try await client.exchange(203).status == 200)
        }
    }

    /// RFC 9113, section 5.1.2
    @Test func `A stream beyond the limit is refused`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            await goOn.wait()
            return .text(request.path)
        }
        try await withHTTP2Client(configure: { $0.limits.streams = 2 }, handler) { client, _ in
            try await client.send([1, 3, 5].map { .headers($0, Frame.get("/\($0)")) })
            #expect(try await client.first(.reset) == .reset(5, ErrorCode.refusedStream.rawValue))
            goOn.fire()
            for stream in [UInt32(1), 3] {
                #expect(try await client.response(on: stream).text == "/\(stream)")
            }
        }
    }

    /// In all connections together.
    @Test func `A request beyond the limit in flight is a 503`() async throws {
        let goOn = Signal()
        let handler = FunctionHandler { _ in
            await goOn.wait()
            return Response()
        }
        try await withHTTP2Client(configure: { $0.limits.requestsInFlight = 2 }, handler) { client, _ in
            try await client.send(.headers(1), .headers(3), .headers(5))
            let response = try await client.response(on: 5)
            #expect(response.status == 503 && response.fields["retry-after"] == "1")
            goOn.fire()
            _ = try await (client.response(on: 1), client.response(on: 3))
        }
    }

    @Test func `A busy client in good faith is never told to be calm`() async throws {
        try await withHTTP2Client(Self.handler) { client, _ in
            for index in 0..<1500 {
                let stream = UInt32(4 * index + 1)
                try await client.send(
                    .priority(stream + 2),
                    .headers(stream, Frame.post(), endStream: false),
                    .data(stream, [1]),
                    .windowUpdate(0, 1),
                    .headers(stream + 2, Frame.get("/long")),
                    .reset(stream + 2)
                )
                #expect(try await client.response(on: stream).status == 200)
            }
        }
    }
}
