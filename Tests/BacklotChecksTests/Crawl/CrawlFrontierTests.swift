import Backlot
import Testing

@testable import Applin
@testable import BacklotChecks
@testable import BacklotClients

/// The order of the pages of a crawl, without any I/O.
@Suite(.timeLimit(.minutes(5))) struct CrawlFrontierTests {
    private let base: BaseURL

    init() throws {
        base = try BaseURL(HTTPURL("http://example.com/travel/"))
    }

    private func link(_ target: String, from page: String = "/") -> PageLink {
        PageLink(kind: .page, action: "push", target: target, place: FindingPath(page: page))
    }

    private func frontier(_ targets: String..., maximum: Int = 1000) throws -> CrawlFrontier {
        var frontier = CrawlFrontier(from: CrawlStop("/", base.url), maximum: maximum)
        for target in targets { frontier.add(link(target), to: CrawlStop("", try base.resolve(target))) }
        return frontier
    }

    @Test func `Pages come once, those found first come first`() throws {
        var frontier = try frontier("/b", "/a", "/b", "/", "/x/../a", "/a?page=2")
        var paths: [String] = []
        while let target = frontier.next() { paths.append(target.path) }
        #expect(paths == ["/", "/b", "/a", "/a?page=2"])
        #expect(frontier.waiting == 0)
        #expect(!frontier.isOverBound)
    }

    @Test func `A page found again after it was asked for stays done`() throws {
        var frontier = try frontier("/a")
        _ = frontier.next()
        _ = frontier.next()
        let isNew = frontier.add(link("/a", from: "/a"), to: CrawlStop("", try base.resolve("/a")))
        #expect(!isNew)
        #expect(frontier.next() == nil)
        #expect(frontier.links(to: CrawlStop("", try base.resolve("/a"))).map(\.place.page) == ["/", "/a"])
    }

    @Test func `At the bound it ends, and says what is left`() throws {
        var frontier = try frontier("/a", "/b", "/c", maximum: 2)
        #expect(frontier.next()?.path == "/")
        #expect(frontier.next()?.path == "/a")
        #expect(frontier.next() == nil)
        #expect(frontier.isOverBound)
        #expect(frontier.left == ["/b", "/c"])
        frontier.giveBack()
        #expect(frontier.left == ["/a", "/b", "/c"])
    }

    @Test func `What it remembers is bounded`() throws {
        var frontier = CrawlFrontier(maximum: 1)
        for number in 0..<CrawlFrontier.maximumWaiting + 7 {
            frontier.add(link("/\(number)"), to: CrawlStop("", try base.resolve("/\(number)")))
        }
        #expect(frontier.waiting == CrawlFrontier.maximumWaiting)
        #expect(frontier.forgotten == 7)
        for _ in 0..<100 { frontier.add(link("/1"), to: CrawlStop("", try base.resolve("/1"))) }
        #expect(frontier.links(to: CrawlStop("", try base.resolve("/1"))).count == CrawlFrontier.maximumLinks)
    }

    @Test(arguments: [
        ("/", "http://example.com/travel/"),
        ("/x", "http://example.com/travel/x"),
        ("/a/b:c", "http://example.com/travel/a/b:c"),
        ("//travel/x", "http://example.com/travel/x"),
        ("x", "http://example.com/travel/x"),
        ("/x?y=/z", "http://example.com/travel/x?y=/z"),
        ("http://example.com/travel/x", "http://example.com/travel/x"),
        ("/../travels/x", "http://example.com/travels/x"),  // clients leave the last slash of the base out
    ])
    func `Paths are below the base URL`(target: String, url: String) throws {
        #expect(try base.resolve(target).description == url)
    }

    @Test(arguments: [
        ("/../x", "is outside the app's base URL"),
        ("//example.com/x", "is outside the app's base URL"),
        ("http://example.org/travel/x", "is outside the app's base URL"),
        ("https://example.com/travel/x", "is outside the app's base URL"),
        ("mailto:somebody", "isn't a URL that clients can request"),
        ("/" + String(repeating: "x", count: 8000), "has more than 8000 bytes"),
    ])
    func `Paths that leave it are none`(target: String, reason: String) {
        #expect(throws: BaseURL.ResolutionError(reason: reason)) { try base.resolve(target) }
    }

    @Test(arguments: ["/a:b", "/8:30", "/:"])
    func `A path whose first segment has a colon is none, and the rules of pages say so`(target: String) {
        let problem = BaseURL.ResolutionError(
            reason: "has a colon, so clients read a scheme before it",
            isReported: true
        )
        #expect(throws: problem) { try base.resolve(target) }
    }

    @Test(arguments: ["http://example.com/travel", "http://example.com/?a=b"])
    func `A base URL ends in a slash`(url: String) throws {
        let url = try HTTPURL(url)
        #expect(throws: ClientError.self) { try BaseURL(url) }
    }

    @Test(
        arguments: [
            (.note, [], "error warning note"), (.warning, [], "error warning"), (.error, [], "error"),
            (.note, ["error"], "warning note"), (.note, ["error:/a/b"], "error warning note"),
            (.error, ["error:/a"], ""),
        ] as [(Finding.Severity, [String], String)]
    )
    func `Expected findings, and those below a severity, are left out`(
        least: Finding.Severity,
        expected: [String],
        left: String
    ) throws {
        var findings = CrawlFindings(least: least, expected: try ExpectedFindings(expected))
        let all = Finding.Severity.allCases.map {
            Finding($0, rule: $0.rawValue, path: FindingPath(page: "/a"), message: "m", fix: "f")
        }
        // Warnings that aren't reported leave room for errors.
        for number in 0..<101 where least == .error {
            findings.add([Finding(.warning, rule: "w", path: all[0].path, message: "\(number)", fix: "f")])
        }
        findings.add(all)
        #expect(findings.pages.flatMap(\.findings).map(\.rule).joined(separator: " ") == left)
        #expect(findings.findings(of: "/a").first == all[0])
    }

    @Test func `Findings of a page are kept once, and bounded`() {
        var findings = CrawlFindings()
        func finding(_ number: Int) -> Finding {
            Finding(.error, rule: "r", path: FindingPath(page: "/a"), message: "\(number)", fix: "f")
        }
        findings.begin("/b")
        findings.add([finding(0), finding(0)])
        #expect(findings.pages.map(\.path) == ["/b", "/a"])
        #expect(findings.pages[1].findings == [finding(0)])
        findings.add((1...105).map(finding))
        #expect(findings.pages[1].findings.count == 101)
        #expect(findings.pages[1].findings.last?.message == "6 more findings are not listed.")
    }
}
