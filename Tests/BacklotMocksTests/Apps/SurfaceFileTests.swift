import A2UI
import Backlot
import BacklotChecks
import BacklotClients
import TestSupport
import Testing

@testable import BacklotMocks

/// A2UI as files: each file is a surface, with the responses to its actions.
@Suite(.timeLimit(.minutes(5))) struct SurfaceFileTests {
    private static let booking = """
        model: {name: "", slots: [{time: "9:30"}]}
        components:
          - {id: root, component: Column, children: [name, slots, book]}
          - {id: name, component: TextField, label: Name, value: {path: /name}}
          - {id: slots, component: List, children: {componentId: slot, path: /slots}}
          - {id: slot, component: Text, text: {path: time}}
          - id: book
            component: Button
            child: book_text
            action: {event: {name: book, context: {name: {path: /name}}}}
          - {id: book_text, component: Text, text: Book}
        actions:
          - name: book
            when: {name: ""}
            set: {/slots: []}
            components: [{id: book_text, component: Text, text: Give a name first}]
          - name: book
            when: {name: Eve}
            status: 403
            message: Not you.
          - {name: book, close: true, open: thanks}
        """

    private static let thanks = """
        version: "1.0"
        components:
          - {id: root, component: Text, text: "Thank you, {{variables.name}}."}
        """

    private func withSurfaces<Result>(
        _ files: [String: String] = ["clinic/booking.a2ui.yaml": booking, "clinic/thanks.a2ui.yaml": thanks],
        _ body: (Mocks, Router) async throws -> Result
    ) async throws -> Result {
        try await withMocks(files, configure: { $0.formats = [.a2ui()] }) { mocks in
            let router = Router()
            router.mocks(mocks.backend)
            return try await body(mocks, router)
        }
    }

    @Test func `A request has a hundred messages`() async throws {
        try await withSurfaces { mocks, _ in
            let action = #"{"version":"v0.9","error":{"code":"x","message":"m","surfaceId":"booking"}}"#
            let headers: HTTPFields = [.contentType: "application/json"]
            for (count, status) in [
                (100, HTTPResponse.Status.ok), (101, .contentTooLarge), (100_000, .contentTooLarge),
            ] {
                let list = "[" + Array(repeating: action, count: count).joined(separator: ",") + "]"
                for body in [list, "{\"messages\":\(list)}"] {
                    let response = try await mocks.ask(.post, "/clinic/actions", headers: headers, body: body)
                    #expect(response.status == status)
                    let says = response.text.contains("a request has at most 100 messages, but this one \(count)")
                    #expect(says == (status != .ok), "\(response.text)")
                }
            }
        }
    }

    @Test func `A client uses the surfaces of a folder`() async throws {
        try await withSurfaces { mocks, router in
            try await mocks.expect(
                #"200 {"surfaces":["/clinic/surfaces/booking","/clinic/surfaces/thanks"]}"#,
                .get,
                "/clinic/"
            )
            let app = try A2UIClient(router, at: "/clinic/")
            try await app.launch()
            #expect(app.texts == ["Name", "9:30", "Book"])
            try await app.tap("Book")
            #expect(app.texts == ["Name", "Give a name first"])
            try app.enter("Eve", into: "Name")
            await #expect(throws: A2UIClientError.refused(status: 403, text: "Not you.")) {
                try await app.tap("Give a name first")
            }
            try app.enter("Ada", into: "Name")
            try await app.tap("Give a name first")
            #expect(app.state.surfaceIDs == ["thanks"])
            #expect(app.texts == ["Thank you, ."])
            try await app.launch()
            #expect(app.texts.contains("9:30"))
        }
    }

    /// The values of an action's context fill in the tags of its response, and so does the model that came along.
    @Test func `Tags are filled in from the context and the model`() async throws {
        let file = Self.booking.replacing(
            "name: book, close: true, open: thanks",
            with: """
                name: book, set: {/note: "{{variables.name}} of {{variables.model.slots.[0].time}}"}
                """
        )
        try await withSurfaces(["clinic/booking.a2ui.yaml": file]) { _, router in
            let app = try A2UIClient(router, at: "/clinic/")
            try await app.launch()
            try app.enter("Ada", into: "Name")
            try await app.tap("Book")
            #expect(app.model(of: "booking")?["note"] == "Ada of 9:30")
        }
    }

    private static let shop = [
        "data/cart.yaml": "rows: []\nlimits: {rows: 2}",
        "shop/list.a2ui.yaml": """
        model: {}
        components:
          - {id: root, component: Column, children: [count, mode, add, lock]}
          - {id: count, component: Text, text: "{{sum data.cart 'amount'}} pieces"}
          - {id: mode, component: Text, text: "{{#if data.cart}}full{{else}}empty{{/if}}"}
          - {id: add, component: Button, child: add_text, action: {event: {name: add, context: {good: tea}}}}
          - {id: add_text, component: Text, text: Add}
          - {id: lock, component: Button, child: lock_text, action: {event: {name: lock}}}
          - {id: lock_text, component: Text, text: Lock}
        actions:
          - name: add
            scenarioName: door
            requiredScenarioState: locked
            components: [{id: mode, component: Text, text: Locked.}]
          - name: add
            whenData: {cart: {matchesJsonPath: "$[?(@.amount > 1)]"}}
            data: {remove: {from: cart}}
            components: [{id: mode, component: Text, text: "Sold, {{sum data.cart 'amount'}} left."}]
          - name: add
            data:
              patch:
                in: cart
                where: {good: "{{variables.good}}"}
                value: {amount: "{{{math row.amount '+' 1}}}"}
                orInsert: {good: "{{variables.good}}", amount: 1}
            components: [{id: mode, component: Text, text: "{{sum data.cart 'amount'}} of {{counter.taps}}"}]
          - {name: lock, scenarioName: door, newScenarioState: locked, log: "locked at {{now.date}}"}
        """,
    ]

    /// An action changes data and states with the words of route files, for its own client, and tags read the data afterwards.
    @Test func `Actions change data and states`() async throws {
        try await withSurfaces(Self.shop) { mocks, router in
            let (app, other) = (try A2UIClient(router, at: "/shop/"), try A2UIClient(router, at: "/shop/"))
            try await app.launch()
            try await other.launch()
            #expect(app.texts == ["0 pieces", "empty", "Add", "Lock"])
            var seen: [String] = []
            for step in ["Add", "Add", "Add", "Add", "Lock", "Add"] {
                try await app.tap(step)
                seen.append(app.texts[1])
            }
            #expect(seen == ["1 of 1", "2 of 2", "Sold, 0 left.", "1 of 3", "1 of 3", "Locked."])
            try await app.launch()
            #expect(app.texts.prefix(2) == ["1 pieces", "full"])
            try await other.tap("Add")
            #expect(other.texts[1] == "1 of 4")
            #expect(mocks.backend.data.clients == 2)
        }
    }

    @Test func `Commands list and set the scenarios of actions`() async throws {
        try await withSurfaces(Self.shop) { mocks, router in
            let door = #"200 {"id":"door","name":"door","state":"Started","possibleStates":["Started","locked"],"#
            try await mocks.expect(prefix: door, .get, "/__admin/scenarios/door")
            try await mocks.expect("200 {}", .put, "/__admin/scenarios/door/state", body: #"{"state":"locked"}"#)
            let app = try A2UIClient(router, at: "/shop/")
            try await app.launch()
            try await app.tap("Add")
            #expect(app.texts[1] == "Locked.")
            try mocks.folder.remove("shop/list.a2ui.yaml")
            #expect(mocks.files.scan().removed == ["shop/list.a2ui.yaml"])
            try await mocks.expect(#"200 {"scenarios":[]}"#, .get, "/__admin/scenarios")
        }
    }

    /// Nothing changes where the data doesn't allow it: the scenarios stay too, and the client gets no cookie.
    @Test(arguments: ["scenarioName: door\n    newScenarioState: open", "moves: {door: {Started: open}}"])
    func `A change that data refuses is an error`(states: String) async throws {
        let file = """
            components: [{id: root, component: Text, text: x}]
            actions:
              - name: go
                data: [{insert: {into: cart, value: {amount: 1}}}, {remove: {from: cart, where: {id: 9}}}]
                \(states)
            """
        let files = ["data/cart.yaml": "rows: []\nnotFound: There is no such thing.", "shop/a.a2ui.yaml": file]
        try await withSurfaces(files) { mocks, _ in
            let action = """
                {"version":"v0.9","action":{"name":"go","surfaceId":"a","sourceComponentId":"a",
                 "timestamp":"2026-01-01T00:00:00Z","context":{}}}
                """
            let refused = try await mocks.ask(.post, "/shop/actions", body: action)
            #expect(refused.status == .notFound && refused.text.hasPrefix("There is no such thing."))
            #expect(refused.headers[.setCookie] == nil)
            let scenarios = mocks.backend.scenarios
            #expect(scenarios.sessions.allSatisfy { scenarios.state(of: "door", in: .session($0)) == "Started" })
            #expect(mocks.backend.data.clients == 0)
        }
    }

    /// Data and states that no other file has are warnings, at the action.
    @Test func `Unknown data and states in actions are noticed`() async throws {
        let file = """
            components: [{id: root, component: Text, text: "{{data.carts}}"}]
            actions:
              - {name: go, data: {insert: {into: cart, value: {}}}}
              - {name: go, scenarioName: door, requiredScenarioState: opn}
            """
        try await withTemporaryFolder { folder in
            try folder.write("rows: []", to: "data/carts.yaml")
            try folder.write(file, to: "a.a2ui.yaml")
            let backend = MockBackend(MockConfiguration(formats: [.a2ui()]), logger: .silent)
            let report = try RouteFiles(folder.path, backend: backend).scan()
            #expect(report.problems == [])
            #expect(
                report.warnings.map(\.description) == [
                    "a.a2ui.yaml:3:1: no file declares the data 'cart'; did you mean 'carts'?; write data/cart.yaml, with rows: or value:",
                    "a.a2ui.yaml:4:59: the scenario 'door' never gets into the state 'opn', so this response is never sent",
                ]
            )
        }
    }

    private static let lines = """
        {"version":"v0.9","createSurface":{"surfaceId":"chat","catalogId":"\(Catalog.basic0_9.id)"}}
        {"version":"v0.9","updateDataModel":{"surfaceId":"chat","value":{"name":"{{query.name}}"}}}

        {"version":"v0.9","updateComponents":{"surfaceId":"chat","components":[\(components)]}}
        {"action":{"name":"more"},"scenarioName":"chat","newScenarioState":"on","requiredScenarioState":"Started"}
        {"version":"v0.9","updateDataModel":{"surfaceId":"chat","path":"/name","value":"Once"}}
        {"action":{"name":"more"}}
        {"version":"v0.9","updateDataModel":{"surfaceId":"chat","path":"/name","value":"Again"}}
        {"version":"v0.9","updateDataModel":{"surfaceId":"chat","path":"/more","value":true}}
        """
    private static let components = """
        {"id":"root","component":"Button","child":"t","action":{"event":{"name":"more"}}},\
        {"id":"t","component":"Text","text":{"path":"/name"}}
        """

    /// Lines are messages; a line with an action begins the response to it.
    @Test func `A file of lines is served in each form`() async throws {
        try await withSurfaces(["chat.a2ui.jsonl": Self.lines]) { mocks, router in
            let app = try A2UIClient(router)
            try await app.launch()
            #expect(app.texts == [""])
            for wanted in ["Once", "Again"] {
                try await app.tap("root")
                #expect(app.texts == [wanted])
            }
            #expect(app.model(of: "chat") == ["name": "Again", "more": true])
            let expected = [
                "application/jsonl": "{", "text/event-stream": "data: {", "application/a2ui+json": "[{", "*/*": "[{",
            ]
            for (type, beginning) in expected {
                let handler = router.handler()
                let response = try await handler(Request(.get, "/surfaces/chat?name=Ada", headers: [.accept: type]))
                guard case .bytes(let bytes) = response.body else { throw CancellationError() }
                #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(beginning + "\"version\""), "\(type)")
                #expect(response.headers[.contentType] == (type == "*/*" ? "application/a2ui+json" : type))
                let messages = ServerMessage.list(try A2UIInspector.document(bytes))
                #expect(messages.count == 4 && messages[2]["updateDataModel"]?["value"]?["name"] == "Ada")
            }
        }
    }

    @Test(
        arguments: [
            (
                "{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"x\"}}\n{\"a\": 1,",
                "chat.a2ui.jsonl:2:9: this is no JSON"
            ),
            (
                "\n  {\"version\":\"v0.9\",\"deleteSurfaces\":{}}",
                "chat.a2ui.jsonl:2:38: \"deleteSurfaces\" is no message"
            ),
            (
                "{\"action\":{\"name\":\"a\"},\"logs\":\"x\"}",
                "chat.a2ui.jsonl:1:24: action \"a\": A reaction has no key \"logs\""
            ),
            (
                "{\"action\":{\"name\":\"a\"}}\n{\"version\":\"v0.9\",\"x\":{}}",
                "chat.a2ui.jsonl:2:23: \"x\" is no message"
            ),
        ]
    )
    func `Mistakes in lines are named at their places`(text: String, expected: String) async throws {
        let found = try await problems("chat.a2ui.jsonl", text, formats: [.a2ui()])
        #expect(found.first?.hasPrefix(expected) == true, "\(found)")
        #expect(
            try await problems("a.a2ui.txt", "", formats: [.a2ui()]) == [
                "a.a2ui.txt:1:1: a a2ui is written in JSON or YAML; let the name end in .a2ui.json, .a2ui.yaml or .a2ui.jsonl"
            ]
        )
        let both = ["chat.a2ui.yaml": "messages: []"]
        let twice = try await problems("chat.a2ui.jsonl", "", others: both, formats: [.a2ui()])
        #expect(twice == ["chat.a2ui.yaml:1:1: the surface 'chat' has two files; remove one of them"])
    }

    @Test func `Messages are sent as they stand`() async throws {
        let messages = #"{"messages":[{"version":"v0.9","deleteSurface":{"surfaceId":"x"}}]}"#
        try await withSurfaces(["raw.a2ui.json": messages]) { mocks, _ in
            let expected =
                #"[{"version":"v0.9","deleteSurface":{"surfaceId":"raw"}},"#
                + #"{"version":"v0.9","deleteSurface":{"surfaceId":"x"}}]"#
            try await mocks.expect("200 \(expected)", .get, "/surfaces/raw")
        }
    }

    @Test func `Actions that no file has are refused`() async throws {
        try await withSurfaces { mocks, _ in
            func action(_ name: String, _ surface: String) -> String {
                """
                {"version":"v0.9","action":{"name":"\(name)","surfaceId":"\(surface)","sourceComponentId":"a",
                 "timestamp":"2026-01-01T00:00:00Z","context":{}}}
                """
            }
            for (body, text) in [
                (action("bok", "booking"), "404 clinic/booking.a2ui.yaml has no action 'bok'; did you mean 'book'?"),
                (action("book", "boking"), "404 there is no surface 'boking'; did you mean 'booking'?"),
                (#"{"version":"v0.9","act":{}}"#, "400 "),
            ] {
                try await mocks.expect(prefix: text, .post, "/clinic/actions", body: body)
            }
        }
    }

    @Test func `Check, explore and preview know the surfaces`() async throws {
        try await withSurfaces { mocks, router in
            let app = try #require(mocks.backend.apps.first)
            #expect(app.appProtocol == .a2ui && app.hasPage("/clinic/surfaces/thanks"))
            var options = CrawlOptions()
            options.callsRPCs = true
            let report = try await Crawl(router, at: "/clinic/", as: .a2ui, options: options).report()
            #expect(report.visited == 3 && report.rpcsCalled == 1, "\(report)")
            #expect(report.findings.filter { $0.severity == .error } == [], "\(report)")
            var exploring = ExploreOptions(seed: 3)
            exploring.maximumSteps = 60
            exploring.hasFaults = false
            let explored = try await Explore(router, at: "/clinic/", as: .a2ui, options: exploring).report()
            #expect(explored.findings.filter { $0.severity == .error } == [], "\(explored)")
        }
    }

    /// Files with a mistake, and its text.
    @Test(
        arguments: [
            (
                #"{"components": [{"id": "root", "component": "Text", "txt": "x"}]}"#,
                #"a.a2ui.json:1:17: Text "root": A Text needs "text"; without it, clients report an error and leave the message out."#
            ),
            (
                #"{"components": [{"id": "root", "component": "Card", "child": "a"}]}"#,
                #"a.a2ui.json:1:1: Dangling reference: "root" names "a", which isn't there."#
            ),
            (
                #"{"components": [{"id": "root", "component": "Slider", "value": {"path": "/n"}, "max": "x"}]}"#,
                "must be a number"
            ),
            (
                #"{"model": {}, "catalog": {"components": 7}, "components": [{"id": "root", "component": "Text", "text": ""}]}"#,
                "A catalog is an object with a catalogId."
            ),
            (
                #"{"messages": [], "actions": [{"name": "go", "open": "b"}]}"#,
                "this folder has no surface 'b'; did you mean 'a'?; add a file b.a2ui.yaml"
            ),
            (
                #"{"messages": [], "actions": [{"name": "go", "messages": [{"version": "v0.9", "deleteSurfaces": {}}]}]}"#,
                #"a.a2ui.json:1:96: "deleteSurfaces" is no message of v0.9. Do you mean deleteSurface?"#
            ),
            (
                #"{"messages": [], "actions": [{"name": "go", "newScenarioStat": "on"}]}"#,
                #"A reaction has no key "newScenarioStat", so clients ignore it. Write "newScenarioState""#
            ),
            (
                #"{"messages": [], "actions": [{"name": "go", "newScenarioState": "on"}]}"#,
                "a state belongs to a scenario; write its scenarioName too"
            ),
            (
                #"{"messages": [], "actions": [{"name": "go", "data": {"insrt": {"into": "cart"}}}]}"#,
                "insrt"
            ),
            (
                #"{"messages": [], "actions": [{"{{#if query.x}}": {"name": "go", "log": "x"}}]}"#,
                "'log' has no effect within a block; write it beside the block"
            ),
        ]
    )
    func `Mistakes are named at their places`(text: String, expected: String) async throws {
        let found = try await problems("a.a2ui.json", text, formats: [.a2ui()])
        #expect(found.first?.contains(expected) == true, "\(found)")
    }

    @Test func `A file may bring its own catalog`() async throws {
        let file = """
            catalog:
              catalogId: own
              components:
                Gauge: {type: object, properties: {level: {type: number}}, required: [level]}
            messages:
              - {version: v0.9, createSurface: {surfaceId: gauge, catalogId: own}}
              - version: v0.9
                updateComponents: {surfaceId: gauge, components: [{id: root, component: Gauge, level: 0.5}]}
            """
        let found = try await problems("a.a2ui.yaml", file, formats: [.a2ui()])
        #expect(found == [])
        let wrong = try await problems("a.a2ui.yaml", file.replacing("0.5", with: "high"), formats: [.a2ui()])
        #expect(wrong.first?.hasPrefix("a.a2ui.yaml:8:") == true, "\(wrong)")
    }

    @Test func `Mocks are compared with a backend surface by surface`() async throws {
        try await withSurfaces { _, router in
            let changed = [
                "clinic/booking.a2ui.yaml": Self.booking.replacing(
                    "{path: time}",
                    with: "{path: time}, variant: caption"
                ),
                "clinic/thanks.a2ui.yaml": Self.thanks,
            ]
            try await withMocks(changed, configure: { $0.formats = [.a2ui()] }) { mocks in
                let transport = try InProcessTransport(router.handler())
                let report = try await MocksComparison(mocks.backend, with: "http://localhost/", transport: transport)
                    .report()
                let places = report.differences.map { "\($0.finding.rule) \($0.finding.path.pointer)" }
                #expect(
                    places.contains {
                        $0.hasPrefix("key-") && $0.contains(" /3/updateComponents/components/3/variant")
                    },
                    "\(report)"
                )
            }
        }
    }

    @Test func `Two deployments are compared by the words of its messages`() async throws {
        func router(_ text: String) -> Router {
            let router = Router()
            let list = """
                [{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"\(Catalog.basic0_9.id)"}},
                 {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\(text)]}}]
                """
            router.get("/") { _ in
                Response(headers: [.contentType: "application/a2ui+json"], body: .bytes(Array(list.utf8)))
            }
            return router
        }
        let old = router(#"{"id":"root","component":"Text","text":"Hello"}"#)
        let new = router(#"{"id":"root","component":"Text","text":"Goodbye","variant":"body"}"#)
        let report = try await Comparison(old, new, as: .a2ui).report()
        #expect(report.differences.map(\.finding.rule) == ["value-changed", "key-added"], "\(report)")
        #expect(report.differences.first?.finding.path.pointer == "/1/updateComponents/components/0/text")
    }
}
