import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import Floki

/// Mutated URLs and documents: each gets a response or findings, and nothing traps.
@Suite(.timeLimit(.minutes(5))) struct MutationTests {
    private static let targets = [
        "/floki/news/en?d=2&l=3&h=5", "/floki/news/en&o=7", "/floki/news/older/en?l=5", "/floki/my%2dphotos%7e/es?o=2",
        "/floki/news/search/en?q=item+x&page=1", "/floki/news/tagged/en?tag=a&page=2", "/floki/news/video/en?video=a",
        "/floki/my-photos~/gallery/en?tag=a", "/floki/news/items/en/7/en&d=1", "/floki/about/es", "/floki/v1-app",
    ]
    private static let parts = [
        "9223372036854775807", "-1", "0", "1e9", "%", "%FF", "%00", "%26", "&&", "==", "?", "/", "//", "..", "\u{FDFD}",
        "+",
        "&l=9223372036854775807", "&o=9223372036854775807", "&page=9223372036854775807",
    ]
    .map { Array($0.utf8) }

    @Test func `Mutated URLs are answered`() async throws {
        let site = try TestSite()
        try await site.save(1...9) { $0.page("x").tags("a") }
        let movie = movieViewController("http://a.b/c")
        try await site.save([10]) { $0.opens(movie).video("a") }
        var mutator = Mutator(random: SeededGenerator(seed: 11), tokens: Self.parts)
        var statuses: [Int: Int] = [:]
        for round in 0..<2_000 {
            let bytes = mutator.mutate(Array(Self.targets[round % Self.targets.count].utf8))
            // A text that isn't a URL never reaches the server.
            guard let url = try? HTTPURL("http://localhost" + String(decoding: bytes, as: UTF8.self)) else { continue }
            let response = try? await site.transport.response(to: ClientRequest(.get, url), limits: ClientLimits())
            guard let response else { continue }
            statuses[response.status.code, default: 0] += 1
            #expect([200, 400, 404].contains(response.status.code), "\(url): \(response.text)")
            if response.mediaType == "application/json" {
                #expect((try? JSONValue(parsing: response.body)) != nil, "\(url): \(response.text)")
            }
        }
        #expect(statuses.count == 3, "\(statuses)")
    }

    @Test func `Mutated documents are judged`() throws {
        let cases = RuleTests.apps + RuleTests.controllers + RuleTests.entries + RuleTests.feeds
        let tokens = [
            "{", "[", "null", "-1", "9223372036854775807", "1e300", "[[]]", #""ttl":"#, "\\u0000", "(", "[(", "{1,",
        ]
        var mutator = Mutator(random: SeededGenerator(seed: 12), tokens: tokens.map { Array($0.utf8) })
        var judged = 0
        for round in 0..<4_000 {
            let bytes = mutator.mutate(Array(cases[round % cases.count].json.utf8))
            let findings = FlokiInspector().findings(inBody: bytes, path: "/x", app: nil)
            if findings.first?.rule != "not-json" { judged += 1 }
        }
        #expect(judged > 100)
    }
}
