import Applin
import Backlot
import BacklotChecks
import BacklotTesting
import DynamicViews
import Floki
import Testing
import Xpedite

/// Crawls of Xpedite apps.
@Suite(.timeLimit(.minutes(5))) struct XpediteCrawlTests {
    /// The rules that an app breaks, each with the page it was found on.
    private func crawl(
        _ options: (inout CrawlOptions) -> Void = { _ in },
        _ register: (XpediteApp) -> Void
    ) async throws -> CrawlReport {
        let router = Router()
        var configuration = XpediteConfiguration()
        configuration.validation = .off
        router.xpedite("/xpedite", version: 1, configuration: configuration, register)
        var chosen = CrawlOptions()
        chosen.slow = .seconds(60)
        options(&chosen)
        return try await Crawl(router, at: "/xpedite", as: .xpedite, options: chosen).report()
    }

    /// A crawl of a backend that responds to each method with a text.
    private func crawl(responses: [String: String]) async throws -> CrawlReport {
        let router = Router()
        router.post("/xpedite") { request in
            let packet = try JSONValue(parsing: try await request.body.collect())
            let response = responses[packet["method"]?.string ?? ""] ?? ""
            if let code = Int(response) { return .text("failed", status: HTTPResponse.Status(code: code)) }
            return Response(headers: [.contentType: "application/json"], body: .bytes(Array(response.utf8)))
        }
        var options = CrawlOptions()
        options.slow = .seconds(60)
        return try await Crawl(router, at: "/xpedite", as: .xpedite, options: options).report()
    }

    private static let home =
        #"{"rc":0,"version":1,"token":"t","components":[{"type":"button","text":"Go","method":{"function":"go"}}]}"#

    private func rules(_ report: CrawlReport) -> [String] { report.findings.map { "\($0.path) \($0.rule)" } }

    @Test func `Methods are reached by taps, menus, tables and cancel, and with --rpc by forms`() async throws {
        let called = Locked<[String]>([])
        func register(_ app: XpediteApp) {
            @Sendable func note(_ call: Call) {
                called.withLock { $0.append("\(call.method) \(JSONValue.object(call.input()))") }
            }
            app.connect { _ in
                page("Home") {
                    slideFrom(.left, id: "menu") { menuEntry("List", "list") }
                    button("Again").method("list")
                    button("Other").method(MethodCall("other", ["id": 7]))
                }
            }
            app.method("list") { call in
                note(call)
                return page("List") {
                    table("rows") { cell("name") }.clickRow("view", selected: "id")
                    button("Edit").method("edit")
                }
            }
            app.table("rows", batch: 2) { offset, limit, _ in
                (offset..<min(3, offset + limit)).map { ["id": .string("r\($0)"), "name": "x"] }
            }
            for method in ["other", "view", "left", "saved", "searched"] {
                app.method(method) { call in
                    note(call)
                    return page(method) { label("x") }
                }
            }
            app.method("edit") { call in
                note(call)
                return page("Edit") {
                    form(id: "f") { textbox(name: "name").value("Ann") }.save("saved").cancel("left")
                    button("Search").method(Method("searched").formdata())
                }
            }
        }
        let report = try await crawl { register($0) }
        #expect(report.isClean, "\(report)")
        #expect(
            called.withLock { $0 } == [
                "list {}", #"other {"id":7}"#, "edit {}", #"view {"id":"r0"}"#, #"left {"name":"Ann"}"#,
            ]
        )
        #expect(report.visited == 6)
        #expect(report.rpcsNotCalled == ["saved", "searched"])
        #expect(report.description.contains("methods that take input not called: 2: saved, searched"))
        #expect(report.json["protocol"] == "xpedite")
        called.withLock { $0 = [] }
        let all = try await crawl({ $0.callsRPCs = true }, register)
        #expect(all.rpcsCalled == 2)
        #expect(called.withLock { $0.suffix(2) } == [#"saved {"name":"Ann"}"#, #"searched {"name":"Ann"}"#])
        let bounded = try await crawl({ $0.maximumPages = 2 }, register)
        #expect(bounded.end == .pages)
        #expect(bounded.notVisited == [#"other {"id":7}"#, "edit", #"view {"id":"r0"}"#])
    }

    @Test func `What fails is told where the tap is, and what the app refuses is listed`() async throws {
        let report = try await crawl { app in
            app.connect { _ in
                page("Home") {
                    button("Gone").method("gone")
                    button("Refused").method("refused")
                    button("Wrong").method("wrong")
                }
            }
            app.method("refused") { _ in throw UserError("Please log in.") }
            app.method("wrong") { _ in
                page("Wrong") {
                    Xpedite.image(id: "unknown")
                    button("Gone too").method("gone")
                }
            }
        }
        #expect(
            rules(report) == [
                #"setConnection › tap "Gone" method-fails"#, #"wrong › image "unknown" unknown-image"#,
                #"wrong › tap "Gone too" method-fails"#,
            ]
        )
        #expect(report.refused.map { "\($0.path) \($0.status)" } == ["refused 1"])
        #expect(
            report.findings.first?.message
                == #"A tap calls "gone", which responds with rc 4 and "There is no method \"gone\".", so clients show an error dialog."#
        )
    }

    /// A menu's entries are possible taps wherever a page names it: these are four million, or sixteen.
    @Test(arguments: [2000, 4000]) func `A crawl follows at most 1000 taps of a page, and says so`(
        count: Int
    ) async throws {
        let entry = #"{"type":"button","text":"Go","method":{"function":"go"}}"#
        let entries = Array(repeating: entry, count: count).joined(separator: ",")
        let menu =
            #"{"type":"navigation","id":"a","implementation":{"style":"slidefrom","position":"left"},"components":[\#(entries)]}"#
        let names = Array(repeating: #"{"type":"navigation","id":"a"}"#, count: count - 1).joined(separator: ",")
        let home = #"{"rc":0,"version":1,"token":"t","components":[\#(menu),\#(names)]}"#
        let go = #"{"rc":0,"token":"t","components":[{"type":"label","text":"x"}]}"#
        let report = try await crawl(responses: ["setConnection": home, "go": go])
        #expect(report.visited == 2)
        let found = report.findings.filter { $0.rule == "crawl-bound" }
        let taps = count == 2000 ? 10_000 : 12_000
        #expect(found.map(\.message) == ["The crawl follows only the first 1000 of \(taps) taps."])
    }

    @Test(arguments: [
        ("404", "go not-200"), ("500", "go not-200"), ("nonsense", "go not-json"), ("[]", "go not-an-object"),
        (#"{"rc":0,"components":[]}"#, "go missing-token"),
        (#"{"rc":0,"token":"","components":[]}"#, "go missing-token"),
        (#"{"token":"t","components":[]}"#, "go missing-key"),
        (#"{"rc":0,"token":"t","components":[{"type":"label"}]}"#, "go › label missing-key"),
        (#"{"rc":3,"token":"t","components":[]}"#, #"setConnection › tap "Go" method-fails"#),
    ])
    func `What is wrong with a response`(response: String, rule: String) async throws {
        let found = rules(try await crawl(responses: ["setConnection": Self.home, "go": response]))
        #expect(found == [rule])
    }

    @Test(arguments: [
        ("404", "not-200"), ("{", "not-json"), (#"{"rc":0,"version":1,"components":[]}"#, "missing-token"),
        (#"{"rc":1,"components":[]}"#, "method-fails"),
    ])
    func `A session that doesn't begin is a finding`(response: String, rule: String) async throws {
        let report = try await crawl(responses: ["setConnection": response])
        #expect(report.findings.map(\.rule) == [rule])
        #expect(report.visited == 1)
    }

    @Test(arguments: [
        (#"{"rc":0,"token":"t","data":[{"name":"a"}],"max":1}"#, ["rows-repeat"]),
        (#"{"rc":0,"token":"t","data":[{"other":"a"}]}"#, ["missing-field", "missing-selected"]),
        (#"{"rc":0,"token":"t","components":[]}"#, ["no-rows"]),
        (#"{"rc":0,"token":"t","data":[{"name":"a"},7]}"#, ["wrong-type"]),
        (#"{"rc":0,"token":"t","data":[]}"#, []),
    ])
    func `What is wrong with a table`(rows: String, rules: [String]) async throws {
        let home = #"""
            {"rc":0,"version":1,"token":"t","components":[{"type":"table","data":{"dynamic":"rows"},"cell":[{"field":"name"}],
            "clickRow":{"function":"view","selected":"name"}}]}
            """#
        let view = #"{"rc":0,"token":"t","components":[]}"#
        let report = try await crawl(responses: ["setConnection": home, "rows": rows, "view": view])
        #expect(report.findings.map(\.rule) == rules)
    }

    @Test func `What a backend speaks is found by what answers`() async throws {
        let router = Router()
        router.xpedite("/x", version: 1) { $0.connect { _ in page { label("x") } } }
        router.get("/views/") { _ in
            Response(headers: [.contentType: "application/json"], body: .bytes(Array(#"{"views":[]}"#.utf8)))
        }
        router.get("/floki") { _ in Response(body: .bytes(Array(#"{"v":1,"url":"http://localhost/a","ttl":1}"#.utf8))) }
        router.get("/other") { _ in .text("hello") }
        let transport = try InProcessTransport(router.handler())
        for (path, wire) in [
            ("x", AppProtocol.xpedite), ("views/", .dynamicViews), ("floki", .floki), ("other", .applin), ("", .applin),
        ] {
            #expect(try await AppProtocol.found(at: "http://localhost/\(path)", transport: transport) == wire)
        }
    }
}
