import HTTPTypes
import Testing

@testable import BacklotHTTP

/// Mutated heads, 120,000 of them: none may trap, and what is said of each must not depend on how it arrived.
@Suite struct HeadMutationTests {
    private static let perSeed = 30_000

    private static let heads = [
        makeHead(), makeHead("GET /a?b=c HTTP/1.1", "A: b"), makeHead("GET http://h:80/p?q HTTP/1.1"),
        makeHead("POST /f HTTP/1.1", "Content-Length: 5"), makeHead("POST / HTTP/1.1", "Transfer-Encoding: chunked"),
        makeHead("GET / HTTP/1.0", host: nil, "Connection: keep-alive"),
        makeHead("OPTIONS * HTTP/1.1", "Expect: 100-continue"),
        bytes("\r\n\r\n") + makeHead("GET https://[::1]?q HTTP/1.1", "Connection: a, close"),
    ]

    private static let tokens = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\r\n ", "\u{0}", "\t", " ", ":", ": ", ",", "%", "%00", "?", "#", "*", "/",
        "//",
        "http://", "https://", "[", "]", "@", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "GET ", "CONNECT ", "Host: h\r\n",
        "Host:",
        "Content-Length: 5\r\n", "Content-Length: +5\r\n", "Content-Length: 9223372036854775807\r\n",
        "Content-Length: 18446744073709551616\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "chunked", "Transfer-Encoding", "Connection: close\r\n", "Expect: 100-continue\r\n", "\u{16}\u{3}\u{1}",
        "\u{FF}",
    ].map(bytes)

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutatedHeads(_ seed: UInt64) async {
        var mutator = Mutator(random: SeededGenerator(seed: seed), tokens: Self.tokens)
        var accepted = 0
        for round in 0..<Self.perSeed {
            // Others wait for the thread, some of them with a client that has little time.
            if round.isMultiple(of: 100) { await Task.yield() }
            let head = mutator.mutate(Self.heads.randomElement(using: &mutator.random) ?? [])
            let verdict = HeadVerdict(head)
            let cut = Int.random(in: 0...head.count, using: &mutator.random)
            let inTwo = HeadVerdict(head, cuts: CollectionOfOne(cut))
            if inTwo != verdict {
                Issue.record("\(spelled(head).debugDescription), cut at \(cut): \(inTwo), not \(verdict)")
            }
            if case .accepted(let summary) = verdict {
                accepted += 1
                expectSane(summary, of: head)
            }
        }
        #expect(accepted > Self.perSeed / 50, "mutations that spoil everything test nothing")
    }

    /// An accepted head can be written down anew from what was read, and is then read the same.
    private func expectSane(_ summary: HeadSummary, of head: [UInt8]) {
        let version = summary.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"
        let lines = ["\(summary.method) \(summary.target) \(version)"] + summary.fields + ["", ""]
        let rewritten = bytes(lines.joined(separator: "\r\n"))
        var expected = summary
        expected.length = rewritten.count
        if HeadVerdict(rewritten) != .accepted(expected) {
            Issue.record("\(spelled(head).debugDescription) is read as \(summary), and then otherwise")
        }
        if head.prefix(summary.length).suffix(4) != [13, 10, 13, 10] {
            Issue.record("\(spelled(head).debugDescription) ends in the wrong place")
        }
        // What a reader that looks for less would see must not be there.
        let names = summary.fields.map { $0.prefix { $0 != ":" }.lowercased() }
        if names.contains("transfer-encoding"), names.contains("content-length") || summary.framing != .chunked {
            Issue.record("\(spelled(head).debugDescription) has two framings")
        }
        if names.filter({ $0 == "host" || $0 == "content-length" }).count
            > Set(names).intersection(["host", "content-length"]).count
        {
            Issue.record("\(spelled(head).debugDescription) has a field twice")
        }
    }
}
