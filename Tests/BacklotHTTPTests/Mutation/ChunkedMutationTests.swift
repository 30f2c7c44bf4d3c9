import HTTPTypes
import Testing

@testable import BacklotHTTP

/// Mutated chunked bodies: none may trap, and what is said of each must not depend on how it arrived.
@Suite struct ChunkedMutationTests {
    private struct Outcome: Equatable {
        var body: [UInt8] = []
        var used: Int?
        var error: RequestError?

        init(_ wire: [UInt8], cut: Int?) {
            var decoder = ChunkedDecoder(limits: .init())
            var position = 0
            do throws(RequestError) {
                for end in [cut, wire.count].compactMap({ $0 }) {
                    while let data = try decoder.next(wire.span.extracting(..<end), from: &position) {
                        body += wire[data]
                    }
                }
                used = decoder.isFinished ? position : nil
            } catch {
                self.error = error
            }
        }
    }

    private static let bodies = [
        "0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "1;a=b\r\nx\r\n2;c=\"d\"\r\nyz\r\n0\r\nA: b\r\nC: d\r\n\r\n",
        "1\r\na\r\n1\r\nb\r\na\r\n0123456789\r\n00\r\n\r\nGET / HTTP/1.1\r\n",
    ].map(bytes)

    private static let tokens = [
        "\r\n", "\n", "\r", "0\r\n\r\n", "7fffffffffffffff\r\n", "7fffffffffffffef\r\n", "ffffffffffffffff", "0x", "-1",
        "+",
        ";", ";a=\"", "\\", "\"", "=", ":", " ", "\t", "\u{0}", "A: b\r\n", "00000000000000000", "\u{FF}",
    ].map(bytes)

    @Test func mutatedBodies() async {
        var mutator = Mutator(random: SeededGenerator(seed: 5), tokens: Self.tokens)
        var finished = 0
        for round in 0..<30_000 {
            // Others wait for the thread, some of them with a client that has little time.
            if round.isMultiple(of: 100) { await Task.yield() }
            let wire = mutator.mutate(Self.bodies.randomElement(using: &mutator.random) ?? [])
            let whole = Outcome(wire, cut: nil)
            let cut = Int.random(in: 0...wire.count, using: &mutator.random)
            let inTwo = Outcome(wire, cut: cut)
            if whole != inTwo {
                Issue.record("\(spelled(wire).debugDescription), cut at \(cut): \(inTwo), not \(whole)")
            }
            if let used = whole.used {
                finished += 1
                if !wire[..<used].suffix(2).elementsEqual([13, 10]) {
                    Issue.record("\(spelled(wire).debugDescription) ends in the wrong place")
                }
            }
        }
        #expect(finished > 1000, "mutations that spoil everything test nothing")
    }
}
