import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// Frames that break RFC 9113, by its sections, and those that look odd and don't.
@Suite(.timeLimit(.minutes(5))) struct FrameErrorTests {
    private static let get = Frame.headers(1)
    private static let open = Frame.headers(1, Frame.post(), endStream: false)
    private static let block = HPACKLiterals.encode(Frame.get())
    private static let tooLong = [UInt8](repeating: 0, count: 16_385)

    private static func settings(_ identifier: UInt16, _ value: UInt32) -> Frame { .settings([(identifier, value)]) }

    private static let cases: [HTTP2Case] = [
        // 4.1 and 4.2: frames
        .init("4.1 an unknown type", .nothing, Frame(type: 0x16, [1, 2, 3])),
        .init("4.1 flags that mean nothing", .nothing, Frame(.ping, flags: 0x16, Array("12345678".utf8))),
        .init("4.1 the reserved bit", .nothing, Frame(.ping, stream: 0x8000_0000, Array("12345678".utf8))),
        .init("4.2 DATA of 16,384 bytes", .response(200), open, .data(1, Array(tooLong.dropLast()))),
        .init("4.2 DATA that is too long", .either([.frameSize]), open, .data(1, tooLong)),
        .init("4.2 HEADERS that are too long", .connection(.frameSize), Frame(.headers, flags: 5, stream: 1, tooLong)),
        .init("4.2 an unknown type that is too long", .connection(.frameSize), Frame(type: 0x16, tooLong)),
        // 4.3: header blocks
        .init(
            "4.3 a block that can't be read",
            .connection(.compression),
            Frame(.headers, flags: 5, stream: 1, [0x40, 0x0A])
        ),
        .init(
            "4.3 PRIORITY within a block",
            .connection(.protocolError),
            .headers(1, endHeaders: false),
            .priority(1),
            .continuation(1, [])
        ),
        .init("4.3 HEADERS within a block", .connection(.protocolError), .headers(1, endHeaders: false), .headers(3)),
        .init("4.3 DATA within a block", .connection(.protocolError), .headers(1, endHeaders: false), .data(1, [1])),
        .init(
            "5.5 an unknown type within a block",
            .connection(.protocolError),
            .headers(1, endHeaders: false),
            Frame(type: 0x16)
        ),
        // 5.1.1: numbers of streams; `StreamStateTests` has more of them, and the states of section 5.1
        .init("5.1.1 an even number", .connection(.protocolError), .headers(2)),
        // 6.1: DATA
        .init("6.1 DATA on stream 0", .connection(.protocolError), .data(0, [1])),
        .init(
            "6.1 more padding than payload",
            .connection(.protocolError),
            open,
            Frame(.data, flags: 0x9, stream: 1, [6, 1, 2, 3, 4, 5])
        ),
        .init("6.1 padding", .response(200), open, Frame(.data, flags: 0x9, stream: 1, [3, 1, 2, 0, 0, 0])),
        .init(
            "6.1 DATA in several frames",
            .response(200),
            open,
            .data(1, [1], endStream: false),
            .data(1, [2], endStream: false),
            .data(1)
        ),
        .init(
            "6.1 padding without its length",
            .either([.frameSize, .protocolError]),
            open,
            Frame(.data, flags: 0x9, stream: 1)
        ),
        // 6.2: HEADERS
        .init("6.2 HEADERS on stream 0", .connection(.protocolError), .headers(0)),
        .init(
            "6.2 more padding than payload",
            .connection(.protocolError),
            Frame(.headers, flags: 0xD, stream: 1, [200] + block)
        ),
        .init("6.2 padding", .response(200), Frame(.headers, flags: 0xD, stream: 1, [2] + block + [0, 0])),
        .init("6.2 priority", .response(200), Frame(.headers, flags: 0x25, stream: 1, [0, 0, 0, 0, 15] + block)),
        .init(
            "6.2 PRIORITY flag without its fields",
            .connection(.frameSize),
            Frame(.headers, flags: 0x25, stream: 1, [0, 0, 0])
        ),
        // 6.3: PRIORITY
        .init(
            "RFC 7540, 5.3.1 HEADERS that depend on themselves",
            .either([.protocolError]),
            Frame(.headers, flags: 0x25, stream: 1, [0, 0, 0, 1, 15] + block)
        ),
        .init("RFC 7540, 5.3.1 PRIORITY that depends on itself", .either([.protocolError]), .priority(1, dependsOn: 1)),
        .init(
            "6.3 PRIORITY with other fields",
            .response(200),
            .priority(3, dependsOn: 0x8000_0005),
            .priority(5),
            get
        ),
        .init("6.3 PRIORITY on stream 0", .connection(.protocolError), .priority(0)),
        .init("6.3 PRIORITY of 4 bytes", .either([.frameSize]), open, Frame(.priority, stream: 1, [0, 0, 0, 1])),
        .init("6.3 PRIORITY of 6 bytes", .either([.frameSize]), open, Frame(.priority, stream: 1, [0, 0, 0, 1, 2, 3])),
        // 6.4: RST_STREAM
        .init("6.4 RST_STREAM on stream 0", .connection(.protocolError), .reset(0)),
        .init("6.4 RST_STREAM of 3 bytes", .connection(.frameSize), open, Frame(.reset, stream: 1, [0, 0, 0])),
        .init("6.4 RST_STREAM of 5 bytes", .connection(.frameSize), open, Frame(.reset, stream: 1, [0, 0, 0, 0, 0])),
        .init("7 a reset with an unknown code", .nothing, open, .reset(1, 0xFF)),
        // 6.5: SETTINGS
        .init(
            "6.5 an acknowledgement with a payload",
            .connection(.frameSize),
            Frame(.settings, flags: 1, [0, 1, 0, 0, 0, 0])
        ),
        .init("6.5 SETTINGS on a stream", .connection(.protocolError), Frame(.settings, stream: 1)),
        .init("6.5 SETTINGS of 3 bytes", .connection(.frameSize), Frame(.settings, [0, 3, 0])),
        .init("6.5.2 ENABLE_PUSH 2", .connection(.protocolError), settings(2, 2)),
        .init("6.5.2 a window beyond 2^31 - 1", .connection(.flowControl), settings(4, 0x8000_0000)),
        .init("6.5.2 frames below 16,384 bytes", .connection(.protocolError), settings(5, 16_383)),
        .init("6.5.2 frames beyond 2^24 - 1 bytes", .connection(.protocolError), settings(5, 16_777_216)),
        .init("6.5 an empty acknowledgement that nobody waits for", .nothing, .settingsAcknowledgement),
        .init("6.5.2 an unknown setting", .nothing, settings(0xFF, 1)),
        .init("RFC 9218, 2.1 NO_RFC7540_PRIORITIES 2", .connection(.protocolError), settings(9, 2)),
        .init(
            "6.5.3 a setting twice: the last one counts",
            .nothing,
            .settings([(4, 0), (4, 100)]),
            open,
            .windowUpdate(1, 0x7FFF_FFFF - 100)
        ),
        .init(
            "6.5.3 a setting twice, with a window beyond the last one",
            .stream(.flowControl),
            .settings([(4, 0), (4, 100)]),
            open,
            .windowUpdate(1, 0x7FFF_FFFF - 99)
        ),
        // 6.6: PUSH_PROMISE
        .init(
            "8.4 PUSH_PROMISE from a client",
            .connection(.protocolError),
            get,
            Frame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2] + block)
        ),
        // 6.7: PING
        .init("6.7 PING on a stream", .connection(.protocolError), Frame(.ping, stream: 1, Array("12345678".utf8))),
        .init("6.7 PING of 6 bytes", .connection(.frameSize), Frame(.ping, Array("123456".utf8))),
        .init("6.7 an answer to no PING", .nothing, .ping(acknowledges: true)),
        // 6.8: GOAWAY
        .init(
            "6.8 GOAWAY on a stream",
            .connection(.protocolError),
            Frame(.goAway, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0])
        ),
        .init("7 GOAWAY with an unknown code", .response(200), open, .goAway(0xFF), .data(1)),
        .init("6.8 GOAWAY of 4 bytes", .connection(.frameSize), Frame(.goAway, [0, 0, 0, 0])),
        // 6.9: WINDOW_UPDATE
        .init("6.9 by nothing", .connection(.protocolError), .windowUpdate(0, 0)),
        .init("6.9 by nothing, on a stream", .either([.protocolError]), open, .windowUpdate(1, 0)),
        .init("6.9 WINDOW_UPDATE of 3 bytes", .connection(.frameSize), Frame(.windowUpdate, [0, 0, 1])),
        .init("6.9.1 beyond 2^31 - 1", .connection(.flowControl), .windowUpdate(0, 0x7FFF_FFFF), .windowUpdate(0, 1)),
        .init("6.9.1 beyond 2^31 - 1, on a stream", .stream(.flowControl), open, .windowUpdate(1, 0x7FFF_FFFF)),
        .init(
            "6.9.2 beyond 2^31 - 1, by SETTINGS",
            .connection(.flowControl),
            open,
            .windowUpdate(1, 0x7FFF_0000),
            settings(4, 0x10_0000)
        ),
        // 6.10: CONTINUATION
        .init("6.10 on stream 0", .connection(.protocolError), .headers(1, endHeaders: false), .continuation(0, [])),
        .init(
            "6.10 on another stream",
            .connection(.protocolError),
            .headers(1, endHeaders: false),
            .continuation(3, [])
        ),
        .init("6.10 after a whole block", .connection(.protocolError), .headers(1), .continuation(1, block)),
        .init(
            "6.10 after DATA",
            .connection(.protocolError),
            open,
            .data(1, [1], endStream: false),
            .continuation(1, block)
        ),
        .init(
            "6.10 twice",
            .response(200),
            Frame(.headers, flags: 1, stream: 1, Array(block[..<5])),
            .continuation(1, Array(block[5..<9]), endHeaders: false),
            .continuation(1, Array(block[9...]))
        ),
        .init(
            "6.10 after its end",
            .connection(.protocolError),
            .headers(1, endHeaders: false),
            .continuation(1, []),
            .continuation(1, [])
        ),
    ]

    @Test(arguments: cases)
    func `Each bad frame ends its stream or the connection`(_ example: HTTP2Case) async throws {
        let handler = FunctionHandler { request in Response(body: .bytes(try await request.body.collect())) }
        try await withHTTP2Client(handler) { client, _ in
            try await client.raw.send(example.bytes + Frame.ping("is there").bytes())
            let verdict = try await HTTP2Case.verdict(client, hasResponse: example.verdict.isResponse)
            #expect(example.verdict.allows(verdict), "\(verdict) instead of \(example.verdict)")
        }
    }

    /// RFC 9113, section 5.2. Nobody reads the body, so the window doesn't grow meanwhile.
    @Test func `More data than the window allows is an error`() async throws {
        let handler = FunctionHandler { _ in
            try await Task.sleep(for: .seconds(60))
            return Response()
        }
        try await withHTTP2Client(handler) { client, _ in
            let piece = Frame.data(1, Array(Self.tooLong.dropLast()), endStream: false).bytes()
            let bytes = (0..<17).reduce(Self.open.bytes()) { bytes, _ in bytes + piece }
            try await client.raw.send(bytes + Frame.ping("is there").bytes())
            let verdict = try await HTTP2Case.verdict(client, hasResponse: false)
            #expect(HTTP2Case.Verdict.either([.flowControl]).allows(verdict), "\(verdict)")
        }
    }
}
