import Foundation
import TestSupport
import Testing

@testable import BacklotHTTP

/// Two sides that send, ping, close, wait and lose bytes' boundaries in any order; and one side whose input is broken.
@Suite(.timeLimit(.minutes(5))) struct WebSocketSimulationTests {
    private struct Side {
        var machine: WebSocketMachine
        /// What the other side has sent, and hasn't been received.
        var arrived: [UInt8] = []
        var sent: [WebSocketMessage] = []
        var received: [WebSocketMessage] = []
    }

    @Test(arguments: 0..<4) func whateverHappens(_ part: UInt64) {
        for seed in 0..<400 {
            guard let violation = Self.run(seed: UInt64(seed) * 4 + part) else { continue }
            Issue.record("seed \(UInt64(seed) * 4 + part): \(violation)")
            return
        }
    }

    private static func run(seed: UInt64) -> String? {
        var random = SeededGenerator(seed: seed)
        var now = ContinuousClock.now
        let compression = seed % 2 == 0 ? WebSocketCompression() : nil
        var sides = [WebSocketMachine.Role.server, .client].map {
            Side(machine: WebSocketMachine($0, compression: compression, at: now))
        }
        for _ in 0..<60 { step(&sides, compression, &now, &random) }
        // Both close, and everything arrives.
        for side in 0...1 { sides[1 - side].arrived += sides[side].machine.end(WebSocketClose(.normal), at: now) ?? [] }
        for side in [0, 1, 0, 1] { receive(.max, side, &sides, now) }
        // One that gave up has ended the connection without a word.
        for side in 0...1 where sides[1 - side].machine.close?.code == .abnormal {
            sides[side].machine.inputEnded(at: now)
        }
        for side in 0...1 {
            let (own, other) = (sides[side], sides[1 - side])
            if own.machine.phase != .closed { return "side \(side) is \(own.machine.phase)" }
            if !own.arrived.isEmpty { return "side \(side) hasn't read \(own.arrived.count) bytes" }
            let allowed: [WebSocketClose.Code] = [.normal, .goingAway, .abnormal]
            guard let code = own.machine.close?.code, allowed.contains(code) else {
                return "side \(side) ended with \(String(describing: own.machine.close))"
            }
            if own.received != Array(other.sent.prefix(own.received.count)) { return "side \(side) got other messages" }
            if own.machine.close == nil { return "side \(side) has no close" }
        }
        return nil
    }

    private static func step(
        _ sides: inout [Side],
        _ compression: WebSocketCompression?,
        _ now: inout ContinuousClock.Instant,
        _ random: inout SeededGenerator
    ) {
        let side = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6 where sides[side].machine.phase == .open:
            let count = [0, 3, 125, 126, 300, 301, 1000, 70_000][Int.random(in: 0..<64, using: &random) % 15 % 8]
            let text = String(repeating: "é", count: count / 2)
            let message: WebSocketMessage = count % 2 == 0 ? .text(text) : .binary(Array(text.utf8))
            let smaller = random.next() % 2 == 0 ? compression?.deflate(message.bytes) : nil
            let frame = sides[side].machine.encode(
                smaller ?? message.bytes,
                isText: message.text != nil,
                isCompressed: smaller != nil
            )
            sides[side].sent.append(message)
            sides[1 - side].arrived += frame
        case 6..<16: receive(Int.random(in: 0...4000, using: &random), side, &sides, now)
        case 16: now += .seconds(Int.random(in: 0...40, using: &random))
        case 17, 18:
            if case .send(let bytes) = sides[side].machine.timedOut(at: now) { sides[1 - side].arrived += bytes }
        case 19 where random.next() % 8 == 0:
            sides[1 - side].arrived += sides[side].machine.end(WebSocketClose(.goingAway), at: now) ?? []
        default: break
        }
    }

    private static func receive(_ count: Int, _ side: Int, _ sides: inout [Side], _ now: ContinuousClock.Instant) {
        let piece = Array(sides[side].arrived.prefix(count))
        sides[side].arrived.removeFirst(piece.count)
        var position = 0
        while let action = sides[side].machine.next(piece.span, from: &position, at: now) {
            switch action {
            case .message(let message): sides[side].received.append(message)
            case .send(let bytes): sides[1 - side].arrived += bytes
            }
        }
    }

    /// Broken bytes never make a machine keep more than its limit, or say anything after its close frame.
    @Test func brokenInput() {
        let good = [
            WebSocketFrame("Hello").bytes(), WebSocketFrame(0x01, "a").bytes() + WebSocketFrame(0x80, "b").bytes(),
            WebSocketFrame(0x89, "ping").bytes(), WebSocketFrame.close(1000).bytes(),
            WebSocketFrame(0xC1, WebSocketCompression().deflate(Array("aaaaaaaaaaaaaaaaaaaaaa".utf8)) ?? []).bytes(),
            WebSocketFrame(0x82, [UInt8](repeating: 7, count: 200)).bytes(),
        ]
        var options = WebSocketOptions()
        options.messageLimit = 300
        var mutator = Mutator(random: SeededGenerator(seed: 3), tokens: good + [[0xFF], [0x81, 0xFE], [0x00, 0x80]])
        for _ in 0..<40_000 {
            let input = mutator.mutate(Array(good.shuffled(using: &mutator.random).joined()))
            var machine = WebSocketMachine(options: options, compression: WebSocketCompression(), at: .now)
            var (position, isClosed) = (0, false)
            while let action = machine.next(input.span, from: &position, at: .now) {
                #expect(!isClosed)
                if case .send(let bytes) = action, bytes.first == 0x88 { isClosed = true }
                if case .message(let message) = action { #expect(message.bytes.count <= 300) }
                guard machine.held <= 1024 else {
                    Issue.record("\(machine.held) bytes are kept of \(input.hexadecimalText)")
                    return
                }
            }
            #expect(position == input.count)
            #expect(isClosed == (machine.phase == .closed))
        }
    }
}
