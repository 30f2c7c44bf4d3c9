import TestSupport
import Testing

@testable import BacklotHTTP

/// Mutated compressed bodies: none may trap, and the outcome must not depend on the pieces that arrive.
@Suite(.timeLimit(.minutes(5))) struct InflationMutationTests {
    private struct Outcome: Equatable {
        var body: [UInt8] = []
        var error: ContentCodingError?

        init(_ pieces: [[UInt8]], _ codings: [ContentCoding]) {
            var rest = pieces[...]
            do throws(ContentCodingError) {
                var inflation = try Inflation(codings, ratio: 5000)
                reading: while true {
                    switch try inflation.step() {
                    case .piece(let piece): body += piece
                    case .working: break
                    case .wantsInput:
                        guard let next = rest.popFirst() else { break reading }
                        inflation.feed(next)
                    }
                }
                try inflation.finish()
            } catch {
                self.error = error
                // The number of bytes before the error depends on the pieces.
                body = []
            }
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `Mutated bodies are decoded or refused, the same in any pieces`(_ coding: ContentCoding) async throws {
        let samples =
            coding == .gzip
            ? [Samples.gzip, Samples.namedGzip, Samples.storedGzip, Samples.gzip + Samples.storedGzip] : [Samples.zlib]
        var mutator = Mutator(
            random: SeededGenerator(seed: 6),
            tokens: [
                [0x1F, 0x8B, 8], [0x78, 0x9C], [0, 0, 0xFF, 0xFF], [1, 0, 0, 0xFF, 0xFF], Samples.gzip, Samples.zlib,
            ]
        )
        var (whole, failed) = (0, 0)
        for round in 0..<5000 {
            // Others wait for the thread, some of them with a client that has little time.
            if round.isMultiple(of: 100) { await Task.yield() }
            let bytes = mutator.mutate(samples.randomElement(using: &mutator.random) ?? [])
            let outcome = Outcome([bytes], [coding])
            let cut = Int.random(in: 0...bytes.count, using: &mutator.random)
            let inTwo = Outcome([Array(bytes[..<cut]), Array(bytes[cut...])], [coding])
            if outcome != inTwo { Issue.record("\(bytes), cut at \(cut): \(inTwo), not \(outcome)") }
            if outcome.error == nil { whole += 1 } else { failed += 1 }
        }
        // Few: the checksum notices what the format doesn't.
        #expect(whole > 5, "mutations that spoil everything test nothing")
        #expect(failed > 4000)
    }
}
