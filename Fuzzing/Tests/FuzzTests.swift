import TestSupport
import Testing

/// Every fuzz target, on its seeds and on some thousand mutations of them: the short run. `make fuzz` is the long one.
@Suite(.timeLimit(.minutes(5))) struct FuzzTests {
    /// Fewer where each is sent to a server, takes keys, is compared with schemas, or becomes a folder of mocks.
    private static func mutations(of target: String) -> Int {
        ["connection", "handshake", "imports", "mocks", "surfaces"].contains(target) ? 1000 : 10_000
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func holds(_ name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        let seeds = try Corpus.seeds(of: name)
        let tokens = try Corpus.dictionary(of: name)
        #expect(seeds.count > 5)
        #expect(tokens.count > 5)
        var taken = 0
        for seed in seeds where await check(target, seed) { taken += 1 }
        #expect(taken > seeds.count / 3, "seeds that are refused lead nowhere")

        var mutator = Mutator(random: SeededGenerator(seed: UInt64(name.utf8.count)), tokens: tokens)
        var accepted = 0
        for round in 0..<Self.mutations(of: name) {
            // Others wait for the thread, some of them with a client that has little time.
            if round.isMultiple(of: 10) { await Task.yield() }
            if await check(target, mutator.mutate(seeds.randomElement(using: &mutator.random) ?? [])) { accepted += 1 }
        }
        #expect(accepted > Self.mutations(of: name) / 100, "mutations that spoil everything test nothing")
    }

    private func check(_ target: FuzzTarget, _ input: [UInt8]) async -> Bool {
        do throws(Violation) {
            return try await target.check(input)
        } catch {
            Issue.record("\(target.name), \(spelled(input).debugDescription): \(error)")
            return false
        }
    }
}
