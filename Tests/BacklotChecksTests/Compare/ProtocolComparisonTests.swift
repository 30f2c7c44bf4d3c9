import Backlot
import BacklotChecks
import BacklotTesting
import DynamicViews
import Floki
import Testing
import Xpedite

/// Comparisons of apps that speak the other protocols.
@Suite(.timeLimit(.minutes(5))) struct ProtocolComparisonTests {
    // MARK: Xpedite

    /// An app with a form on its home page, and a table on another page.
    private static func register(
        _ app: XpediteApp,
        text: String = "Hello",
        field: String = "name",
        method: String = "list",
        row: String = "Ann"
    ) {
        app.connect { _ in
            page("Home") {
                label(text)
                form(id: "f") { textbox(name: field) }.save("saved")
                button("List").method(Method("list"))
            }
        }
        app.method(method) { _ in page("List") { table("rows") { cell("name") } } }
        app.table("rows", batch: 2) { offset, limit, _ in
            (offset..<min(3, offset + limit)).map { ["id": .string("r\($0)"), "name": .string(row)] }
        }
        app.method("saved") { _ in page("Saved") { label("x") } }
    }

    private static func xpedite(_ register: (XpediteApp) -> Void) -> Router {
        let router = Router()
        var configuration = XpediteConfiguration()
        configuration.validation = .off
        router.xpedite("/xpedite", version: 1, configuration: configuration, register)
        return router
    }

    private static func diff(_ other: (XpediteApp) -> Void) async throws -> ComparisonReport {
        try await Comparison(xpedite { register($0) }, xpedite(other), at: "/xpedite", as: .xpedite).report()
    }

    @Test func `Equal Xpedite apps have no differences despite their tokens`() async throws {
        for _ in 1...5 {
            let report = try await Self.diff { Self.register($0) }
            #expect(report.isClean, "\(report)")
            #expect(report.pages == ["setConnection", "list", "rows"], "\(report.pages)")
        }
    }

    @Test func `Changes of Xpedite apps`() async throws {
        var report = try await Self.diff { Self.register($0, text: "Hi") }
        #expect(report.found == ["visible setConnection value-changed"], "\(report)")
        report = try await Self.diff { Self.register($0, field: "title") }
        #expect(report.found == ["breaking setConnection variable-changed"], "\(report)")
        report = try await Self.diff { Self.register($0, method: "all") }
        #expect(report.differences.map(\.kind).max() == .breaking, "\(report)")
        #expect(report.found.contains("breaking list return-code-changed"), "\(report)")
        report = try await Self.diff { Self.register($0, row: "Bob") }
        #expect(report.found == Array(repeating: "visible rows value-changed", count: 2), "\(report)")
    }

    // MARK: Floki

    private static func floki(_ host: String) -> ComparedApp {
        let feed = #"{"items":[{"id":1,"title":"A","url":"../page","image":"../a.png"},{"id":2,"title":"B"}]}"#
        let data =
            #"{"langs":[{"en":{"1":"News"}}],"tabs":[{"unique_id":1,"long_title":1,"class_type":"News_view_controller","#
            + #""data":{"main_url":"http://\#(host)/f/news/","ttl":60}}]}"#
        var app = ComparedApp()
        app.on("/f/v1") { _, _ in
            ComparedApp.response(#"{"v":1,"url":"http://\#(host)/f/data","ttl":60}"#, "application/json")
        }
        app.on("/f/data") { _, _ in ComparedApp.response(data, "application/json") }
        app.on("/f/news/en") { _, _ in ComparedApp.response(feed, "application/json") }
        app.on("/f/page") { _, _ in ComparedApp.response("text", "text/html") }
        app.on("/f/a.png") { _, _ in ComparedApp.response("x", "image/png") }
        return app
    }

    private static let flokiChanges: [(String, String, String, [String])] = [
        ("/f/news/en", #""title":"A""#, #""title":"C""#, ["visible"]),
        ("/f/news/en", #",{"id":2,"title":"B"}"#, "", ["visible"]),
        ("/f/v1", #""v":1"#, #""v":2"#, ["visible"]),
        ("/f/page", "text", "another", ["visible"]),
        ("/f/a.png", "x", "y", ["visible"]),
        ("/f/data", "News_view_controller", "Nws_view_controller", ["breaking"]),
    ]

    @Test(arguments: flokiChanges)
    func `Changes of Floki apps`(path: String, old: String, new: String, kinds: [String]) async throws {
        #expect(try await TwoServers(Self.floki("a"), Self.floki("b")).diff(as: .floki, at: "f/v1").isClean)
        let other = Self.floki("b").with { $0.replace(path, old, new) }
        let report = try await TwoServers(Self.floki("a"), other).diff(as: .floki, at: "f/v1")
        #expect(Set(report.differences.map { "\($0.kind)" }).isSuperset(of: kinds), "\(report)")
        #expect(report.differences.map(\.kind).max().map { "\($0)" } == kinds.last, "\(report)")
    }

    // MARK: Dynamic Views

    private static func views(_ change: (inout ComparedApp) -> Void = { _ in }) -> ComparedApp {
        var app = ComparedApp([
            "/v/": #"{"views":["home"]}"#,
            "/v/home.json":
                #"{"configuration":{},"widgets":[{"type":"snabble.text","id":"t","text":"Hi"},{"type":"snabble.text","id":"u","text":"There"}]}"#,
        ])
        change(&app)
        return app
    }

    @Test func `Changes of Dynamic Views, in both dialects`() async throws {
        func diff(_ change: (inout ComparedApp) -> Void) async throws -> ComparisonReport {
            try await TwoServers(Self.views(), Self.views(change)).diff(as: .dynamicViews, at: "v/")
        }
        var report = try await diff { _ in }
        #expect(report.isClean, "\(report)")
        report = try await diff { $0.replace("/v/home.json", "Hi", "Hello") }
        #expect(report.differences.map(\.kind) == [.visible, .visible], "\(report)")
        report = try await diff { $0.remove("/v/home.json") }
        #expect(Set(report.differences.map(\.kind)) == [.breaking], "\(report)")
    }
}
