import Applin
import Backlot
import BacklotTesting
import Testing

@testable import BacklotChecks

/// Comparison of texts, apart from ids and times that differ on each server.
@Suite(.timeLimit(.minutes(5))) struct VolatileTextTests {
    @Test(arguments: [
        ("Since 2026-11-22T10:15:00Z", "Since 2025-01-02T03:04:05Z"),
        ("at 2026-11-22 10:15:00.123+01:00!", "at 2026-11-23 10:16!"),
        ("92251C42-F637-4986-89B7-26F5A6B5C3B2", "db0f7a94-1e58-4d7b-9a52-c13f2f2bb1f0"),
        ("/style-0a75417e0f4b.css", "/style-1b86528f1a5c.css"),
        ("id t4bzktjg47v2g9hh", "id muce3k5f8mge6kgt5"),
        ("Grüße 0a75417e0f4b", "Grüße 1b86528f1a5c"),
    ])
    func `Texts with other ids and exact times are the same`(one: String, two: String) {
        #expect(VolatileText(ignoresTimes: false).isSame(one, two))
    }

    @Test(arguments: [
        ("5 left", "6 left"), ("iphone-15-pro", "iphone-16-pro"), ("v1.2.3", "v1.2.4"), ("Price 12.50", "Price 13.50"),
        ("on 2026-11-22", "on 2026-11-23"), ("10:15", "10:16"), ("Hello", "Hullo"), ("", "x"), ("ü1", "ö1"),
    ])
    func `Texts with other numbers, days or words differ`(one: String, two: String) {
        #expect(!VolatileText(ignoresTimes: false).isSame(one, two))
    }

    @Test(arguments: [
        ("on 2026-11-22", "on 2026-12-01"), ("10:15", "9:16"), ("Sunday, 22 November", "Monday, 1 December"),
        ("5 minutes ago", "2 hours ago"), ("22.11.2026", "01.12.2026"), ("11/22/26", "1/3/27"),
    ])
    func `Texts with other days are the same if times are ignored`(one: String, two: String) {
        #expect(VolatileText(ignoresTimes: true).isSame(one, two))
        #expect(!VolatileText(ignoresTimes: false).isSame(one, two))
    }

    @Test(arguments: [("5 left", "6 left"), ("Sunday", "Monday"), ("Price 12.50", "Price 13.50")])
    func `Texts with other numbers or words differ even if times are ignored`(one: String, two: String) {
        #expect(!VolatileText(ignoresTimes: true).isSame(one, two))
    }

    @Test(.timeLimit(.minutes(1)))
    func `A long text of numbers and hyphens is masked in time`() {
        let text = String(repeating: "1-", count: 20_000)
        #expect(VolatileText(ignoresTimes: false).masked(text) == text)
        let id = "92251C42-F637-4986-89B7-26F5A6B5C3B2"
        #expect(VolatileText(ignoresTimes: false).masked("\(id) \(id)-5") == "* 92251C42-F637-4986-89B7-*-5")
    }

    @Test(
        arguments: [
            (["0.31"], "The client 0.31"), (["0.31", "0.32"], "The clients 0.31 to 0.32"),
            (["0.31", "0.33"], "The clients 0.31 and 0.33"), (["0.39", "0.40"], "The clients 0.39 to 0.40"),
            (["0.30", "0.31", "0.33", "0.35", "0.36"], "The clients 0.30 to 0.31, 0.33 and 0.35 to 0.36"),
        ] as [([ClientVersion], String)]
    )
    func `Releases are named in words`(releases: [ClientVersion], title: String) throws {
        let compared = try #require(ComparedReleases(.applin))
        let verb = releases.count == 1 ? "loads" : "load"
        #expect(compared.told(releases) { load, _ in load } == "\(title) \(verb)")
    }

    @Test(arguments: [("/a%20b", "a%20b"), ("/100%", "100%25"), ("/%zz/%4", "%25zz/%254"), ("/ü", "%C3%BC")])
    func `Paths become URIs`(path: String, uri: String) {
        let sarif = PathReport(path: path).text(as: .sarif)
        #expect(sarif.contains(#""uri":"\#(uri)""#), "\(sarif)")
    }

    /// A report with a finding at a path.
    private struct PathReport: ServerReport {
        static let tool = "test"
        let path: String
        var unreachable: ClientError? { nil }
        var findings: [Finding] {
            [Finding(.error, rule: "r", path: FindingPath(page: path), message: "M.", fix: "F.", isRejection: false)]
        }
        var json: JSONValue { .null }
        var description: String { "" }
    }

    @Test func `Neutral differences are notes`() async throws {
        let other = Shop.app.with { $0.change("/") { $0.headers[.cacheControl] = nil } }
        let report = try await TwoServers(Shop.app, other).diff()
        #expect(report.text(as: .text).contains("0 breaking, 0 visible, 1 neutral"), "\(report)")
        #expect(report.text(as: .sarif).contains(#""level":"note""#))
        #expect(report.json["findings"]?[0]?["severity"] == "note")
        #expect(report.json["findings"]?[0]?["class"] == "neutral")
    }
}
