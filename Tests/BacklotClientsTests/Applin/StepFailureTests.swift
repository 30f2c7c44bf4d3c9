import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// Steps that can't be done say why, what was perhaps meant, and what was on the screen.
@Suite(.timeLimit(.minutes(5))) struct StepFailureTests {
    private func makeApp() async throws -> ApplinClient {
        let backend = Backend()
        func section(_ title: String, _ widgets: String...) -> String {
            #"{"typ":"form_section","title":"\#(title)","widgets":[\#(widgets.joined(separator: ","))]}"#
        }
        backend.form(
            "/",
            title: "New Account",
            #"{"typ":"textfield","label":"Username","var_name":"username"}"#,
            #"{"typ":"selector","label":"Plan","var_name":"plan","options":["Free","Family"],"initial_string":"Free"}"#,
            #"{"typ":"checkbox","text":"I agree","var_name":"agree"}"#,
            Backend.button("Create Account", #""rpc:/create_account""#, #""replace_all:/""#),
            Backend.button("Later"),
            section("One", Backend.button("Open", #""poll""#)),
            section("Two", Backend.button("Open", #""poll""#), Backend.button("Open all", #""poll""#))
        )
        return try await backend.launched()
    }

    @Test(arguments: [
        ("Create", #"no button "Create"; there is "Create Account""#),
        ("create account", #"no button "create account"; there is "Create Account""#),
        ("I argee", #"no button "I argee"; there is "I agree""#),
        ("Username", #""Username" is a textfield: enter(_:into:) types into it"#),
        ("Plan", #""Plan" is a selector: choose(_:from:) chooses from it"#),
        ("Later", #"the form_button "Later" is disabled: it has no actions"#),
        ("Open", #"2 buttons are called "Open": say which, by number, or by their section"#),
        ("Back", "no back button: this is the only page on the stack"),
        (
            "xyz",
            #"no button "xyz"; there are "I agree", "Create Account", "Later", "Open", "Open", "Open all""#
        ),
    ])
    func `A tap that can't be done`(label: String, problem: String) async throws {
        let app = try await makeApp()
        let failure = await #expect(throws: StepError.self) { try await app.tap(label) }
        #expect(failure?.problem == problem)
    }

    @Test func `The error shows the step, its place, and the screen as a tree`() async throws {
        let app = try await makeApp()
        try await app.enter("user\n1", into: "Username")
        let line = #line + 1
        let failure = await #expect(throws: StepError.self) { try await app.tap("Create") }
        #expect(
            failure?.description == """
                tap("Create"): no button "Create"; there is "Create Account" (BacklotClientsTests/StepFailureTests.swift:\(line))
                on the screen:
                  /: nav_page "New Account"
                    scroll
                      form
                        textfield "Username" (username): "user\\n1"
                        selector "Plan" (plan): "Free"
                        checkbox "I agree" (agree): off
                        form_button "Create Account" → rpc /create_account, replace_all /
                        form_button "Later" (disabled)
                        form_section "One"
                          form_button "Open" → poll
                        form_section "Two"
                          form_button "Open" → poll
                          form_button "Open all" → poll
                """
        )
    }

    @Test func `Of several buttons with one text, the number or the section says which`() async throws {
        let app = try await makeApp()
        try await app.tap("Open", number: 2)
        try await app.tap("Open", in: "Two")
        #expect(
            await stepProblem { try await app.tap("Open", number: 3) }
                == #"no button "Open" of that number: they count from 1 to 2"#
        )
        #expect(await stepProblem { try await app.tap("Open", in: "Tow") } == #"no section "Tow"; there is "Two""#)
        let other = await #expect(throws: StepError.self) { try await app.tap("Open all", in: "One") }
        #expect(other?.problem == #"in the section "One": no button "Open all"; there is "Open""#)
        #expect(other?.step == #"tap("Open all", in: "One")"#)
    }

    @Test func `An input is found by its label or its variable`() async throws {
        let app = try await makeApp()
        try await app.enter("a", into: "username")
        #expect(app.value(of: "Username") == "a")
        try await app.choose("Family", from: "plan")
        try await app.check("agree")
        #expect(app.variables == ["username": "a", "plan": "Family", "agree": true])
        #expect(
            await stepProblem { try await app.enter("a", into: "Usernme") }
                == #"no textfield "Usernme"; there is "Username""#
        )
        #expect(
            await stepProblem { try await app.choose("Famly", from: "Plan") }
                == #"no option "Famly"; there is "Family""#
        )
        #expect(await stepProblem { try await app.check("agreed") } == #"no checkbox "agreed"; there is "agree""#)
        #expect(app.value(of: "nothing") == nil)
    }

    @Test func `A step that fails changes nothing`() async throws {
        let app = try await makeApp()
        let count = app.requests.count
        let before = app.screen
        await #expect(throws: StepError.self) { try await app.tap("Nothing") }
        await #expect(throws: StepError.self) { try await app.choose("x", from: "Plan") }
        #expect(app.requests.count == count)
        #expect(app.screen == before)
        #expect(app.variables == [:])
    }

    @Test(arguments: [
        (#""start":{"typ":"empty"}"#, "the page has no back button"),
        (#""start":{"typ":"back_button","actions":[]}"#, "the back button is disabled"),
    ])
    func `A page may have no way back`(more: String, problem: String) async throws {
        let backend = Backend("/", Backend.button("Next", #""push:/next""#))
        backend.form("/next", more: more)
        let app = try await backend.launched()
        try await app.tap("Next")
        #expect(await stepProblem { try await app.back() } == problem)
        #expect(app.stack == ["/", "/next"])
    }

    @Test func `A page's own back button does what it says`() async throws {
        let backend = Backend("/", Backend.button("Next", #""push:/next""#))
        backend.form("/next", more: #""start":{"typ":"back_button","actions":["rpc:/save","pop"]}"#)
        backend.status("/save", .unprocessableContent, "Not yet.")
        let app = try await backend.launched()
        try await app.tap("Next")
        #expect(app.screen.contains("  back_button → rpc /save, pop"))
        try await app.back()
        #expect(app.errorText == "Not yet.")
        try await app.back()
        backend.status("/save", .ok)
        try await app.tap("Back")
        #expect(app.stack == ["/"])
    }

    @Test func `A page that doesn't scroll can't be pulled down`() async throws {
        let backend = Backend()
        for page in [
            #"{"typ":"plain_page","widget":{"typ":"empty"}}"#,
            #"{"typ":"plain_page","widget":{"typ":"scroll","pull_to_refresh":false,"widget":{"typ":"empty"}}}"#,
        ] {
            backend.page("/", page)
            let app = try await backend.launched()
            #expect(
                await stepProblem { try await app.pullToRefresh() } == "the page has no scroll that can be pulled down"
            )
        }
    }

    @Test func `A screen that differs shows the lines`() async throws {
        let app = try await makeApp()
        let failure = #expect(throws: ScreenError.self) {
            try app.expectScreen(app.screen.replacing("I agree", with: "I disagree"))
        }
        let text = try #require(failure?.description)
        #expect(text.contains(#"-       checkbox "I disagree" (agree): off"#))
        #expect(text.contains(#"+       checkbox "I agree" (agree): off"#))
        #expect(text.contains("StepFailureTests.swift:"))
        #expect(!text.contains("Open all"))
    }
}
