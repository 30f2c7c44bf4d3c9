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
