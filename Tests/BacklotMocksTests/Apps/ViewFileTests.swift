import Backlot
import BacklotChecks
import DynamicViews
import TestSupport
import Testing

@testable import BacklotMocks

/// Dynamic Views as files: each file is a view, with what interactions do.
@Suite(.timeLimit(.minutes(5))) struct ViewFileTests {
    private static let file = """
        configuration: {}
        widgets:
          - {type: text, id: title, text: "Hello {{session.user}}"}
          - {type: toggle, id: sound, text: Sound, key: sound}
          - {type: button, id: go, text: Go}
        interactions:
          - {widget: go, state: gone}
          - {widget: sound, "on": toggle, value: true, status: 422, message: Not today.}
        states:
          - name: gone
            configuration: {}
            widgets: [{type: button, id: back, text: Back}]
        """

    private func withViews<Result>(
        _ files: [String: String] = ["app/dashboard.view.yaml": file],
        _ body: (Mocks) async throws -> Result
    ) async throws -> Result {
        try await withMocks(files, configure: { $0.formats = [.dynamicViews()] }, body)
    }

    @Test func `A view is served, and interactions change it for one client`() async throws {
        try await withViews { mocks in
            try await mocks.expect(#"200 {"views":["dashboard"]}"#, .get, "/app/")
            let first = try await mocks.ask(.get, "/app/dashboard.json")
            #expect(first.text.contains(#""text":"Hello ""#))
            let tapped = try await mocks.ask(.post, "/app/dashboard/interactions", body: #"{"widgetId":"go"}"#)
            #expect(tapped.status == .noContent)
            let cookie = try #require(tapped.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let later = try await mocks.text(.get, "/app/dashboard.json", headers: [.cookie: cookie])
            #expect(later.contains(#""id":"back""#))
            #expect(try await mocks.ask(.get, "/app/dashboard.json").text == first.text)
        }
    }

    @Test func `A status from a client is one of an error`() async throws {
        let file = """
            configuration: {}
            widgets: [{type: button, id: go, text: Go}]
            interactions: [{widget: go, status: "{{{variables.code}}}", message: No.}]
            """
        try await withViews(["app/a.view.yaml": file]) { mocks in
            for (code, status) in [(422, 422), (1000, 500), (-1, 500), (200, 500)] {
                let body = #"{"widgetId":"go","userInfo":{"code":\#(code)}}"#
                try await mocks.expect(prefix: "\(status) ", .post, "/app/a/interactions", body: body)
            }
        }
    }

    @Test func `An interaction fails as the file says`() async throws {
        try await withViews { mocks in
            let path = "/app/dashboard/interactions"
            try await mocks.expect(
                "422 Not today.",
                .post,
                path,
                body: #"{"widgetId":"sound","userInfo":{"sound":true}}"#
            )
            try await mocks.expect("204 ", .post, path, body: #"{"widgetId":"sound","userInfo":{"sound":false}}"#)
            try await mocks.expect(prefix: "404 this view has no widget", .post, path, body: #"{"widgetId":"x"}"#)
        }
    }

    @Test func `Preview knows the views, and a crawl goes through them`() async throws {
        try await withViews { mocks in
            let app = try #require(mocks.backend.apps.first)
            #expect(app.basePath == "/app/")
            #expect(app.hasPage("/app/dashboard.json"))
            let router = Router()
            router.mocks(mocks.backend)
            let report = try await Crawl(router, at: "/app/", as: .dynamicViews).report()
            #expect(report.findings.filter { $0.severity == .error } == [], "\(report)")
        }
    }

    @Test(arguments: [
        (
            #"{"configuration": {}, "widgets": [{"type": "text", "id": 5}]}"#,
            [
                #"app/a.view.json:1:35: text: A text needs "text"; without it, clients refuse the whole document. Add "text" with a localisation key, such as Dashboard.title. [missing-key]"#,
                #"app/a.view.json:1:58: text: "id" is the number 5, but must be a string: clients refuse the whole document. Make "id" a string. [wrong-type]"#,
            ]
        ),
        (
            #"{"configuration": {}, "widgets": [], "interactions": [{"widget": "x"}]}"#,
            [
                #"app/a.view.json:1:66: The view has no widget "x". Write the id of one, or remove the interaction. [unknown-widget]"#
            ]
        ),
        (
            "{\"configuration\": {}, \"widgets\": [{\"type\":\"button\",\"id\":\"x\",\"text\":\"a\"}],\n"
                + #""interactions": [{"widget": "x", "state": "Startet"}]}"#,
            [
                "app/a.view.json:2:1: no view of this folder has the state 'Startet'; did you mean 'Started'?; add it under \"states\""
            ]
        ),
        (
            #"{"configuration": {}, "widgets": [{"type":"toggle","id":"x","text":"a","key":"k"}], "interactions": ["#
                + #"{"widget": "x"}, {"widget": "x", "on": "tap"}, {"widget": "x", "on": "toggle", "value": true}]}"#,
            [
                #"app/a.view.json:1:113: The widget "x" has no interaction "tap". Write "on": "toggle", or remove the interaction. [impossible-interaction]"#,
                #"app/a.view.json:1:141: The widget "x" has no interaction "tap". Write "on": "toggle", or remove the interaction. [impossible-interaction]"#,
            ]
        ),
        (
            #"{"configuration": {}, "widgets": [{"type":"button","id":"x","text":"{{session.user}}"}], "#
                + #""interactions": [{"widget": "other"}]}"#,
            [
                #"app/a.view.json:1:118: The view has no widget "other". Write the id of one, or remove the interaction. [unknown-widget]"#
            ]
        ),
        (
            #"{"configuration": {}, "widgets": [{"type":"button","id":"x-{{session.user}}","text":"a"}], "#
                + #""interactions": [{"widget": "x-ann"}]}"#,
            []
        ),
        (
            #"{"configuration": {}, "widgets": [{"type":"button","id":"x","text":"a"}], "#
                + #""interactions": [{"widget": "x", "value": true}]}"#,
            [
                #"app/a.view.json:1:117: The interaction "tap" has no value, so that this one never happens. Remove "value". [impossible-interaction]"#
            ]
        ),
        (
            #"{"configuration": {}, "widgets": [], "states": ["#
                + #"{"name": "a", "configuration": {}, "widgets": []}, {"name": "a", "configuration": {}, "widgets": []}]}"#,
            ["app/a.view.json:1:1: the view has two documents for the state 'a'; remove one, or rename it"]
        ),
        (
            #"{"configuration": {}, "widgets": [], "states": [{"name": "Started", "configuration": {}, "widgets": []}]}"#,
            ["app/a.view.json:1:1: the view has two documents for the state 'Started'; remove one, or rename it"]
        ),
        (
            "{",
            [
                "app/a.view.json:1:2: this is no JSON: the document ends where a key in double quotes belongs; it may have been cut off"
            ]
        ),
    ])
    func `Mistakes are named at their places`(text: String, expected: [String]) async throws {
        #expect(try await problems("app/a.view.json", text, formats: [.dynamicViews()]) == expected)
    }

    @Test func `A file has its warnings once, and may have keys of both platforms`() async throws {
        let text = """
            {"configuration": {"style": "grid"}, "widgets": [{"type": "snabble.customerCard", "id": "c", "text": "Card"}]}
            """
        try await withTemporaryFolder { folder in
            try folder.write(text, to: "app/a.view.json")
            let backend = MockBackend(MockConfiguration(formats: [.dynamicViews()]), logger: .silent)
            let report = try RouteFiles(folder.path, backend: backend).scan()
            #expect(report.problems.isEmpty)
            #expect(
                report.warnings.map(\.description) == [
                    #"app/a.view.json:1:29: configuration: "style" is "grid", which is unknown: clients take it for "scroll". Write one of "scroll", "list". [unknown-value]"#
                ]
            )
        }
    }

    @Test func `Tags decide which widgets there are, what they do, and for whom`() async throws {
        let file = """
            configuration: {}
            widgets:
              - "{{#if session.user}}": {type: button, id: logOut, text: Out}
                "{{else}}": {type: button, id: logIn, text: In}
            interactions:
              - "{{#if session.user}}": {widget: logOut, status: 403, message: "{{session.user}} stays."}
                "{{else}}": {widget: logIn, state: "{{variables.next}}"}
            states:
              - "{{#if session.user}}": {name: member, configuration: {}, widgets: []}
                "{{else}}": {name: later, configuration: {}, widgets: [{type: text, id: t, text: Later}]}
            """
        try await withViews(["app/a.view.yaml": file]) { mocks in
            let path = "/app/a/interactions"
            try await mocks.expect(
                prefix: "500 app/a.view.yaml: no view of this folder has the state 'latter'",
                .post,
                path,
                body: #"{"widgetId":"logIn","userInfo":{"next":"latter"}}"#
            )
            try await mocks.expect("204 ", .post, path, body: #"{"widgetId":"logIn","userInfo":{"next":"later"}}"#)
            let sessions = try #require(mocks.backend.apps.first?.sessions)
            let response = try await sessions.logIn("ana", Request(.post, "/app/"))
            let cookie = try #require(response?.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            let stays = try await mocks.ask(.post, path, headers: [.cookie: cookie], body: #"{"widgetId":"logOut"}"#)
            #expect(stays.status == .forbidden)
            #expect(stays.text == "ana stays.")
        }
    }

    @Test func `A folder with a parameter holds no app, and $schema is passed over`() async throws {
        let text = ##"{"$schema": "a.json", "configuration": {}, "widgets": []}"##
        try await withViews(["a/home.view.json": text]) { mocks in
            try mocks.folder.write(text, to: "[id]/home.view.json")
            let expected =
                "[id]/home.view.json:1:1: the folder '[id]' can't be part of an app's path, which has no parameters, blanks or letters beyond ASCII; rename it"
            #expect(mocks.files.scan().problems.map(\.description) == [expected])
            // These can't be the path of a session's cookie.
            for folder in [
                "my app", "café", "a;b", String(repeating: String(repeating: "a", count: 250) + "/", count: 4),
            ] {
                try mocks.folder.write(text, to: "\(folder)/home.view.json")
                let problems = mocks.files.scan().problems
                #expect(problems.count == 1 && problems[0].description.contains("path"), "\(problems)")
            }
            try await mocks.expect(#"200 {"configuration":{},"widgets":[]}"#, .get, "/a/home.json")
        }
    }
}
