import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Mutated sequences of frames: none may trap, hang or leak, and other connections must not notice.
@Suite(.timeLimit(.minutes(5))) struct FrameMutationTests {
    private static let sequences: [[UInt8]] = [
        [.settings(), .headers(1), .headers(3, Frame.get("/a", ("cookie", "a"), ("cookie", "b")))],
        [
            .settings([(4, 10), (1, 100)]), .headers(1, Frame.post("/", ("content-length", "3")), endStream: false),
            .data(1, [1, 2], endStream: false), .data(1, [3]), .windowUpdate(1, 100), .windowUpdate(0, 100),
        ],
        [
            .settings(), .headers(1, Frame.post(), endStream: false, endHeaders: false),
            .continuation(1, HPACKLiterals.remember("a", "b")), .data(1, [1], endStream: false),
            .headers(1, [("t", "u")]),
        ],
        [.settings(), .headers(1, Frame.get("/slow")), .reset(1), .headers(3, Frame.get("/slow")), .ping(), .goAway()],
        [
            .settings(), .priority(5, dependsOn: 3),
            Frame(.headers, flags: 0x2D, stream: 1, [0, 0, 0, 0, 0, 9] + HPACKLiterals.encode(Frame.get())),
            Frame(type: 0x20, [1, 2]), Frame(.data, flags: 9, stream: 1, [1, 0, 0]), .settingsAcknowledgement,
        ],
    ].map { (frames: [Frame]) in frames.flatMap { $0.bytes() } }

    private static let tokens: [[UInt8]] = [
        Frame.headers(1).bytes(), Frame.headers(3).bytes(), Frame.data(1, [1]).bytes(), Frame.data(3, []).bytes(),
        Frame.reset(1).bytes(), Frame.windowUpdate(1, 0).bytes(), Frame.windowUpdate(0, 0x7FFF_FFFF).bytes(),
        Frame.settings([(4, 0)]).bytes(), Frame.settings([(1, 0)]).bytes(), Frame.settings([(5, 16_777_215)]).bytes(),
        Frame.continuation(1, [0x82]).bytes(), Frame.ping().bytes(), Frame.goAway().bytes(), Frame.preface,
        [0, 0, 0], [0xFF, 0xFF, 0xFF], [0x82, 0x86, 0x84], [0xBE], [0x3F, 0xE1, 0x1F], [0x40, 0x01, 0x61, 0x01, 0x62],
    ]

    @Test(arguments: [1, 2, 3, 4])
    func `A server survives mutated frames`(_ seed: UInt64) async throws {
        let handler = FunctionHandler { request in
            if request.path == "/slow" { try await Task.sleep(for: .milliseconds(1)) }
            return Response(body: .bytes(try await request.body.collect()))
        }
        try await withTestServer(handler) { server in
            var mutator = Mutator(random: SeededGenerator(seed: seed), tokens: Self.tokens)
            var responded = 0
            for _ in 0..<400 {
                let wire = mutator.mutate(Self.sequences.randomElement(using: &mutator.random) ?? [])
                let client = try await HTTP2Client.connect(to: server.address, settings: nil)
                let cut = Int.random(in: 0...wire.count, using: &mutator.random)
                // The server may have closed already.
                try? await client.raw.send(Frame.preface + wire[..<cut])
                try? await client.raw.send(Array(wire[cut...]))
                await client.raw.shutdownSending()
                let frames = (try? await client.receiveToEnd()) ?? []
                if frames.contains(where: { $0.kind == .headers }) { responded += 1 }
                let end = await client.end
                #expect(end != .stillOpen, "\(wire)")
                await client.close()
            }
            #expect(responded > 20, "mutations that spoil everything test nothing")
            let client = try await HTTP2Client.connect(to: server.address)
            #expect(try await client.exchange().status == 200)
        }
    }
}
