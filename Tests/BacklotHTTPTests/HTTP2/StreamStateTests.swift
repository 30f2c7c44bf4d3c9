import TestSupport
import Testing

@testable import BacklotHTTP

/// What may be sent on a stream in each of its states (RFC 9113, sections 5.1 and 5.1.1), frame by frame.
@Suite(.timeLimit(.minutes(5))) struct StreamStateTests {
    /// The stream that the frames are sent on. Others may have come before it.
    static let stream: UInt32 = 7

    /// How the stream came to its state.
    enum State: String, CaseIterable, Sendable {
        case idle
        case open
        /// The request is whole, and its answer is not.
        case halfClosed
        /// Request and answer are whole.
        case responded
        case resetByClient
        /// The answer came before the end of the request, and a reset with it.
        case resetByServer
        /// The same, of a request that is whole: it was malformed.
        case refusedWhole
        /// A stream with a higher number was opened before.
        case skipped
        /// There were too many streams: it was reset unseen.
        case tooMany
        /// The server has said that it takes no more streams.
        case goneAway
    }

    /// A frame on the stream, by its name in reports.
    struct Example: Sendable, CustomTestStringConvertible {
        let state: State
        let name: String
        let frame: Frame
        let verdict: HTTP2Case.Verdict
        var testDescription: String { "\(state): \(name)" }
    }

    private static let frames: [(name: String, frame: Frame)] = [
        ("DATA", .data(stream, [1], endStream: false)),
        ("the last DATA", .data(stream, [1])),
        ("HEADERS", .headers(stream, [("a", "b")])),
        ("CONTINUATION", .continuation(stream, HPACKLiterals.encode(Frame.get()))),
        ("RST_STREAM", .reset(stream)),
        ("WINDOW_UPDATE", .windowUpdate(stream, 10)),
        ("PRIORITY", .priority(stream)),
        ("SETTINGS", Frame(.settings, stream: stream)),
        (
            "PUSH_PROMISE",
            Frame(.pushPromise, flags: 4, stream: stream, [0, 0, 0, 2] + HPACKLiterals.encode(Frame.get()))
        ),
        ("PING", Frame(.ping, stream: stream, Array("12345678".utf8))),
        ("GOAWAY", Frame(.goAway, stream: stream, [UInt8](repeating: 0, count: 8))),
        ("an unknown type", Frame(type: 0x16, stream: stream, [1])),
    ]

    private static let examples: [Example] = State.allCases.flatMap { state in
        frames.map { Example(state: state, name: $0, frame: $1, verdict: verdict(on: $1, state)) }
    }

    /// What the RFC asks for; where it leaves a choice, what this server does.
    private static func verdict(on frame: Frame, _ state: State) -> HTTP2Case.Verdict {
        switch (frame.kind, state) {
        // A CONTINUATION frame belongs to the frame before it, whatever the stream (section 6.10).
        case (.continuation, _): .connection(.protocolError)
        // Those of the connection, and one that only servers send.
        case (.settings, _), (.pushPromise, _), (.ping, _), (.goAway, _): .connection(.protocolError)
        case (.priority, _), (nil, _): .nothing
        case (.headers, .idle): .stream(.protocolError)  // malformed, as a request
        case (_, .idle): .connection(.protocolError)
        case (_, .open): .nothing
        case (.reset, _), (.windowUpdate, _): .nothing
        // It must be an error of the stream at least, and may be one of the connection (section 5.4.1).
        case (_, .halfClosed): .connection(.streamClosed)
        case (_, .responded), (_, .resetByClient), (_, .refusedWhole): .connection(.streamClosed)
        // The client didn't know yet.
        case (_, .resetByServer), (_, .tooMany), (_, .goneAway): .nothing
        case (.headers, .skipped): .connection(.protocolError)
        case (_, .skipped): .connection(.streamClosed)
        default: .nothing
        }
    }

    @Test(arguments: examples)
    func `Each frame has the right result in each state of its stream`(_ example: Example) async throws {
        try await inState(example.state) { client in
            try await client.send(example.frame, .ping("is there"))
            let verdict = try await HTTP2Case.verdict(client)
            #expect(example.verdict.allows(verdict), "\(verdict) instead of \(example.verdict)")
        }
    }

    /// Runs `body` with a client whose stream is in that state.
    func inState(
        _ state: State,
        _ transport: TestTransport = .clearText,
        _ body: (HTTP2Client) async throws -> Void
    ) async throws {
        let goOn = Signal()
        let handler = FunctionHandler { request in
            if request.path == "/wait" { await goOn.wait() }
            return Response()
        }
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.streams = 2 }
        try await withHTTP2Client(over: transport, configure: configure, handler) { client, server in
            try await prepare(state, client, server)
            try await body(client)
            await client.close()
            goOn.fire()
        }
    }

    private func prepare(_ state: State, _ client: HTTP2Client, _ server: RunningServer) async throws {
        let stream = Self.stream
        switch state {
        case .idle: break
        case .open: try await client.send(.headers(stream, Frame.post("/wait"), endStream: false))
        case .halfClosed: try await client.send(.headers(stream, Frame.get("/wait")))
        case .responded: _ = try await client.exchange(stream)
        case .resetByClient:
            try await client.send(.headers(stream, Frame.post("/wait"), endStream: false), .reset(stream))
            try await client.roundTrip()
        case .resetByServer:
            try await client.send(.headers(stream, Frame.post(), endStream: false))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(stream, 0))
        case .refusedWhole:
            try await client.send(.headers(stream, Frame.get("/", ("A", "b"))))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(stream, ErrorCode.protocolError.rawValue))
        case .skipped: _ = try await client.exchange(stream + 2)
        case .tooMany:
            for other in [stream - 4, stream - 2] {
                try await client.send(.headers(other, Frame.post("/wait"), endStream: false))
            }
            try await client.send(.headers(stream, Frame.post(), endStream: false))
            let reset = try await client.first(.reset)
            #expect(reset == .reset(stream, ErrorCode.refusedStream.rawValue))
        case .goneAway:
            // It keeps the connection.
            try await client.send(.headers(stream - 2, Frame.get("/wait")))
            try await client.roundTrip()
            await server.forEachConnection { $0.drain() }
            guard let ping = try await client.first(where: { $0.kind == .ping && $0.flags == 0 }) else { return }
            try await client.send(Frame(.ping, flags: Frame.acknowledgement, ping.payload))
            let goAway = try await client.first { $0.kind == .goAway && $0.lastStream == stream - 2 }
            #expect(goAway?.errorCode == 0)
            // Of the first, which only announces this one.
            _ = try await client.first(.goAway)
            try await client.send(.headers(stream, Frame.post(), endStream: false))
            try await client.roundTrip()
        }
    }

    // MARK: The decisions

    @Test func `Frame heads are found in pieces of any size`() {
        let frames = [
            Frame.settings([(4, 1)]), .headers(1), .data(0x7FFF_FFFF, [UInt8](repeating: 0, count: 300)), .data(3),
            .ping(),
        ]
        let bytes = Frame.preface + frames.flatMap { $0.bytes() }
        for size in 1...bytes.count {
            var heads = FrameHeads()
            var found: [Frame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                var position = 0
                while let (header, stream) = heads.next(in: piece.span, from: &position) {
                    let payload = [UInt8](repeating: 0, count: header.length)
                    found.append(Frame(type: header.type, flags: header.flags, stream: UInt32(stream), payload))
                }
                #expect(position == piece.count)
            }
            let expected = frames.map {
                Frame(type: $0.type, flags: $0.flags, stream: $0.stream, [UInt8](repeating: 0, count: $0.payload.count))
            }
            #expect(found == expected, "in pieces of \(size)")
        }
    }

    private static let headers = HTTP2FrameHeader.headers
    private static let data = HTTP2FrameHeader.data

    /// More resets than are remembered: the first are forgotten, and those that can still matter are not.
    @Test func `Resets are forgotten in their order`() {
        var numbers = StreamNumbers()
        let ids = (0..<Int32(5 * StreamNumbers.memory)).map { 2 * $0 + 1 }
        for id in ids {
            let first = numbers.refusal(of: Self.headers, on: id, isOpen: false)
            #expect(first == nil)
            numbers.opened(id)
            numbers.closed(id, isClientDone: false)
        }
        let late = ids.suffix(StreamNumbers.memory).map { numbers.refusal(of: Self.data, on: $0, isOpen: false) }
        #expect(late.allSatisfy { $0 == nil })
        let early = numbers.refusal(of: Self.data, on: ids[0], isOpen: false)
        #expect(early == .streamClosed)
    }

    @Test func `A skipped stream number can no longer be opened`() {
        var numbers = StreamNumbers()
        for id: Int32 in [5, 7, 2_147_483_647] {
            _ = numbers.refusal(of: Self.headers, on: id, isOpen: false)
            numbers.opened(id)
            numbers.closed(id, isClientDone: true)
        }
        func refusal(_ type: UInt8, _ id: Int32) -> HTTP2ErrorCode? {
            numbers.refusal(of: type, on: id, isOpen: false)
        }
        let found = [1, 3, 5, 7, 9, 2_147_483_645, 2_147_483_647].map { refusal(Self.headers, $0) }
        let unused = HTTP2ErrorCode.protocolError
        #expect(found == [unused, unused, .streamClosed, .streamClosed, unused, unused, .streamClosed])
        let data = [3, 5].map { refusal(Self.data, $0) }
        #expect(data == [.streamClosed, .streamClosed])
        // Those of the server, and stream 0, are the library's to refuse.
        let others = [0, 2].map { refusal(Self.headers, $0) }
        #expect(others == [nil, nil])
    }

    @Test func `Open, ignored and idle streams aren't refused`() {
        var numbers = StreamNumbers()
        _ = numbers.refusal(of: Self.headers, on: 1, isOpen: false)
        let ignored = numbers.refusal(of: Self.data, on: 1, isOpen: false)
        #expect(ignored == nil)
        _ = numbers.refusal(of: Self.headers, on: 3, isOpen: false)
        numbers.opened(3)
        let open = numbers.refusal(of: Self.headers, on: 3, isOpen: true)
        #expect(open == nil)
        let idle = numbers.refusal(of: Self.data, on: 5, isOpen: false)
        #expect(idle == nil)
        // The request of HTTP/1.1 that asked for HTTP/2.
        var upgraded = StreamNumbers()
        upgraded.opened(1)
        upgraded.closed(1, isClientDone: true)
        let again = upgraded.refusal(of: Self.headers, on: 1, isOpen: false)
        #expect(again == .streamClosed)
    }
}
