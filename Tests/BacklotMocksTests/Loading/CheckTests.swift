import Backlot
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct CheckTests {
    private static func page(_ widget: String) -> String {
        #"{"typ":"nav_page","title":"A","widget":{"typ":"form","widgets":[\#(widget)]}}"#
    }

    @Test func `Check follows links, and logs in where that is required`() async throws {
        let link = #"{"typ":"nav_button","text":"B","actions":[{"typ":"push","page":"/b/{{path.id}}"}]}"#
        let dead = #"{"typ":"nav_button","text":"C","actions":["push:/c"]}"#
        let files = [
            "a/[id].page.json": Self.page(link), "b/[id].page.yaml": "requiresLogin: true\npage: \(Self.page(""))",
            "d.page.json": Self.page(dead),
            "e.page.yaml": "request: {variables: {x: \"1\"}}\npage: \(Self.page(""))",
        ]
        try await withMocks(files) { mocks in
            let report = await mocks.backend.check()
            #expect(report.pages.map(\.path).sorted() == ["/a/1", "/b/1", "/d"])
            let findings = report.pages.flatMap(\.findings)
            #expect(findings.map(\.rule) == ["dead-link"])
            #expect(report.unchecked.map(\.path) == ["/e"])
            #expect(report.hasErrors)
        }
    }

    @Test func `Check leaves scenarios as they are`() async throws {
        let text = "scenarioName: s\nnewScenarioState: other\npage: \(Self.page(""))"
        try await withMocks(["a.page.yaml": text]) { mocks in
            let report = await mocks.backend.check()
            #expect(!report.hasErrors)
            #expect(mocks.backend.scenarios.state(of: "s") == "Started")
        }
    }

    @Test func `A page may break rules on purpose, and then it must`() async throws {
        let field = "{typ: textfield, label: a, var_name: x}"
        let twice = "page: {typ: nav_page, title: t, widget: {typ: form, widgets: [\(field), \(field)]}}\n"
        let once = "page: {typ: nav_page, title: t, widget: {typ: form, widgets: [\(field)]}}\n"
        await #expect(throws: StartupError.self) { try await withMocks(["a.page.yaml": twice]) { _ in } }
        let files = [
            "a.page.yaml": "expect: duplicate-var-name\n" + twice,
            "b.page.yaml": "expect: [duplicate-var-name]\n" + once,
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect(.ok, .get, "/a")
            let findings = await mocks.backend.check().pages.flatMap(\.findings)
            #expect(findings.map(\.rule) == ["unmet-expectation"])
            #expect(
                findings.first?.message
                    == "b.page.yaml:1 expects that the page breaks the rule 'duplicate-var-name', and it doesn't."
            )
        }
        await #expect(throws: StartupError.self) {
            try await withMocks(["a.page.yaml": "expect: 7\n" + once]) { _ in }
        }
    }

    @Test func `A picture that is neither a mock nor a file of the server is dead`() async throws {
        let images = ["/mock/there", "/mock/gone", "there", "/file.png", "http://elsewhere.test/x.png"]
        let widgets = images.map { #"{"typ":"image","aspect_ratio":1,"disposition":"fit","url":"\#($0)"}"# }
        let page = """
            {"typ":"plain_page","title":"t","widget":{"typ":"column","alignment":"start","spacing":4,"widgets":[\(widgets.joined(separator: ","))]}}
            """
        try await withMocks(["a.page.json": page, "there.get.png": "x"], configure: { $0.path = "/mock/" }) { mocks in
            func dead(_ report: CheckReport) -> [String] {
                report.pages.flatMap(\.findings).filter { $0.rule == "dead-image" }.map(\.message)
            }
            let alone = dead(await mocks.backend.check())
            #expect(alone.count == 2, "\(alone)")
            #expect(alone.first?.contains(#""/mock/gone", which answers 404"#) == true)
            let router = Router()
            router.mocks(mocks.backend)
            router.get("/file.png") { _ in Response() }
            let served = dead(await mocks.backend.check(in: router.handler()))
            #expect(served.map { $0.contains("/mock/gone") } == [true])
        }
    }

    @Test func `Routes are listed with their sources`() async throws {
        let files = ["a/[id].page.json": Self.page(""), "b.get.yaml": "responses:\n  - {status: 201}\n  - {}\n"]
        try await withMocks(files, configure: { $0.path = "/mock/" }) { mocks in
            let lines = mocks.backend.routes.map { "\($0.methods.joined(separator: ",")) \($0.path) \($0.source)" }
            #expect(
                lines == [
                    "GET,POST /mock/a/{id} a/[id].page.json:1",
                    "GET /mock/b b.get.yaml:2", "GET /mock/b b.get.yaml:3",
                ]
            )
        }
    }
}
