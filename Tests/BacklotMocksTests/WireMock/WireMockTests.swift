import Testing

@testable import BacklotMocks

/// What WireMock's documentation shows works here, or is refused by name: nothing is taken and then does something else.
@Suite(.timeLimit(.minutes(5))) struct WireMockTests {
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [("stubs.jsonl", "stubs", 175), ("behaviour.jsonl", "cases of behaviour", 85)]
    )
    func `WireMock's stubs and commands behave as in WireMock`(file: String, noun: String, least: Int) async throws {
        let cases = try WireMockCase.all(in: file)
        var (right, refused) = (0, 0)
        for test in cases {
            do {
                try await WireMockApp.with(test.files) { try await $0.play(test) }
                if test.isUnsupported { refused += 1 } else { right += 1 }
            } catch {
                Issue.record("\(test.name): \(error)")
            }
        }
        let wrong = cases.count - right - refused
        print("WireMock: of \(cases.count) \(noun), \(right) right, \(refused) refused by name, \(wrong) wrong")
        #expect(right >= least)
        #expect(right + refused == cases.count)
    }
}
