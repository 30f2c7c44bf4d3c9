import TestSupport
import Testing

@testable import BacklotHTTP

/// All 256 types of frames, on stream 0 and on others, in every state (RFC 9113, sections 4.1 and 5.5).
extension StreamStateTests {
    /// A type that RFC 9113 doesn't know.
    private static let unknownTypes = UInt8(0xA)...0xFF

    @Test(arguments: State.allCases, TestTransport.allCases)
    func `Frames of unknown types are ignored in every state`(_ state: State, _ transport: TestTransport) async throws {
        try await inState(state, transport) { client in
            let payloads: [[UInt8]] = [[], [0], [UInt8](repeating: 0xFF, count: 40)]
            let frames = Self.unknownTypes.flatMap { type in
                [0, Self.stream, 2, 0x7FFF_FFFF].enumerated().map { index, stream in
                    let payload = payloads[(Int(type) + index) % payloads.count]
                    return Frame(type: type, flags: index.isMultiple(of: 2) ? 0xFF : 0, stream: stream, payload)
                }
            }
            try await client.send(frames + [.ping("is there")])
            #expect(try await HTTP2Case.verdict(client) == .nothing)
        }
    }

    private static let known: [(name: String, frame: Frame, verdict: HTTP2Case.Verdict)] = [
        ("DATA", .data(0, [1]), .connection(.protocolError)),
        ("HEADERS", .headers(0), .connection(.protocolError)),
        ("PRIORITY", .priority(0, dependsOn: 1), .connection(.protocolError)),
        ("RST_STREAM", .reset(0), .connection(.protocolError)),
        ("SETTINGS", .settings([(3, 1)]), .nothing),
        ("PUSH_PROMISE", Frame(.pushPromise, flags: 4, [0, 0, 0, 2]), .connection(.protocolError)),
        ("PING", .ping(), .nothing),
        ("WINDOW_UPDATE", .windowUpdate(0, 1), .nothing),
        ("CONTINUATION", .continuation(0, []), .connection(.protocolError)),
    ]

    /// On stream 0 it doesn't matter what other streams are at. Those on streams are in `frames`.
    @Test(arguments: State.allCases)
    func `A known type on stream 0 has the same result in every state`(_ state: State) async throws {
        for (name, frame, expected) in Self.known {
            try await inState(state) { client in
                try await client.send(frame, .ping("is there"))
                #expect(try await HTTP2Case.verdict(client) == expected, "\(name)")
            }
        }
    }

    /// The streams stay open, and the server closes after the last one.
    @Test(arguments: State.allCases)
    func `A client's GOAWAY ends no stream`(_ state: State) async throws {
        try await inState(state) { client in
            try await client.send(.goAway(), .ping("is there"))
            while let frame = try await client.next() {
                #expect((frame.errorCode ?? 0) == 0)
                if frame == .ping("is there", acknowledges: true) { break }
            }
            let end = await client.end
            #expect(end == nil || end == .closed)
        }
    }

    /// Within a header list only its continuation may come, and nothing may be longer than 16,384 bytes (section 4.2).
    @Test(arguments: TestTransport.allCases)
    func `A frame within a header list, or too long, ends the connection`(_ transport: TestTransport) async throws {
        let handler = FunctionHandler { request in Response(body: .bytes(try await request.body.collect())) }
        try await withTestServer(over: transport, handler) { server in
            // A handshake for each takes its time.
            let step = transport == .tls ? 7 : 1
            for type in stride(from: 0, through: 0xFF, by: step).map({ UInt8($0) }) {
                for stream: UInt32 in type == 9 ? [0, 3] : [0, 1] {
                    let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
                    try await client.send(.headers(1, endHeaders: false), Frame(type: type, stream: stream))
                    let verdict = try await HTTP2Case.verdict(client)
                    #expect(verdict == .connection(.protocolError), "type \(type) on \(stream) within a list")
                    await client.close()
                }
                let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
                try await client.send(.headers(1, Frame.post(), endStream: false))
                let tooLong = [UInt8](repeating: 0, count: 16_385)
                try? await client.send(Frame(type: type, flags: 0, stream: type < 4 ? 1 : 0, tooLong))
                let verdict = try await HTTP2Case.verdict(client)
                #expect(
                    HTTP2Case.Verdict.either([.frameSize]).allows(verdict),
                    "a long one of type \(type): \(verdict)"
                )
                await client.close()
            }
        }
    }
}
