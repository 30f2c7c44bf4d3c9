import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Stubs and bodies as nobody would write them.
@Suite(.timeLimit(.minutes(5))) struct MutatedStubTests {
    private static let tokens = [
        "{", "}", "[", "]", "null", "-1", "1e300", "\"\"", "\\u0000", "<", "</", "&#0;", "<!--", "//*[", "$..", "now +",
        "--B\r\n",
        "${json-unit.", "${xmlunit.", "%", "+",
    ].map { Array($0.utf8) }

    @Test func `Mutated stubs are read or refused, and nothing fails`() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 20), tokens: Self.tokens)
        var (read, refused) = (0, 0)
        for test in try WireMockCase.all(in: "stubs.jsonl") {
            for stub in test.stubs {
                for _ in 0..<12 {
                    guard let value = try? JSONValue(parsing: mutator.mutate(stub.bytes)) else { continue }
                    do throws(StubError) {
                        _ = try Stub(json: value)
                        read += 1
                    } catch {
                        #expect(!error.text.isEmpty)
                        refused += 1
                    }
                }
            }
        }
        #expect(read > 100 && refused > 100, "\(read) \(refused)")
    }

    @Test func `Mutated bodies match or don't, and nothing fails`() throws {
        var mutator = Mutator(random: SeededGenerator(seed: 21), tokens: Self.tokens)
        var (matched, compared) = (0, 0)
        for test in try WireMockCase.all(in: "stubs.jsonl") where test.refused == nil {
            guard let stub = test.stubs.first, let pattern = try? Stub(json: stub).request else { continue }
            for (request, _) in test.calls {
                let parts = request.split(separator: "\n\n", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let type = parts[0].split(separator: "\n").first { $0.hasPrefix("Content-Type: ") }
                for _ in 0..<12 {
                    let made = try MockRequest(
                        .post,
                        "/a",
                        headers: type.map { [.contentType: String($0.dropFirst(14))] } ?? [:],
                        body: mutator.mutate(Array(parts[1].utf8))
                    )
                    compared += 1
                    if pattern.matches(made) { matched += 1 }
                    #expect(pattern.match(made).distance <= 1)
                }
            }
        }
        #expect(matched > 50 && compared > 500, "\(matched) of \(compared)")
    }
}
