import Backlot
import BacklotChecks
import BacklotClients
import BacklotMocks
import TestSupport
import Testing

/// A new protocol is one declaration and one client: all tools serve it, and none names it.
@Suite(.timeLimit(.minutes(5))) struct ToyProtocolTests {
    private static let home = """
        {"card": {"type": "card", "title": "Home", "links": [
            {"text": "Next", "to": "/next"}, {"text": "Gone", "to": "/gone"}]}}
        """
    private static let next = #"{"card": {"type": "card", "title": "Optional(\"Next\")", "colour": 1}}"#

    private static func router(_ cards: [String: String] = ["/": home, "/next": next]) -> Router {
        let router = Router()
        for (path, card) in cards {
            router.get(path) { _ in
                Response(headers: [.contentType: "application/json"], body: .bytes(Array(card.utf8)))
            }
        }
        let inspector = ToyInspector()
        router.add(MountedApp(.toy, basePath: "/", inspector: inspector) { cards.keys.contains($0) })
        return router
    }

    /// The report of a crawl that calls no page slow, even on a busy machine.
    private static func crawl(_ router: Router) async throws -> CrawlReport {
        var options = CrawlOptions()
        options.slow = .seconds(60)
        return try await Crawl(router, as: .toy, options: options).report()
    }

    @Test func `Check follows its links, and judges by its words`() async throws {
        let report = try await Self.crawl(Self.router())
        #expect(report.visited == 3)
        #expect(report.findings.map(\.rule) == ["dead-link", "unknown-key"], "\(report)")
        #expect(report.findings.first?.path.pointer == "/card/links/1/to")
        #expect(report.json["protocol"] == "toy")
        #expect("\(report)".contains("toy"))
    }

    @Test func `Explore taps, and writes what comes to light as a test`() async throws {
        var options = ExploreOptions(seed: 7)
        options.maximumSteps = 60
        options.hasFaults = false
        options.slow = .seconds(60)
        let report = try await Explore(Self.router(), as: .toy, options: options).report()
        #expect(Set(report.findings.map(\.rule)) == ["app-error", "developer-text"], "\(report)")
        let found = try #require(report.discoveries.first { $0.finding.rule == "app-error" })
        #expect(found.steps == ["launch()", #"tap("Gone")"#])
        #expect(found.test.contains("ToyClient(url:"))
    }

    /// Cards that differ from those of the first deployment, and the differences.
    @Test(
        arguments: [
            (
                #"{"card": {"type": "card", "title": "Home", "links": [{"text": "Next", "to": "/"}]}}"#,
                ["target-changed"]
            ),
            (
                #"{"card": {"type": "card", "title": "Start", "links": [{"text": "Next", "to": "/next"}]}}"#,
                ["value-changed"]
            ),
            (#"{"card": {"type": "card", "title": "Home", "links": [{"to": "/next"}]}}"#, ["key-removed"]),
            (#"{"card": {"type": "card", "title": "Home"}}"#, ["key-removed"]),
            (#"{"page": {"typ": "nav_page", "title": "Home"}}"#, ["protocol-changed"]),
        ]
    )
    func `Compare finds what differs in its cards`(card: String, rules: [String]) async throws {
        let old = #"{"card": {"type": "card", "title": "Home", "links": [{"text": "Next", "to": "/next"}]}}"#
        let b = Self.router(["/": card, "/next": Self.next])
        let report = try await Comparison(Self.router(["/": old, "/next": Self.next]), b, as: .toy).report()
        #expect(report.differences.map(\.finding.rule) == rules, "\(report)")
    }

    @Test func `Mocks of its cards are compared with a backend by its words`() async throws {
        try await withTemporaryFolder { folder in
            let home = "title: Home\ntype: card\nlinks: [{text: Next, to: /next}]\n"
            try folder.write(home, to: "index.page.yaml")
            try folder.write(#"{"type": "card", "title": "Next"}"#, to: "next.page.json")
            let mocks = MockBackend(MockConfiguration(formats: [try #require(AppProtocol.toy.format())]))
            try RouteFiles(folder.path, backend: mocks).load()
            let backend = try InProcessTransport(Self.router().handler())
            let report = try await MocksComparison(mocks, with: "http://localhost/", transport: backend).report()
            #expect(report.compared == 2)
            #expect(report.differences.map(\.finding.rule) == ["link-added", "key-added"], "\(report)")
        }
    }

    @Test func `A backend that speaks it is found among others`() async throws {
        let transport = try InProcessTransport(Self.router().handler())
        let protocols = AppProtocol.known + [.toy]
        let found = try await AppProtocol.found(at: "http://localhost/", transport: transport, among: protocols)
        #expect(found == .toy)
        #expect(protocols.named("toy") == .toy)
    }

    @Test func `Mock files hold its cards, and are judged and checked`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("title: Home\ntype: card\nlinks: [{text: Next, to: /next}]\n", to: "index.page.yaml")
            try folder.write(#"{"type": "card", "title": "Next"}"#, to: "next.page.json")
            let format = try #require(AppProtocol.toy.format())
            let backend = MockBackend(MockConfiguration(formats: [format]))
            try RouteFiles(folder.path, backend: backend).load()
            let router = Router()
            router.mocks(backend)
            #expect(router.apps().map(\.appProtocol.name) == ["toy", "mocks"])
            let report = try await Self.crawl(router)
            #expect(report.isClean && report.visited == 2, "\(report)")
            let schema = "\(MockVocabulary.schema(of: "page", formats: [format]) ?? .null)"
            #expect(schema.contains("The ways to other cards."))
        }
    }

    @Test func `Preview has its title, judges its cards, and knows their parts and words`() throws {
        let app = try #require(Self.router().apps().first)
        #expect(app.appProtocol.title == "Toy" && app.appProtocol.summary == "cards with links")
        let card = #"{"card": {"type": "card", "title": "x", "links": [{"text": "Next"}]}}"#
        let findings = app.inspector.located(at: "http://localhost/").findings(
            inBody: Array(card.utf8),
            path: "/",
            app: nil
        )
        #expect(findings.map(\.path.steps) == [["card", #"link "Next""#]])
        #expect("\(try #require(app.schema))".contains("The ways to other cards."))
    }
}
