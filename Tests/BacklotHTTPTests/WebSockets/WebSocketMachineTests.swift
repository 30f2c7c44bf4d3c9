import TestSupport
import Testing

@testable import BacklotHTTP

/// Frames in, messages and frames out: whole, and cut at every byte.
@Suite(.timeLimit(.minutes(5))) struct WebSocketMachineTests {
    private static let start = ContinuousClock.now

    /// What a machine makes of some bytes, piece by piece: messages, frames to send, and how it ended.
    private static func read(
        _ pieces: [[UInt8]],
        _ role: WebSocketMachine.Role = .server,
        limit: Int = 1000,
        isCompressed: Bool = false
    ) -> [String] {
        var options = WebSocketOptions()
        options.messageLimit = limit
        let compression = isCompressed ? WebSocketCompression() : nil
        var machine = WebSocketMachine(role, options: options, compression: compression, at: start)
        var outcome: [String] = []
        for piece in pieces {
            var position = 0
            while let action = machine.next(piece.span, from: &position, at: start) {
                switch action {
                case .message(.text(let text)): outcome.append("text \(text)")
                case .message(.binary(let bytes)): outcome.append("binary \(bytes.hexadecimalText)")
                case .send(var bytes):
                    let frame = WebSocketFrame.take(from: &bytes)
                    outcome.append("send \(frame.map(\.description) ?? "?")")
                    #expect(bytes.isEmpty || role == .client)
                }
            }
            #expect(position == piece.count)
        }
        if machine.phase == .closed { outcome.append("end \(machine.close?.code.rawValue ?? 0)") }
        return outcome
    }

    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] { WebSocketFrame(first, payload).bytes() }
    private static func frame(_ first: UInt8, _ text: String) -> [UInt8] { WebSocketFrame(first, text).bytes() }

    private static let accepted: [([UInt8], [String])] = [
        // RFC 6455, section 5.7.
        ([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], ["text Hello"]),
        (frame(0x81, ""), ["text "]),
        (frame(0x82, [0, 255]), ["binary 00ff"]),
        (frame(0x01, "Hel") + frame(0x80, "lo"), ["text Hello"]),
        (frame(0x01, "") + frame(0x00, "") + frame(0x80, ""), ["text "]),
        // A letter may be split between frames.
        (frame(0x01, [0xC3]) + frame(0x80, [0xA9]), ["text é"]),
        (frame(0x01, "a") + frame(0x89, "p") + frame(0x80, "b"), ["send 8a p", "text ab"]),
        (frame(0x8A, "unasked") + frame(0x81, "a"), ["text a"]),
        (frame(0x81, String(repeating: "x", count: 126)), ["text \(String(repeating: "x", count: 126))"]),
        (frame(0x81, "a") + frame(0x82, [1]) + frame(0x81, "b"), ["text a", "binary 01", "text b"]),
        (WebSocketFrame.close(1000, "bye").bytes(), ["send close 1000 ", "end 1000"]),
        (WebSocketFrame.close(4999).bytes() + frame(0x81, "late"), ["send close 4999 ", "end 4999"]),
        (frame(0x88, ""), ["send 88 ", "end 1005"]),
    ]

    @Test func goodFrames() {
        for (bytes, outcome) in Self.accepted {
            #expect(Self.read([bytes]) == outcome)
            #expect(Self.read(bytes.map { [$0] }) == outcome)
            for cut in bytes.indices { #expect(Self.read([Array(bytes[..<cut]), Array(bytes[cut...])]) == outcome) }
        }
    }

    /// Bytes, and the code and reason of the close frame that they get.
    private static let refused: [([UInt8], String)] = [
        (WebSocketFrame("Hello").bytes(mask: nil), "1002 a client's frame has no mask"),
        (frame(0xC1, "a"), "1002 a reserved bit is set"),
        (frame(0xA1, "a"), "1002 a reserved bit is set"),
        (frame(0x91, "a"), "1002 a reserved bit is set"),
        (frame(0x83, "a"), "1002 an unknown opcode"),
        (frame(0x8F, ""), "1002 an unknown opcode"),
        (frame(0x80, "a"), "1002 a continuation without a beginning"),
        (frame(0x01, "a") + frame(0x81, "b"), "1002 a message inside another one"),
        (frame(0x09, "p"), "1002 a control frame in fragments"),
        (frame(0x89, String(repeating: "p", count: 126)), "1002 a control frame of more than 125 bytes"),
        ([0x81, 0xFE, 0, 125] + [0, 0, 0, 0], "1002 a length that isn't written in the fewest bytes"),
        (
            [0x81, 0xFF, 0, 0, 0, 0, 0, 0, 255, 255] + [0, 0, 0, 0],
            "1002 a length that isn't written in the fewest bytes"
        ),
        (
            [0x81, 0xFF, 128, 0, 0, 0, 0, 1, 0, 0] + [0, 0, 0, 0],
            "1002 a length that isn't written in the fewest bytes"
        ),
        ([0x81, 0xFF, 127, 255, 255, 255, 255, 255, 255, 255] + [0, 0, 0, 0], "1009 a message may have 1000 bytes"),
        (frame(0x82, [UInt8](repeating: 0, count: 1001)), "1009 a message may have 1000 bytes"),
        (
            frame(0x02, [UInt8](repeating: 0, count: 600)) + frame(0x80, [UInt8](repeating: 0, count: 401)),
            "1009 a message may have 1000 bytes"
        ),
        (
            frame(0x01, "") + Array([[UInt8]](repeating: frame(0x00, ""), count: 256).joined()),
            "1008 too many empty frames in one message"
        ),
        (frame(0x81, [0xC3]), "1007 a text that isn't UTF-8"),
        (frame(0x81, [0xED, 0xA0, 0x80]), "1007 a text that isn't UTF-8"),
        (
            frame(0x81, String(repeating: "\u{301}", count: 129)),
            "1007 a text with more than 128 combining marks in a row"
        ),
        (frame(0x88, [3]), "1002 a close code of one byte"),
        (WebSocketFrame.close(1005).bytes(), "1002 a close code that may not be sent"),
        (WebSocketFrame.close(999).bytes(), "1002 a close code that may not be sent"),
        (WebSocketFrame.close(2000).bytes(), "1002 a close code that may not be sent"),
        (WebSocketFrame.close(5000).bytes(), "1002 a close code that may not be sent"),
        (frame(0x88, [3, 232, 0xFF]), "1007 a reason that isn't UTF-8"),
    ]

    @Test func brokenFrames() {
        for (bytes, reason) in Self.refused {
            let code = reason.prefix(4)
            let outcome = ["send close \(reason)", "end \(code)"]
            #expect(Self.read([bytes + Self.frame(0x81, "late")]) == outcome)
            #expect(Self.read(bytes.map { [$0] }) == outcome)
        }
        #expect(Self.read([Self.frame(0x81, "a")], .client).last == "end 1002")
    }

    /// RFC 7692, section 7.2.3.
    @Test(
        arguments: [
            [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00],
            [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]]
    )
    func compressedFrames(_ bytes: [UInt8]) {
        for cut in bytes.indices {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Self.read(pieces, .client, isCompressed: true) == ["text Hello"])
        }
    }

    @Test func brokenCompression() throws {
        let inflated = [UInt8](repeating: 0x61, count: 1_000_000)
        let bomb = try #require(WebSocketCompression().deflate(inflated))
        #expect(bomb.count < 2000)
        let cases: [([UInt8], String)] = [
            (Self.frame(0xC2, bomb), "1009 a message may have 10000 bytes"),
            (Self.frame(0xC1, [0xFF, 0xFF, 0xFF]), "1007 a message that can't be decompressed"),
            (Self.frame(0x41, "a") + Self.frame(0xC0, "b"), "1002 a reserved bit is set"),
            (Self.frame(0xC9, "p"), "1002 a reserved bit is set"),
        ]
        for (bytes, reason) in cases {
            let outcome = Self.read([bytes], limit: 10_000, isCompressed: true)
            #expect(outcome == ["send close \(reason)", "end \(reason.prefix(4))"])
        }
        let whole = Self.read([Self.frame(0xC2, bomb)], limit: 1_000_000, isCompressed: true)
        #expect(whole.map(\.utf8.count) == [2_000_007])
    }

    /// An empty final block takes two bytes.
    @Test func `The final blocks of a message are limited`() {
        func blocks(_ count: Int) -> [UInt8] {
            Self.frame(0xC2, [UInt8](repeatElement([0x03, 0x00] as [UInt8], count: count).joined()))
        }
        let limit = WebSocketCompression.finalBlockLimit
        #expect(Self.read([blocks(limit)], isCompressed: true) == ["binary "])
        let refusal = ["send close 1007 a message that can't be decompressed", "end 1007"]
        #expect(Self.read([blocks(limit + 1)], isCompressed: true) == refusal)
    }

    @Test func `The largest limit of a message doesn't overflow`() {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(Self.read([Self.frame(0xC1, hello)], limit: .max, isCompressed: true) == ["text Hello"])
    }

    @Test(arguments: [
        ("permessage-deflate", ""),
        ("permessage-deflate; client_max_window_bits", ""),
        ("x-webkit-deflate-frame, permessage-deflate; client_max_window_bits=10", ""),
        ("permessage-deflate; server_max_window_bits=12; client_max_window_bits", "; server_max_window_bits=12"),
        ("permessage-deflate; server_max_window_bits=8, permessage-deflate", ""),
        ("Permessage-Deflate; server_no_context_takeover;client_no_context_takeover", ""),
        ("permessage-deflate; server_max_window_bits=\"9\"", "; server_max_window_bits=9"),
    ])
    func acceptedOffers(_ offers: String, _ rest: String) {
        let field = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        #expect(WebSocketCompression(offers: offers)?.field == field + rest)
    }

    @Test(arguments: [
        "", ",", "deflate", "permessage-deflate; other", "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=16", "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=10", "permessage-deflate; =",
        "permessage-deflate; ; x", "permessage-deflate;=;", "permessage-deflate; =client_max_window_bits",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; client_max_window_bits=9; client_max_window_bits=10",
        "permessage-deflate; client_max_window_bits; client_max_window_bits=10",
        "permessage-deflate; server_max_window_bits=010", "permessage-deflate; server_max_window_bits=+9",
        "permessage-deflate; server_max_window_bits=1\"0",
    ])
    func declinedOffers(_ offers: String) { #expect(WebSocketCompression(offers: offers) == nil) }

    @Test func smallWindowsAreUndone() throws {
        var random = SeededGenerator(seed: 7)
        let message = (0..<20_000).map { _ in UInt8.random(in: 0..<8, using: &random) }
        for window in 9...15 {
            var compression = WebSocketCompression()
            compression.window = window
            let small = try #require(compression.deflate(message))
            #expect(try WebSocketCompression.inflate(small, upTo: message.count) == message)
        }
        #expect(WebSocketCompression().deflate([1, 2, 3]) == nil)
    }

    // MARK: Time

    @Test func aSilentClientIsPingedAndGivenUp() {
        var machine = WebSocketMachine(at: Self.start)
        #expect(machine.deadline == Self.start + .seconds(30))
        #expect(machine.timedOut(at: Self.start + .seconds(29)) == nil)
        let pinged = Self.start + .seconds(30)
        #expect(machine.timedOut(at: pinged) == .send([0x89, 0]))
        #expect(machine.deadline == pinged + .seconds(20))
        var (position, pong) = (0, Self.frame(0x8A, ""))
        #expect(machine.next(pong.span, from: &position, at: pinged + .seconds(19)) == nil)
        #expect(machine.deadline == pinged + .seconds(49))
        (position, pong) = (0, [])
        #expect(machine.timedOut(at: pinged + .seconds(49)) == .send([0x89, 0]))
        #expect(machine.timedOut(at: pinged + .seconds(69)) == nil)
        #expect(machine.phase == .closed)
        #expect(machine.close?.code == .abnormal)
        #expect(!machine.isOver(at: pinged + .seconds(70)))
        #expect(machine.isOver(at: pinged + .seconds(74)))
    }

    @Test func aCloseFrameHasItsTime() {
        var machine = WebSocketMachine(at: Self.start)
        #expect(machine.end(WebSocketClose(.goingAway, "x"), at: Self.start) == [0x88, 3, 3, 233, 0x78])
        #expect(machine.end(WebSocketClose(.normal), at: Self.start) == nil)
        // What comes after it is dropped, but for the other close frame.
        var position = 0
        let late = Self.frame(0x81, "late") + Self.frame(0x89, "") + WebSocketFrame.close(1001).bytes()
        #expect(machine.next(late.span, from: &position, at: Self.start) == nil)
        #expect(machine.phase == .closed)
        #expect(machine.close?.code == .goingAway)
        var silent = WebSocketMachine(at: Self.start)
        _ = silent.end(WebSocketClose(.normal), at: Self.start)
        #expect(silent.timedOut(at: Self.start + .seconds(5)) == nil)
        #expect(silent.isOver(at: Self.start + .seconds(5)))
    }

    @Test func reasonsAreCutBetweenCharacters() {
        let close = WebSocketClose(.normal, String(repeating: "é", count: 100))
        #expect(close.reason == String(repeating: "é", count: 61))
    }
}
