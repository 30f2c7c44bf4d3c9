import Applin
import Backlot
import BacklotTesting
import Testing

@testable import demo_server

/// Every page that the home page leads to, opened and left as a person does. Each is judged when it comes.
@Suite(.timeLimit(.minutes(5))) struct PagesTests {
    @Test(arguments: DemoFlow.all)
    func `Each page opens and closes`(flow: DemoFlow) async throws {
        let stores = DemoStores()
        let sections = DemoCatalogue(mount: flow.mount, stores: stores).sections
        // What is for members only, and what misbehaves, is shown elsewhere.
        let closed = sections.flatMap(\.pages).filter { $0.misbehaviour != nil || !$0.samples.isEmpty }.map { $0.path }
        try await flow.run(stores) { app in
            try await app.launch()
            for section in sections {
                for page in section.pages where !closed.contains(page.path) {
                    try await app.tap(page.title, in: section.title)
                    #expect(app.stack == ["/", page.path])
                    if app.screen.contains("  back_button") { try await app.back() } else { try await app.tap("Back") }
                    #expect(app.stack == ["/"], "\(page.path)")
                }
            }
            #expect(app.findings == [])
        }
    }

    @Test(arguments: DemoFlow.all)
    func `The stack goes up and down, and says what it can't`(flow: DemoFlow) async throws {
        try await flow.run(ignoredRules: ["push-of-itself"]) { app in
            try await app.launch()
            try await app.tap("Page Stack")
            try await app.tap("Push two pages")
            #expect(app.stack == ["/", "/page_stack", "/p1", "/p2"])
            try await app.back()
            try await app.back()
            try await app.tap("Leave this page and push another")
            #expect(app.stack == ["/", "/page2"])
            try await app.back()
            try await app.tap("Page Stack")
            try await app.tap("Show the pages that misbehave")
            try await app.tap("Push this page again")
            #expect(app.errorKind == .app)
            try await app.back()
            try await app.tap("Make this the only page")
            try await app.tap("Pop twice")
            #expect(app.errorKind == .app)
            try await app.back()
            try await app.tap("Go home")
            #expect(app.stack == ["/"])
        }
    }

    @Test(arguments: DemoFlow.objects)
    func `Modals ask, and do what is answered`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/modal")
            try await app.tap("Ask, with a message")
            #expect(app.modal?.buttons == ["Go", "Cancel"])
            try await app.tap("Go")
            #expect(app.title == "Page Two")
            try await app.back()
            try await app.tap("One modal after the other")
            try await app.tap("Second")
            try await app.tap("Done")
            try await app.tap("An answer with a failing rpc")
            try await app.tap("Try")
            #expect(app.errorKind == .user)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `A polled page refreshes itself, and a failing one goes on in silence`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Polled")
            try await app.wait(.seconds(10))
            #expect(app.requests.count { $0.path == "/polled" } == 6)
            try await app.back()
            try await app.tap("Failing Poll")
            #expect(app.texts.contains("Polls until now: 0"))
            try await app.wait(.seconds(3))
            #expect(app.texts.contains("Polls until now: 1"))
            // It fails from then on; after each failure the client waits longer.
            try await app.wait(.seconds(60))
            #expect(app.texts.contains("Polls until now: 1"))
            #expect(app.requests.filter { $0.path == "/failing_poll" }.map(\.status) == [200, 200, 500, 500, 500, 500])
            #expect(app.errorText == nil)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Errors of every kind are shown, and leave the app usable`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Statuses")
            try await app.tap("Show the pages that misbehave")
            for (section, kind) in [
                ("403 Forbidden", ShownErrorKind.user), ("404 Not Found", .app), ("422 Unprocessable Content", .user),
                ("503 Service Unavailable", .server), ("304 Not Modified", .server),
            ] {
                for button in ["Page", "rpc"] {
                    if kind == .user {
                        try await app.tap(button, in: section)
                    } else {
                        await #expect(throws: BackendError.self) { try await app.tap(button, in: section) }
                    }
                    #expect(app.errorKind == kind)
                    try await app.back()
                    #expect(app.stack == ["/", "/status"])
                }
            }
            try await app.tap("303 to the page Text")
            #expect(app.title == "Text")
            #expect(app.lastRequest?.redirects.map(\.url.path) == [flow.mount.url("/text")])
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Broken responses are found, each with a rule that names it`(flow: DemoFlow) async throws {
        let rules = [
            "An empty body": "empty-page", "No JSON": "not-json", "Half of the JSON": "not-json",
            "JSON without a page": "not-a-page", "A page of an unknown kind": "unknown-typ",
            "A widget of an unknown kind": "unknown-typ", "Actions of an unknown kind": "unknown-action",
            "A text that is a number": "wrong-type", "Two inputs for one variable": "duplicate-var-name",
            "A page that says it is HTML": "wrong-content-type",
        ]
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Broken Responses")
            try await app.tap("Show the pages that misbehave")
            for (button, rule) in rules {
                // Clients of the documented dialect load it, and send one of the two.
                if rule == "duplicate-var-name", flow.mount.dialect == .documented {
                    try await app.tap(button)
                    #expect(app.title == "Twice")
                    try await app.back()
                    continue
                }
                let failure = await #expect(throws: BackendError.self) { try await app.tap(button) }
                #expect(failure?.findings.contains { $0.rule == rule } == true, "\(button): \(failure?.findings ?? [])")
                try await app.back()
            }
            for button in ["A body that is no page", "A page that can't be shown"] {
                await #expect(throws: BackendError.self) { try await app.tap(button) }
                try await app.back()
            }
        }
    }
}
